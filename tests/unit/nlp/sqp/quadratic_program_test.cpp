// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/sqp/quadratic_program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "runtime/nlp/sqp/active_set_qp.h"
#include "runtime/nlp/sqp/interior_point_qp.h"
#include "runtime/nlp/sqp/second_derivatives.h"
#include "tests/unit/nlp/small_nlp.h"

namespace bolza::nlp {
namespace {

/// A program with its numbers; dense patterns.
struct OwnedProgram {
  Pattern hessian_pattern, jacobian_pattern;
  std::vector<double> hessian, jacobian, gradient;
  QuadraticProgram program;

  void connect() {
    program.hessian_pattern = &hessian_pattern, program.jacobian_pattern = &jacobian_pattern;
    program.hessian = hessian, program.jacobian = jacobian, program.gradient = gradient;
  }
};

/// Convex, feasible (rows hold at a point within the bounds), with `equalities` of its rows equalities.
OwnedProgram random_program(std::size_t n, std::size_t m, std::size_t equalities, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  OwnedProgram p;
  QuadraticProgram& qp = p.program;
  qp.n = n, qp.m = m;
  std::vector<double> root(n * n), inside(n);
  for (double& v : root) v = uniform(engine);
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t c = 0; c <= r; ++c) {
      double sum = r == c ? 0.1 : 0;
      for (std::size_t k = 0; k < n; ++k) sum += root[r * n + k] * root[c * n + k];
      p.hessian_pattern.row.push_back(static_cast<int>(r)), p.hessian_pattern.col.push_back(static_cast<int>(c));
      p.hessian.push_back(sum);
    }
  for (std::size_t v = 0; v < n; ++v) {
    p.gradient.push_back(3 * uniform(engine));
    qp.lower.push_back(v % 3 == 0 ? -INFINITY : -0.3), qp.upper.push_back(v % 4 == 0 ? INFINITY : 0.4);
    inside[v] = 0.2 * uniform(engine);
  }
  for (std::size_t r = 0; r < m; ++r) {
    double value = 0;
    for (std::size_t c = 0; c < n; ++c) {
      p.jacobian_pattern.row.push_back(static_cast<int>(r)), p.jacobian_pattern.col.push_back(static_cast<int>(c));
      p.jacobian.push_back(uniform(engine));
      value += p.jacobian.back() * inside[c];
    }
    double width = r < equalities ? 0 : 0.1;
    qp.row_lower.push_back(r % 3 == 1 && width > 0 ? -INFINITY : value - width);
    qp.row_upper.push_back(r % 3 == 2 && width > 0 ? INFINITY : value + width);
  }
  p.connect();
  return p;
}

/// The largest violation of the optimality conditions of a convex program.
double optimality_error(const QuadraticProgram& qp, const QuadraticSolution& s) {
  std::vector<double> slope(qp.gradient.begin(), qp.gradient.end()), value(qp.m, 0.0);
  add_symmetric_product(*qp.hessian_pattern, qp.hessian, s.d, slope);
  add_transposed_product(*qp.jacobian_pattern, qp.jacobian, s.lambda, slope);
  add_product(*qp.jacobian_pattern, qp.jacobian, s.d, value);
  double error = 0;
  auto side = [&](double distance, double multiplier) {
    error = std::max({error, -distance, -multiplier});
    if (std::isfinite(distance)) error = std::max(error, std::abs(distance * multiplier));
    else error = std::max(error, multiplier);
  };
  for (std::size_t v = 0; v < qp.n; ++v) {
    error = std::max(error, std::abs(slope[v] + qp.shift * s.d[v] - s.z_lower[v] + s.z_upper[v]));
    side(s.d[v] - qp.lower[v], s.z_lower[v]), side(qp.upper[v] - s.d[v], s.z_upper[v]);
  }
  for (std::size_t r = 0; r < qp.m; ++r) {
    if (qp.row_lower[r] == qp.row_upper[r]) {
      error = std::max(error, std::abs(value[r] - qp.row_lower[r]));
      continue;
    }
    side(qp.row_upper[r] - value[r], std::max(0.0, s.lambda[r]));
    side(value[r] - qp.row_lower[r], std::max(0.0, -s.lambda[r]));
  }
  return error;
}

struct SolverRow {
  const char* name;
  std::unique_ptr<QuadraticSolver> (*make)();
  bool needs_positive_matrix = false;
};
std::unique_ptr<QuadraticSolver> by_mehrotra() { return interior_point_solver(mumps_kkt_factors, {}); }
std::unique_ptr<QuadraticSolver> by_mehrotra_dense() { return interior_point_solver(dense_kkt_factors, {}); }
std::unique_ptr<QuadraticSolver> by_franke() {
  return interior_point_solver(mumps_kkt_factors, {.centering = Centering::franke});
}
constexpr SolverRow solvers[] = {{"active set", active_set_solver},
                                 {"Mehrotra", by_mehrotra},
                                 {"Mehrotra, dense factors", by_mehrotra_dense, true},
                                 {"Franke", by_franke}};

TEST(QuadraticProgram, is_solved_to_its_optimality_conditions) {
  constexpr double tolerance = 1e-9;
  for (const SolverRow& row : solvers)
    for (unsigned seed = 1; seed <= 20; ++seed) {
      OwnedProgram p = random_program(3 + seed % 9, seed % 7, seed % 3, seed);
      QuadraticSolution s = row.make()->solve(p.program, tolerance);
      EXPECT_EQ(s.outcome, QuadraticOutcome::optimal) << row.name << ", seed " << seed;
      EXPECT_LT(optimality_error(p.program, s), 1e-6) << row.name << ", seed " << seed;
    }
}

TEST(QuadraticProgram, is_solved_again_from_its_last_solution) {
  for (const SolverRow& row : solvers) {
    std::unique_ptr<QuadraticSolver> solver = row.make();
    OwnedProgram p = random_program(8, 5, 2, 7);
    int first = solver->solve(p.program, 1e-9).iterations;
    for (double& g : p.gradient) g *= 1.001;
    QuadraticSolution s = solver->solve(p.program, 1e-9);
    EXPECT_EQ(s.outcome, QuadraticOutcome::optimal) << row.name;
    EXPECT_LT(optimality_error(p.program, s), 1e-6) << row.name;
    EXPECT_LE(s.iterations, first) << row.name;
  }
}

TEST(QuadraticProgram, tells_that_its_rows_contradict_its_bounds) {
  for (const SolverRow& row : solvers) {
    OwnedProgram p = random_program(4, 1, 1, 3);
    for (std::size_t v = 0; v < 4; ++v) p.program.lower[v] = -0.1, p.program.upper[v] = 0.1;
    p.program.row_lower[0] = p.program.row_upper[0] = 7;
    EXPECT_EQ(row.make()->solve(p.program, 1e-9).outcome, QuadraticOutcome::infeasible) << row.name;
  }
}

/// min ½ (d - 2)² with d <= 1 from a row, elastic: the row is violated where its price is below the slope 1 at d = 1.
TEST(QuadraticProgram, violates_elastic_rows_where_that_is_cheaper) {
  for (const SolverRow& row : solvers)
    for (double price : {0.25, 10.0}) {
      OwnedProgram p;
      p.hessian_pattern.row = p.hessian_pattern.col = p.jacobian_pattern.row = p.jacobian_pattern.col = {0};
      p.hessian = p.jacobian = {1}, p.gradient = {-2};
      QuadraticProgram& qp = p.program;
      qp.n = qp.m = 1, qp.elastic = true, qp.penalty = price;
      qp.lower = {-INFINITY}, qp.upper = {INFINITY}, qp.row_lower = {-INFINITY}, qp.row_upper = {1};
      p.connect();
      QuadraticSolution s = row.make()->solve(qp, 1e-9);
      ASSERT_EQ(s.outcome, QuadraticOutcome::optimal) << row.name;
      EXPECT_NEAR(s.d[0], price < 1 ? 2 - price : 1, 1e-6) << row.name;
      EXPECT_NEAR(s.lambda[0], std::min(price, 1.0), 1e-6) << row.name;
    }
}

/// ½ (x² - y²) has negative curvature along y, which a row may take away.
TEST(QuadraticProgram, tells_negative_curvature_that_constraints_leave) {
  for (const SolverRow& row : solvers)
    for (bool held : {false, true}) {
      if (held && row.needs_positive_matrix) continue;
      OwnedProgram p;
      p.hessian_pattern.row = p.hessian_pattern.col = {0, 1};
      p.hessian = {1, -1}, p.gradient = {1, 0};
      p.jacobian_pattern.row = {0}, p.jacobian_pattern.col = {held ? 1 : 0}, p.jacobian = {1};
      QuadraticProgram& qp = p.program;
      qp.n = 2, qp.m = 1;
      qp.lower = {-INFINITY, -INFINITY}, qp.upper = {INFINITY, INFINITY}, qp.row_lower = qp.row_upper = {0.5};
      p.connect();
      QuadraticSolution s = row.make()->solve(qp, 1e-9);
      EXPECT_EQ(s.outcome, held ? QuadraticOutcome::optimal : QuadraticOutcome::indefinite) << row.name;
      if (held) {
        EXPECT_NEAR(s.d[0], -1, 1e-7) << row.name;
        EXPECT_NEAR(s.d[1], 0.5, 1e-7) << row.name;
      } else {
        EXPECT_GT(s.wanted_shift, 0) << row.name;
      }
    }
}

TEST(QuadraticProgram, is_left_when_it_is_told_to_stop) {
  for (const SolverRow& row : solvers) {
    OwnedProgram p = random_program(12, 6, 2, 5);
    int all = 0, asked = 0;
    p.program.stop = [&] { return ++all, false; };
    ASSERT_EQ(row.make()->solve(p.program, 1e-9).outcome, QuadraticOutcome::optimal) << row.name;
    ASSERT_GT(all, 3) << row.name << " asks before every iteration";
    for (int at : {1, 2, all / 2}) {
      asked = 0;
      p.program.stop = [&] { return ++asked >= at; };
      EXPECT_EQ(row.make()->solve(p.program, 1e-9).outcome, QuadraticOutcome::stopped) << row.name << " at " << at;
      EXPECT_LE(asked, at + 1) << row.name;
    }
  }
}

TEST(KktFactors, agree_in_solutions_and_inertia) {
  OwnedProgram p = random_program(6, 3, 3, 11);
  std::vector<double> sigma(6, 0.5), delta(3, 1e-3), rhs{1, -2, 3, 0.5, 0, 1, -1, 2, 4};
  auto dense = dense_kkt_factors(6, 3, p.hessian_pattern, p.jacobian_pattern);
  auto sparse = mumps_kkt_factors(6, 3, p.hessian_pattern, p.jacobian_pattern);
  std::vector<double> a = rhs, b = rhs;
  ASSERT_TRUE(dense->factor(p.hessian, p.jacobian, sigma, delta));
  ASSERT_TRUE(sparse->factor(p.hessian, p.jacobian, sigma, delta));
  EXPECT_EQ(dense->inertia().negative, 3u);
  EXPECT_EQ(sparse->inertia().negative, 3u);
  dense->solve(a), sparse->solve(b);
  for (std::size_t k = 0; k < rhs.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-9 * (1 + std::abs(a[k])));
  for (double& s : sigma) s = -1e3;
  sparse->factor(p.hessian, p.jacobian, sigma, delta);
  EXPECT_GT(sparse->inertia().negative, 3u);
  EXPECT_FALSE(dense->factor(p.hessian, p.jacobian, sigma, delta) && dense->inertia().negative == 3);
}

/// On a quadratic function with steps along all directions BFGS ends with the exact Hessian.
TEST(SecondDerivatives, of_bfgs_find_the_hessian_of_a_quadratic_function) {
  testing::Hs071 hs;
  SecondDerivatives second(hs.nlp, Hessian::lbfgs);
  std::vector<double> values, last;
  // H = diag(1, 2, 3, 4, unknown), conjugate steps: four unit vectors, twice
  for (int round = 0; round < 2; ++round)
    for (std::size_t k = 0; k < 4; ++k) {
      std::vector<double> step(5, 0.0), change(5, 0.0);
      step[k] = 0.1, change[k] = 0.1 * static_cast<double>(k + 1);
      second.update(step, change);
    }
  ASSERT_TRUE(second.evaluate({}, values));
  for (std::size_t k = 0; k < values.size(); ++k) {
    int r = second.pattern().row[k], c = second.pattern().col[k];
    EXPECT_NEAR(values[k], r != c ? 0 : r < 4 ? r + 1 : 1, 1e-12);
  }
}

TEST(SecondDerivatives, of_bfgs_stay_positive_along_negative_curvature) {
  testing::Hs071 hs;
  SecondDerivatives second(hs.nlp, Hessian::lbfgs);
  std::vector<double> step{1, 0, 0, 0, 0}, change{-5, 0, 0, 0, 0}, values, product(5, 0.0);
  second.update(step, change);
  ASSERT_TRUE(second.evaluate({}, values));
  add_symmetric_product(second.pattern(), values, step, product);
  EXPECT_NEAR(product[0], 0.2, 1e-12);  // a fifth of what it was: Powell's damping
  EXPECT_TRUE(second.reset());
  EXPECT_FALSE(second.reset());
}

/// The program of HS52: its H is singular, and rounding decides whether it is factored.
TEST(ActiveSet, is_exact_where_equations_make_up_for_a_singular_matrix) {
  OwnedProgram p;
  QuadraticProgram& qp = p.program;
  qp.n = 5, qp.m = 3;
  p.hessian_pattern = {.row = {0, 1, 1, 2, 2, 3, 4}, .col = {0, 0, 1, 1, 2, 3, 4}};
  p.hessian = {32, -8, 4, 2, 2, 2, 2}, p.gradient = {0, -4, -4, -2, -2};
  p.jacobian_pattern = {.row = {0, 0, 1, 1, 1, 2, 2}, .col = {0, 1, 2, 3, 4, 1, 4}};
  p.jacobian = {1, 3, 1, 1, -2, 1, -1};
  qp.lower.assign(5, -INFINITY), qp.upper.assign(5, INFINITY), qp.row_lower.assign(3, 0), qp.row_upper.assign(3, 0);
  p.connect();
  QuadraticSolution s = active_set_solver()->solve(qp, 1e-11);
  ASSERT_EQ(s.outcome, QuadraticOutcome::optimal);
  const double x[] = {-33.0 / 349, 11.0 / 349, 180.0 / 349, -158.0 / 349, 11.0 / 349};  // closed form of [HS1981]
  for (std::size_t v = 0; v < 5; ++v) EXPECT_NEAR(s.d[v], x[v], 1e-12);
  std::vector<double> slope = p.gradient;
  add_symmetric_product(p.hessian_pattern, p.hessian, s.d, slope);
  add_transposed_product(p.jacobian_pattern, p.jacobian, s.lambda, slope);
  for (double component : slope) EXPECT_NEAR(component, 0, 1e-11);
}

}  // namespace
}  // namespace bolza::nlp
