// SPDX-License-Identifier: Apache-2.0
// An end that satisfies the conditions of first order in the scaling of the start is not always a minimum.
#include <gtest/gtest.h>

#include "runtime/nlp/solve.h"
#include "tests/unit/nlp/formulas.h"

namespace bolza::nlp::testing {
namespace {

using Objective = std::function<SecondOrder(X)>;

Report solved_by(const char* engine, FormulaNlp& problem) { return solve(problem.nlp, {.engine = engine}); }

/// With every engine that has exact second derivatives and MUMPS.
void expect_optimum(const Formulas& formulas, double optimum, double tolerance = 1e-6) {
  for (const char* engine : {"ipopt", "hqp"}) {
    FormulaNlp problem(formulas);
    Report report = solved_by(engine, problem);
    ASSERT_EQ(report.status, Status::solved) << engine << ": " << report.message;
    EXPECT_NEAR(report.objective, optimum, tolerance) << engine;
    EXPECT_TRUE(report.better_nearby.empty()) << engine;
  }
}

Formulas in_a_box(std::vector<double> start, const Objective& objective) {
  std::size_t n = start.size();
  return {.start = std::move(start), .lower = filled(n, -1), .upper = filled(n, 1), .objective = objective};
}

TEST(Descent, leaves_what_falls_in_the_third_order) {
  expect_optimum(in_a_box({0.5}, [](X x) { return power(x[1], 3); }), -1);
  expect_optimum(in_a_box({0}, [](X x) { return power(x[1], 3); }), -1);
  expect_optimum(in_a_box({0, 0, 0}, [](X x) { return x[1] * x[2] * x[3]; }), -1);
}

TEST(Descent, leaves_what_falls_in_the_fourth_order) {
  expect_optimum(in_a_box({0.01}, [](X x) { return square(x[1]) * (0 - square(x[1])); }), -1);
}

TEST(Descent, leaves_the_monkey_saddle) {
  Formulas monkey = in_a_box({0, 0}, [](X x) { return power(x[1], 3) - 3 * x[1] * square(x[2]); });
  FormulaNlp problem(monkey);
  EXPECT_LT(solved_by("ipopt", problem).objective, -0.99);
}

TEST(Descent, follows_equations) {
  Formulas along = in_a_box({0.5, 0.125}, [](X x) { return x[2] + 0; });
  along.rows = [](X x) -> Rows { return {x[2] - power(x[1], 3) == 0}; };
  expect_optimum(along, -1);
}

TEST(Descent, stays_where_a_flat_minimum_is_one) {
  for (const Objective& flat : {Objective([](X x) { return power(x[1] - 0.3, 4) + square(x[2]); }),
                                Objective([](X x) { return power(x[1], 4) + power(x[2] - 0.1, 4); }),
                                Objective([](X x) { return square(square(x[1]) + x[2] * 0); })}) {
    FormulaNlp problem(in_a_box({0.6, 0.5}, flat));
    Report report = solved_by("ipopt", problem);
    EXPECT_EQ(report.status, Status::solved);
    EXPECT_FALSE(report.is_saddle);
    EXPECT_NEAR(report.objective, 0, 1e-8);
  }
}

/// Scaled by its slope at the start, as a transcription does.
Report from_far(const Objective& objective, double start, double scale) {
  FormulaNlp problem({.start = {start}, .objective = objective});
  problem.nlp.objective_scale = scale;
  return solve(problem.nlp, {});
}

TEST(NewScales, solve_on_where_the_objective_is_much_flatter_than_at_the_start) {
  Report power_of_eight = from_far([](X x) { return power(x[1] - 1, 8); }, 30, 1e10);
  EXPECT_EQ(power_of_eight.status, Status::solved);
  EXPECT_LT(power_of_eight.objective, 1e-8);
  Report exponential = from_far([](X x) { return exp(x[1]) - x[1]; }, 60, 1e25);
  EXPECT_EQ(exponential.status, Status::solved);
  EXPECT_NEAR(exponential.objective, 1, 1e-8);
  Report valley = from_far([](X x) { return square(1e6 * exp(-x[1]) - 1); }, 0, 2e11);
  EXPECT_EQ(valley.status, Status::solved);
  EXPECT_LT(valley.objective, 1e-8);
}

TEST(NewScales, change_nothing_where_the_slope_is_what_it_was) {
  FormulaNlp problem({.start = {3}, .objective = [](X x) { return 1e6 * square(x[1] - 1) + 1e6 * x[1]; }});
  problem.nlp.objective_scale = 1e6;
  Report report = solve(problem.nlp, {});
  EXPECT_EQ(report.status, Status::solved);
  EXPECT_LE(report.iterations, 3);
}

/// 1 + (x − 1.5)²/10 below 2, 0.2 + (x − 1.5)²/10 from there on: the optimum is at the step.
class Step final : public Functions {
 public:
  Step() : base_({.start = {2}, .lower = {0}, .upper = {10}, .objective = [](X x) { return 0.1 * square(x[1] - 1.5); }}) {
    nlp = base_.nlp;
    nlp.functions = this;
  }
  Nlp nlp;
  void move_to(std::span<const double> w) override {
    x_ = w[0];
    base_.move_to(w);
  }
  bool objective(double& f) override {
    bool known = base_.objective(f);
    f += x_ < 2 ? 1 : 0.2;
    return known;
  }
  const double* gradient() override { return base_.gradient(); }
  const double* constraints() override { return base_.constraints(); }
  const double* jacobian() override { return base_.jacobian(); }
  const double* hessian(double sigma, std::span<const double> lambda) override { return base_.hessian(sigma, lambda); }
  const double* gauss_newton(double) override { return nullptr; }

 private:
  FormulaNlp base_;
  double x_ = 0;
};

TEST(BestPointLayer, gives_a_point_that_derivatives_lead_away_from_and_says_so) {
  Step step;
  Report report = solve(step.nlp, {});
  EXPECT_TRUE(report.passed_better);
  EXPECT_NEAR(report.objective, 0.225, 1e-9);
  EXPECT_EQ(report.iterate.w[0], 2);
}

TEST(BestPointLayer, says_nothing_of_an_end_that_is_the_best_point_that_was_seen) {
  FormulaNlp problem(
      {.start = {3, -2}, .objective = [](X x) { return 100 * square(x[2] - square(x[1])) + square(1 - x[1]); }});
  Report report = solve(problem.nlp, {});
  EXPECT_EQ(report.status, Status::solved);
  EXPECT_FALSE(report.passed_better);
}

TEST(Proof, is_claimed_of_contradicting_bounds_and_linear_rows_alone) {
  auto infeasible = [](const Formulas& formulas) {
    FormulaNlp problem(formulas);
    EngineOptions options;
    options.wants_proof = true;
    Report report = solve(problem.nlp, options);
    EXPECT_EQ(report.status, Status::infeasible);
    return report.is_proven;
  };
  EXPECT_TRUE(infeasible({.start = {0}, .lower = {2}, .upper = {1}, .objective = [](X x) { return square(x[1]); }}));
  EXPECT_TRUE(infeasible({.start = {0, 0},
                          .objective = [](X x) { return square(x[1]) + square(x[2]); },
                          .rows = [](X x) -> Rows { return {x[1] + x[2] >= 3, x[1] + x[2] <= 1}; }}));
  EXPECT_FALSE(infeasible(
      {.start = {0}, .objective = [](X x) { return x[1] + 0; }, .rows = [](X x) -> Rows { return {square(x[1]) <= -1}; }}));
}

}  // namespace
}  // namespace bolza::nlp::testing
