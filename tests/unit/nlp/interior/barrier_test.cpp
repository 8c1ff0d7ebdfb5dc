// SPDX-License-Identifier: Apache-2.0
// What the engine `barrier` does besides what every engine does (tests/unit/nlp/conformance): its factors without MUMPS, its
// rules for the barrier parameter, restorations, warm starts, several solves at once.
#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "runtime/nlp/solve.h"
#include "tests/unit/nlp/formulas.h"
#include "tests/unit/nlp/hock_schittkowski/hock_schittkowski.h"

namespace bolza::nlp::testing {
namespace {

EngineOptions without_mumps() {
  EngineOptions options{.engine = "barrier"};
  options.linear_solver = LinearSolver::automatic;
  options.max_iterations = 300;
  return options;
}

bool reaches_optimum(const HockSchittkowski& hs, const Report& report) {
  auto near = [&](double f) { return std::abs(report.objective - f) <= 2e-6 * std::max(1.0, std::abs(f)); };
  return (report.status == Status::solved || report.status == Status::acceptable) &&
         (near(hs.optimum) || std::any_of(hs.other_optima.begin(), hs.other_optima.end(), near));
}

TEST(Barrier, solves_the_examples_of_hock_and_schittkowski_without_mumps) {
  int solved = 0;
  for (const HockSchittkowski& hs : hock_schittkowski()) {
    FormulaNlp problem(hs.formulas);
    Report report = solve(problem.nlp, without_mumps());
    EXPECT_EQ(report.linear_algebra.mumps, 0) << "HS" << hs.number;
    solved += reaches_optimum(hs, report);
    if (hs.number != 13) {
      EXPECT_TRUE(reaches_optimum(hs, report)) << "HS" << hs.number << ": " << report.message;
    }
  }
  EXPECT_GE(solved, 98);
}

TEST(Barrier, solves_with_every_rule_for_an_adaptive_barrier) {
  for (const char* oracle : {"quality-function", "loqo", "probing"})
    for (const HockSchittkowski& hs : hock_schittkowski()) {
      if (hs.number % 7 != 1 && hs.number != 71) continue;
      FormulaNlp problem(hs.formulas);
      EngineOptions options = without_mumps();
      options.engine_options = {{"mu_strategy", "adaptive"}, {"mu_oracle", oracle}};
      Report report = solve(problem.nlp, options);
      EXPECT_TRUE(reaches_optimum(hs, report)) << oracle << ", HS" << hs.number << ": " << report.message;
    }
}

/// min x1 with x1² − x2 = 1, x1 − x3 = 1/2, x2, x3 >= 0: from x1 < 0 line searches that keep linearised rows and bounds end
/// at points where nothing is stationary (Wächter and Biegler, Math. Prog. 88, 2000). The only feasible point with the least
/// x1 is (1, 0, 1/2); the sum of violations has another local minimum at (−1, 0, 0): its slope is −1 before it and 1 after
/// it.
TEST(Barrier, ends_at_stationary_points_where_line_searches_without_a_restoration_do_not) {
  for (std::vector<double> start : {std::vector<double>{-2, 3, 1}, {-2, 1, 1}, {-4, 1, 1}, {2, 3, 1}, {0, 0.1, 0.1}}) {
    FormulaNlp problem({.start = start,
                        .lower = {-infinite, 0, 0},
                        .objective = [](X x) { return x[1]; },
                        .rows = [](X x) -> Rows { return {square(x[1]) - x[2] == 1, x[1] - x[3] == 0.5}; }});
    Report report = solve(problem.nlp, without_mumps());
    if (start[0] < 0 && report.status == Status::infeasible) {
      EXPECT_NEAR(report.iterate.w[0], -1, 1e-3);
      EXPECT_NEAR(report.iterate.w[1], 0, 1e-3);
      EXPECT_NEAR(report.iterate.w[2], 0, 1e-3);
      continue;
    }
    ASSERT_EQ(report.status, Status::solved) << report.message;
    EXPECT_NEAR(report.objective, 1, 1e-7);
    EXPECT_NEAR(report.iterate.w[2], 0.5, 1e-7);
    // ∇L = 0: 1 + 2 λ1 + λ2 = 0 with z3 = 0, so λ2 = 0, λ1 = −1/2 and z2 = 1/2
    EXPECT_NEAR(report.iterate.lambda[0], -0.5, 1e-6);
    EXPECT_NEAR(report.iterate.z_lower[1], 0.5, 1e-6);
  }
}

TEST(Barrier, ends_at_the_least_violation_where_rows_contradict_each_other) {
  // |x|² <= 1 and x1 + x2 >= 3; the least sum of violations on the line x1 = x2 is where 2 x² − 1 + 3 − 2 x is least beyond
  // the circle: on the circle
  FormulaNlp problem({.start = {0.1, 0.3},
                      .objective = [](X x) { return square(x[1] - 4); },
                      .rows = [](X x) -> Rows { return {square(x[1]) + square(x[2]) <= 1, x[1] + x[2] >= 3}; }});
  Report report = solve(problem.nlp, without_mumps());
  EXPECT_EQ(report.status, Status::infeasible) << report.message;
  EXPECT_NEAR(report.iterate.w[0], std::sqrt(0.5), 1e-3);
  EXPECT_NEAR(report.iterate.w[1], std::sqrt(0.5), 1e-3);
}

/// Σ x_k² + u_k² with x_{k+1} = x_k + u_k, x_0 = 1: the optimum is that of Riccati's recursion.
class Regulator {
 public:
  static constexpr int N = 9;
  explicit Regulator(double least_u = -infinite)
      : problem({.start = std::vector<double>(2 * N + 1, 0.1),
                 .lower = lower(least_u),
                 .objective =
                     [](X x) {
                       SecondOrder sum = square(x[2 * N + 1]);
                       for (int k = 0; k < N; ++k) sum = sum + square(x[2 * k + 1]) + square(x[2 * k + 2]);
                       return sum;
                     },
                 .rows =
                     [](X x) {
                       Rows rows{x[1] == 1};
                       for (int k = 0; k < N; ++k) rows.push_back(x[2 * k + 3] - x[2 * k + 1] - x[2 * k + 2] == 0);
                       return rows;
                     }}) {
    Nlp& nlp = problem.nlp;
    nlp.hessian = {};
    for (std::int32_t v = 0; v < 2 * N + 1; ++v) {
      nlp.hessian.row.push_back(v);
      nlp.hessian.col.push_back(v);
      nlp.interval[static_cast<std::size_t>(v)] = std::min(v / 2, N - 1);
      nlp.role[static_cast<std::size_t>(v)] = v % 2 == 0 ? VariableRole::mesh_state : VariableRole::control;
    }
    for (std::int32_t r = 0; r < N + 1; ++r) nlp.row_interval[static_cast<std::size_t>(r)] = std::max(0, r - 1);
  }
  static double optimum() {
    double P = 1;
    for (int k = 0; k < N; ++k) P = 1 + P - P * P / (1 + P);
    return P;
  }
  FormulaNlp problem;

 private:
  static std::vector<double> lower(double least_u) {
    std::vector<double> out(2 * N + 1, -infinite);
    for (int k = 0; k < N; ++k) out[static_cast<std::size_t>(2 * k + 1)] = least_u;
    return out;
  }
};

TEST(Barrier, takes_the_chain_of_intervals) {
  Regulator regulator;
  EngineOptions options = without_mumps();
  options.linear_solver = LinearSolver::chain;
  Report report = solve(regulator.problem.nlp, options);
  ASSERT_EQ(report.status, Status::solved) << report.message;
  EXPECT_NEAR(report.objective, Regulator::optimum(), 1e-9);
  // the costate of x_0 is 2 P_0, with the sign of the row x_0 = 1
  EXPECT_NEAR(report.iterate.lambda[0], -2 * Regulator::optimum(), 1e-7);
  EXPECT_TRUE(report.linear_algebra.is_chain);
  EXPECT_GT(report.linear_algebra.chain + report.linear_algebra.pivots, 0);
  EXPECT_EQ(report.linear_algebra.mumps, 0);
}

TEST(Barrier, gives_the_same_by_mumps_by_the_chain_and_by_one_stage) {
  std::vector<double> found;
  for (LinearSolver solver : {LinearSolver::mumps, LinearSolver::chain, LinearSolver::automatic}) {
    Regulator regulator(-0.2);
    EngineOptions options = without_mumps();
    options.linear_solver = solver;
    Report report = solve(regulator.problem.nlp, options);
    ASSERT_EQ(report.status, Status::solved) << report.message;
    EXPECT_EQ(report.linear_algebra.mumps > 0, solver == LinearSolver::mumps);
    found.push_back(report.objective);
  }
  EXPECT_NEAR(found[0], found[1], 1e-9);
  EXPECT_NEAR(found[0], found[2], 1e-9);
  EXPECT_GT(found[0], Regulator::optimum() + 1e-3);  // the bound costs something
}

TEST(Barrier, ends_in_few_iterations_from_points_and_multipliers_of_a_neighbour) {
  Regulator regulator(-0.2), neighbour(-0.2001);
  Report cold = solve(regulator.problem.nlp, without_mumps());
  EngineOptions options = without_mumps();
  options.warm_start = true;
  Report warm = solve(neighbour.problem.nlp, options, &cold.iterate);
  EXPECT_EQ(warm.status, Status::solved) << warm.message;
  EXPECT_LE(warm.iterations, 4);
  EXPECT_LT(warm.iterations, cold.iterations);
}

TEST(Barrier, solves_on_two_threads_at_once_as_on_one) {
  auto work = [](std::vector<double>& found) {
    for (int round = 0; round < 10; ++round) {
      Regulator regulator(-0.2);
      EngineOptions options = without_mumps();
      options.linear_solver = LinearSolver::chain;
      found.push_back(solve(regulator.problem.nlp, options).objective);
    }
  };
  std::vector<double> alone, here, beside;
  work(alone);
  std::thread other(work, std::ref(beside));
  work(here);
  other.join();
  EXPECT_EQ(here, alone);
  EXPECT_EQ(beside, alone);
}

}  // namespace
}  // namespace bolza::nlp::testing
