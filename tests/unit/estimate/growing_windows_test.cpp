// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/growing_windows.h"

#include <gtest/gtest.h>

#include <cmath>

#include "runtime/estimate/run.h"
#include "tests/unit/transcribe/hand_problem.h"

namespace bolza::estimate {
namespace {

using bolza::testing::given;
using bolza::testing::HandProblem;

/// x'' = −w² x, x(0) = 1, measured over eight periods of w = 3.
struct Oscillator {
  HandProblem h;
  Estimation estimation;

  Oscillator() {
    auto rates = [](auto* p, auto* s, auto* r) { r[0] = 1.0 * p[2], r[1] = -s[2] * s[2] * p[1]; };
    std::vector<bolza_variable> shared{given("t0", 0), given("tf", 1), HandProblem::guessed("w", 1)};
    h.model({{HandProblem::started("x", 1), HandProblem::started("v", 0)}, {}, {}, shared},
            h.function<rates, 3, 3, 0, 2>("rates"), nullptr, nullptr, nullptr, {0, 1, 1});
    h.parameters(shared);
    h.phase(0, {0, 1, 2});
    Parameter w;
    w.name = "w", w.value = 1, w.lower = 0.1, w.upper = 10;
    estimation.parameters = {w};
    Observable x;
    x.name = "x", x.value = {ModelValue::Kind::point, 1, 1, 0};
    estimation.observables = {x};
    estimation.common = {{2, 0, 0}};
    Experiment e;
    for (int k = 1; k <= 160; ++k) {
      Measurement m;
      m.time = 0.1 * k, m.value = std::cos(3 * m.time);
      e.measurements.push_back(m);
    }
    estimation.experiments = {e};
  }
};

FitOptions trust_region() {
  FitOptions options;
  options.engine.engine = "trust-region", options.engine.hessian = nlp::Hessian::gauss_newton;
  return options;
}

TEST(GrowingWindows, find_a_frequency_that_all_measurements_at_once_do_not) {
  Oscillator o;
  EstimateRequest request;
  request.fit = trust_region(), request.curve_points = 0;
  request.windows.halvings = 0;
  EXPECT_GT(std::abs(estimate(o.h.problem, o.estimation, request).fit.theta[0] - 3), 0.1);
  request.windows = {};
  EstimateResult result = estimate(o.h.problem, o.estimation, request);
  EXPECT_EQ(result.windows, 4u);
  EXPECT_NEAR(result.fit.theta[0], 3, 1e-5);
  EXPECT_EQ(result.fit.at.simulated.size(), 160u);
}

TEST(GrowingWindows, compute_at_their_end_what_was_asked_for_and_no_more) {
  Oscillator o;
  FitOptions fit_options = trust_region();
  fit_options.engine.hessian = nlp::Hessian::lbfgs;
  fit_options.engine.max_iterations = 1;
  for (Order order : {Order::gradient, Order::fisher}) {
    fit_options.order_at_end = order;
    Fit grown = fit_in_growing_windows(o.h.problem, o.estimation, {}, fit_options, std::vector<double>{2.9}, 1);
    ASSERT_TRUE(grown.at.good);
    EXPECT_EQ(grown.at.gradient.size(), 1);
    EXPECT_EQ(grown.at.fisher.size(), order == Order::fisher ? 1 : 0);
  }
}

TEST(GrowingWindows, that_are_interrupted_leave_no_likelihood_of_a_part) {
  Oscillator o;
  static volatile bool interrupt;
  interrupt = false;
  EstimatorOptions options;
  FitOptions fit_options = trust_region();
  options.budget = fit_options.engine.budget = Budget(&interrupt);
  fit_options.engine.progress = [](void*, const nlp::EngineProgress&) { interrupt = true; };
  Fit cut = fit_in_growing_windows(o.h.problem, o.estimation, options, fit_options, std::vector<double>{1}, 4);
  EXPECT_TRUE(was_cut_short(cut.status));
  EXPECT_FALSE(cut.at.good);
  EXPECT_TRUE(cut.at.simulated.empty());
}

}  // namespace
}  // namespace bolza::estimate
