// SPDX-License-Identifier: Apache-2.0
// Steps of the backward differentiation formulas against a closed form, in both directions.
#include "runtime/integrate/steps/bdf_steps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "runtime/integrate/steps/bdf_record.h"

namespace bolza::integrate {
namespace {

/// y' = λ (y − cos s) − sin s, whose solution from cos is cos; its step has a closed form.
struct CosineEquations final : BdfEquations {
  double lambda = -50, rtol = 1e-6, finite_until = 1e9;
  std::size_t size = 3;
  int solved = 0;
  bool rates(double s, const double* y, double* f) override {
    for (std::size_t i = 0; i < size; ++i) f[i] = lambda * (y[i] - std::cos(s)) - std::sin(s);
    return s < finite_until;
  }
  bool correct(const Step& step) override {
    ++solved;
    for (std::size_t i = 0; i < size; ++i) {
      double f = lambda * (step.predicted[i] - std::cos(step.s)) - std::sin(step.s);
      step.e[i] = (step.gamma * f - step.c * step.slope[i]) / (1 - step.gamma * lambda);
      step.y[i] = step.predicted[i] + step.e[i];
    }
    return step.s < finite_until;
  }
  void weigh(const double* y, double* weights) override {
    for (std::size_t i = 0; i < size; ++i) weights[i] = 1 / (rtol * std::fabs(y[i]) + rtol);
  }
  double norm(const double* v, const double* weights) const override {
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += v[i] * weights[i] * v[i] * weights[i];
    return std::sqrt(sum / static_cast<double>(size));
  }
};

struct CosineRun {
  double error = 0, between = 0;  // largest at the ends of steps, and at ten points in each
  int steps = 0, order = 0;
};

CosineRun run_cosine(CosineEquations& equations, double from, double to, int highest_order = 5) {
  BdfSteps steps(equations, equations.size);
  std::vector<double> y(equations.size, std::cos(from));
  BdfSteps::Options options;
  options.highest_order = highest_order;
  steps.begin(from, to, y.data(), options);
  CosineRun out;
  while (steps.reached() != to && out.steps < 100000) {
    double before = steps.reached();
    EXPECT_TRUE(steps.step());
    ++out.steps, out.order = std::max(out.order, steps.order());
    out.error = std::max(out.error, std::fabs(steps.y()[1] - std::cos(steps.reached())));
    for (int k = 0; k <= 10; ++k) {
      double s = before + k * (steps.reached() - before) / 10;
      steps.at(s, y.data(), 1, 1);
      out.between = std::max(out.between, std::fabs(y[0] - std::cos(s)));
    }
  }
  return out;
}

TEST(BdfSteps, follow_a_closed_form_within_their_tolerance_and_end_where_they_stop) {
  for (double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
    CosineEquations equations;
    equations.rtol = rtol;
    CosineRun r = run_cosine(equations, 0, 20);
    EXPECT_LT(r.error, 20 * rtol) << rtol;  // stiff: errors are damped, so that they do not grow with the number of steps
    EXPECT_LT(r.between, 40 * rtol) << rtol;
    EXPECT_GT(r.error, 1e-3 * rtol) << rtol;
  }
}

TEST(BdfSteps, become_fewer_with_the_tolerance_as_their_order_says) {
  CosineEquations coarse, fine;
  coarse.rtol = 1e-5, fine.rtol = 1e-9;
  for (int order : {2, 5}) {
    CosineRun a = run_cosine(coarse, 0, 20, order), b = run_cosine(fine, 0, 20, order);
    EXPECT_EQ(a.order, order);
    EXPECT_EQ(b.order, order);
    double expected = std::pow(1e4, 1.0 / (order + 1)), found = static_cast<double>(b.steps) / a.steps;
    EXPECT_GT(found, 0.6 * expected) << order;
    EXPECT_LT(found, 1.6 * expected) << order;
  }
}

TEST(BdfSteps, go_backwards) {
  CosineEquations equations;
  equations.lambda = 50, equations.rtol = 1e-8;
  CosineRun r = run_cosine(equations, 20, 0);
  EXPECT_LT(r.error, 2e-7);
  EXPECT_EQ(r.order, 5);
}

TEST(BdfSteps, take_shorter_steps_where_no_solution_is_found_and_fail_when_there_is_none) {
  CosineEquations equations;
  equations.finite_until = 1;
  BdfSteps steps(equations, equations.size);
  std::vector<double> y(equations.size, 1.0);
  steps.begin(0, 2, y.data(), {});
  int count = 0;
  while (count < 10000 && steps.step()) ++count;
  EXPECT_LT(steps.reached(), 1.0);
  EXPECT_GT(steps.reached(), 0.9);
  EXPECT_NEAR(steps.y()[0], std::cos(steps.reached()), 2e-5);
}

TEST(BdfRecord, gives_the_run_back_from_either_side) {
  CosineEquations equations;
  equations.rtol = 1e-8;
  BdfSteps steps(equations, equations.size);
  std::vector<double> y(equations.size, 1.0);
  steps.begin(0, 10, y.data(), {});
  BdfRecord record;
  record.clear(2);
  while (steps.reached() < 10) {
    ASSERT_TRUE(steps.step());
    record.add(steps);
  }
  EXPECT_GT(record.bytes(), 0u);
  for (int k = 0; k <= 2000; ++k)
    for (double s : {k * 0.005, 10 - k * 0.005, k % 2 ? 9.9 : 0.1}) {
      record.at(s, y.data());
      ASSERT_NEAR(y[1], std::cos(s), 4e-7) << s;
    }
}

}  // namespace
}  // namespace bolza::integrate
