// SPDX-License-Identifier: Apache-2.0
// An engine that is stopped gives the best point that it saw, not the last.
#include "runtime/nlp/best_point.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/nlp/engine_table.h"
#include "runtime/nlp/solve.h"
#include "tests/unit/nlp/small_nlp.h"

namespace bolza::nlp {
namespace {

double violation(testing::Hs071& problem, const Report& report) {
  problem.move_to(report.iterate.w);
  const double* g = problem.constraints();
  double worst = 0;
  for (std::size_t r = 0; r < problem.nlp.m(); ++r)
    worst = std::max({worst, (problem.nlp.row_lower[r] - g[r]) / problem.nlp.row_scale[r],
                      (g[r] - problem.nlp.row_upper[r]) / problem.nlp.row_scale[r]});
  return worst;
}

/// The points seen in k iterations are among those of k + 1.
TEST(BestPoint, is_never_worse_after_more_iterations) {
  for (const Engine* engine : engines()) {
    if (!engine->constraints || !engine->available() || engine->integers == Integers::own) continue;
    double violated = testing::inf, objective = testing::inf;
    for (int limit = 1; limit < 12; ++limit) {
      testing::Hs071 problem;
      EngineOptions options;
      options.engine = engine->name;
      options.max_iterations = limit;
      Report report = solve(problem.nlp, options);
      if (is_solution(report.status) || report.status == Status::bad_option) break;  // nlsq takes sums of squares alone
      ASSERT_EQ(report.status, Status::iteration_limit) << engine->name << ": " << report.message;
      double now = violation(problem, report), f = 0;
      problem.objective(f);
      EXPECT_NEAR(f, report.objective, 1e-12 * std::abs(f)) << engine->name;
      bool holds = now <= 2e-6, held = violated <= 2e-6;
      if (holds && held) EXPECT_LE(f, objective) << engine->name << " after " << limit;
      else EXPECT_LE(now, violated * (1 + 1e-6)) << engine->name << " after " << limit;
      violated = now, objective = f;
    }
  }
}

/// An engine that goes from a point that holds to worse ones.
class Walk final : public Functions {
 public:
  void move_to(std::span<const double> w) override { x = w[0]; }
  bool objective(double& f) override { return f = x, true; }
  const double* gradient() override { return &one; }
  const double* constraints() override { return &x; }
  const double* jacobian() override { return &one; }
  const double* hessian(double, std::span<const double>) override { return &one; }
  const double* gauss_newton(double) override { return nullptr; }
  double x = 0, one = 1;
};

TEST(BestPoint, prefers_what_holds_and_then_what_is_less) {
  Walk walk;
  Nlp nlp;
  nlp.lower = {-testing::inf}, nlp.upper = {testing::inf}, nlp.row_lower = {1}, nlp.row_upper = {testing::inf};
  nlp.functions = &walk;
  for (Status status : {Status::iteration_limit, Status::solved, Status::infeasible}) {
    BestPoint best(nlp, 1e-8);
    Report report;
    report.status = status;
    for (double x : {0.5, 3.0, 2.0, 2.5, 0.9}) {
      double f = 0;
      report.iterate.w = {x}, report.objective = x;
      best.move_to(report.iterate.w);
      best.objective(f), best.constraints();
    }
    best.take_its_place(report);
    EXPECT_EQ(report.iterate.w[0], status == Status::iteration_limit ? 2 : 0.9);
    EXPECT_EQ(report.objective, report.iterate.w[0]);
  }
}

TEST(BestPoint, holds_in_whole_numbers_only_where_a_variable_takes_no_others) {
  Walk walk;
  Nlp nlp;
  nlp.lower = {-testing::inf}, nlp.upper = {testing::inf}, nlp.row_lower = {1}, nlp.row_upper = {testing::inf};
  nlp.integer = {1};
  nlp.functions = &walk;
  BestPoint best(nlp, 1e-8);
  Report report;
  report.status = Status::time_limit;
  for (double x : {1.5, 3.0, 2.0 + 1e-9, 1.25}) {
    double f = 0;
    report.iterate.w = {x}, report.objective = x;
    best.move_to(report.iterate.w);
    best.objective(f), best.constraints();
  }
  best.take_its_place(report);
  EXPECT_EQ(report.iterate.w[0], 2.0 + 1e-9);
}

TEST(BestPoint, is_the_least_violation_where_nothing_holds) {
  Walk walk;
  Nlp nlp;
  nlp.lower = {-testing::inf}, nlp.upper = {testing::inf}, nlp.row_lower = {10}, nlp.row_upper = {testing::inf};
  nlp.functions = &walk;
  BestPoint best(nlp, 1e-8);
  Report report;
  report.status = Status::time_limit;
  for (double x : {0.5, 3.0, 2.0}) {
    double f = 0;
    report.iterate.w = {x}, report.objective = x;
    best.move_to(report.iterate.w);
    best.constraints(), best.objective(f);
  }
  best.take_its_place(report);
  EXPECT_EQ(report.iterate.w[0], 3);
}

}  // namespace
}  // namespace bolza::nlp
