// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/sqp/condensing_qp.h"
#include "runtime/nlp/condensing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "runtime/nlp/sqp/active_set_qp.h"
#include "runtime/nlp/sqp/interior_point_qp.h"

namespace bolza::nlp {
namespace {

/// A program as multiple shooting has it: parameters, then states and controls of one mesh point after another; conditions
/// x_{k+1} = A x_k + B u_k + C p + c with random matrices, a row that ties the ends and an inequality on every control.
struct ShootingProgram {
  static constexpr std::size_t n_x = 3, n_u = 2, N = 5, n_p = 1, stride = n_x + n_u, n = n_p + N * stride + n_x;
  Nlp nlp;
  Pattern hessian_pattern;
  std::vector<double> hessian, jacobian, gradient;
  QuadraticProgram qp;

  explicit ShootingProgram(unsigned seed, bool bounded) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<double> inside(n);
    for (double& v : inside) v = 0.3 * uniform(engine);
    auto entry = [&](std::size_t row, std::size_t column, double value) {
      nlp.jacobian.row.push_back(static_cast<int>(row)), nlp.jacobian.col.push_back(static_cast<int>(column));
      jacobian.push_back(value);
      return value * inside[column];
    };
    auto row = [&](double value, double width) {
      qp.row_lower.push_back(value - width), qp.row_upper.push_back(width > 0 ? INFINITY : value - width);
    };
    nlp.follows.assign(n, global);
    std::size_t rows = 0;
    for (std::size_t k = 0; k < N; ++k)
      for (std::size_t i = 0; i < n_x; ++i) {
        std::size_t next = n_p + (k + 1) * stride + i;
        double value = entry(rows, next, -2);  // scaled
        value += entry(rows, 0, uniform(engine));
        for (std::size_t j = 0; j < stride; ++j) value += entry(rows, n_p + k * stride + j, uniform(engine));
        row(value, 0);
        nlp.follows[next] = static_cast<int>(rows++);
      }
    double tie = entry(rows, n_p, 1) + entry(rows, n - 1, -1) + entry(rows, n - 2, 0.5);
    row(tie, 0), ++rows;
    for (std::size_t k = 0; k < N; ++k, ++rows)
      row(entry(rows, n_p + k * stride + n_x, 1) + entry(rows, n_p + k * stride, 0.3), 0.05);
    for (std::size_t v = 0; v < n; ++v) {
      hessian_pattern.row.push_back(static_cast<int>(v)), hessian_pattern.col.push_back(static_cast<int>(v));
      hessian.push_back(1 + v % 3);
      if (v > 0)
        hessian_pattern.row.push_back(static_cast<int>(v)), hessian_pattern.col.push_back(static_cast<int>(v - 1)),
            hessian.push_back(0.4 * uniform(engine));
      gradient.push_back(3 * uniform(engine));
      bool free = !bounded && nlp.follows[v] != global;
      qp.lower.push_back(free ? -INFINITY : -0.4), qp.upper.push_back(free || v % 4 == 0 ? INFINITY : 0.35);
    }
    nlp.lower = qp.lower, nlp.upper = qp.upper, nlp.row_lower = qp.row_lower, nlp.row_upper = qp.row_upper;
    qp.n = n, qp.m = rows, qp.gradient = gradient, qp.hessian = hessian, qp.jacobian = jacobian;
    qp.hessian_pattern = &hessian_pattern, qp.jacobian_pattern = &nlp.jacobian;
  }
};

/// Interior points end near the vertex: how far is a matter of their tolerance.
struct Way {
  const char* name;
  bool active_set;
  double tolerance, near, near_multipliers;
  std::unique_ptr<QuadraticSolver> make() const {
    return active_set ? active_set_solver() : interior_point_solver(dense_kkt_factors, {});
  }
  std::unique_ptr<QuadraticSolver> condensing(const Nlp& nlp) const { return condensing_solver(nlp, make(), make()); }
};

class Condensing : public ::testing::TestWithParam<Way> {};

void expect_same(const QuadraticSolution& condensed, const QuadraticSolution& whole, const Way& way) {
  ASSERT_EQ(condensed.outcome, whole.outcome);
  for (std::size_t v = 0; v < whole.d.size(); ++v) {
    EXPECT_NEAR(condensed.d[v], whole.d[v], way.near) << "variable " << v;
    EXPECT_NEAR(condensed.z_upper[v] - condensed.z_lower[v], whole.z_upper[v] - whole.z_lower[v], way.near_multipliers)
        << "bound " << v;
  }
  for (std::size_t r = 0; r < whole.lambda.size(); ++r)
    EXPECT_NEAR(condensed.lambda[r], whole.lambda[r], way.near_multipliers) << "row " << r;
}

/// The largest residual of the whole program's conditions of optimality but complementarity.
double residual(const QuadraticProgram& p, const QuadraticSolution& s) {
  std::vector<double> slope(p.gradient.begin(), p.gradient.end()), row(p.m);
  add_symmetric_product(*p.hessian_pattern, p.hessian, s.d, slope);
  add_transposed_product(*p.jacobian_pattern, p.jacobian, s.lambda, slope);
  add_product(*p.jacobian_pattern, p.jacobian, s.d, row);
  double most = 0;
  for (std::size_t v = 0; v < p.n; ++v)
    most = std::max({most, std::fabs(slope[v] + p.shift * s.d[v] - s.z_lower[v] + s.z_upper[v]), p.lower[v] - s.d[v],
                     s.d[v] - p.upper[v]});
  for (std::size_t r = 0; r < p.m; ++r) most = std::max({most, p.row_lower[r] - row[r], row[r] - p.row_upper[r]});
  return most;
}

TEST_P(Condensing, gives_the_solution_and_multipliers_of_the_whole_program) {
  for (unsigned seed = 0; seed < 20; ++seed)
    for (bool bounded : {false, true})
      for (double shift : {0.0, 0.5}) {
        SCOPED_TRACE(seed);
        ShootingProgram p(seed, bounded);
        p.qp.shift = shift;
        ASSERT_EQ(objection_to_condensing(p.nlp), "");
        QuadraticSolution condensed = GetParam().condensing(p.nlp)->solve(p.qp, GetParam().tolerance);
        ASSERT_EQ(condensed.outcome, QuadraticOutcome::optimal);
        EXPECT_LT(residual(p.qp, condensed), GetParam().near);
        for (std::size_t v = 0; v < p.qp.n; ++v)
          EXPECT_TRUE(std::isfinite(p.qp.upper[v]) || condensed.z_upper[v] == 0)
              << "no multiplier of a bound that is not there";
        expect_same(condensed, GetParam().make()->solve(p.qp, GetParam().tolerance), GetParam());
      }
}

TEST_P(Condensing, leaves_elastic_programs_to_the_other_solver) {
  ShootingProgram p(3, true);
  p.qp.row_lower[15] = p.qp.row_upper[15] = 50;  // out of reach
  EXPECT_NE(GetParam().condensing(p.nlp)->solve(p.qp, 1e-10).outcome, QuadraticOutcome::optimal);
  p.qp.elastic = true, p.qp.penalty = 10;
  QuadraticSolution s = GetParam().condensing(p.nlp)->solve(p.qp, 1e-9);
  ASSERT_EQ(s.outcome, QuadraticOutcome::optimal);
  EXPECT_NEAR(std::fabs(s.lambda[15]), 10, 1e-5);  // violated: the price
}

TEST_P(Condensing, tells_of_negative_curvature_what_the_whole_program_tells) {
  ShootingProgram p(3, true);
  for (std::size_t k = 0; k < p.hessian.size(); ++k)
    if (p.hessian_pattern.row[k] == p.hessian_pattern.col[k]) p.hessian[k] -= 6;
  QuadraticSolution whole = GetParam().make()->solve(p.qp, 1e-9),
                    condensed = GetParam().condensing(p.nlp)->solve(p.qp, 1e-9);
  ASSERT_EQ(whole.outcome, QuadraticOutcome::indefinite);
  EXPECT_EQ(condensed.outcome, QuadraticOutcome::indefinite);
  EXPECT_EQ(condensed.wanted_shift, whole.wanted_shift);
}

INSTANTIATE_TEST_SUITE_P(By, Condensing,
                         ::testing::Values(Way{"active_set", true, 1e-11, 1e-11, 1e-10},
                                           Way{"interior_point", false, 1e-13, 1e-7, 1e-6}),
                         [](const auto& info) { return info.param.name; });

TEST(CondensingObjection, says_what_is_missing_or_too_large) {
  Nlp nlp;
  nlp.lower.assign(40'000, 0);
  EXPECT_NE(objection_to_condensing(nlp).find("multiple shooting"), std::string::npos);
  nlp.follows.assign(40'000, 0);
  std::fill(nlp.follows.begin(), nlp.follows.begin() + 1000, global);
  EXPECT_NE(objection_to_condensing(nlp).find("39000 states"), std::string::npos);
}

}  // namespace
}  // namespace bolza::nlp
