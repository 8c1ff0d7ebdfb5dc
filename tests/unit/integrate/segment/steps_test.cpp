// SPDX-License-Identifier: Apache-2.0
// Segments on every integrator that has derivatives of its own steps: adjoint, tangent and differences with the steps held;
// orders of convergence of the gradients.
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/integrate/segment/segment.h"
#include "tests/unit/support/hand_second.h"
#include "tests/unit/support/hand_series.h"
#include "tests/unit/support/known_models.h"
#include "tests/unit/support/segment_derivatives.h"

namespace bolza::integrate {
namespace {

using bolza::testing::HandProblem;
using bolza::testing::HandSecond;
using bolza::testing::HandSeries;
using bolza::testing::Mixed;
using bolza::testing::Reaction;

std::vector<const Method*> methods_with_steps() {
  std::vector<const Method*> out;
  for (const Method* m : methods())
    if (m->discrete()) out.push_back(m);
  return out;
}

class OwnSteps : public ::testing::TestWithParam<std::tuple<const Method*, bool>> {};

TEST_P(OwnSteps, adjoint_tangent_and_differences_with_the_steps_held_agree) {
  auto [method, linear] = GetParam();
  HandProblem<Mixed> hand;
  hand.horizon(0.3, 1.5), hand.parameter(2, 1.2);
  HandSecond<Mixed> second(hand);
  HandSeries<Mixed> series(hand);
  hand.build();
  ReducedModel model(hand.problem, hand.model);
  Segment segment(model, {.rtol = 1e-5, .linear_control = linear, .method = method});
  bolza::testing::compare_derivatives(model, segment, linear, {});
}

INSTANTIATE_TEST_SUITE_P(Methods, OwnSteps, ::testing::Combine(::testing::ValuesIn(methods_with_steps()), ::testing::Bool()),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)->name) +
                                  (std::get<1>(info.param) ? "_linear" : "_constant");
                         });

// Error of the gradient of x(2) by x0 and p, x0 = 1.5, p = 0.8.
double gradient_error(const Method& method, double step) {
  HandProblem<Reaction> hand;
  hand.horizon(0, 2), hand.parameter(2, 0.8);
  HandSecond<Reaction> second(hand);
  HandSeries<Reaction> series(hand);
  hand.build();
  ReducedModel model(hand.problem, hand.model);
  model.at().shared = hand.shared;
  SegmentOptions o{.method = &method, .fixed_step = step};
  if (method.name == "taylor") o.method_options.max_order = 4;
  Segment segment(model, o);
  std::vector<double> x{1.5}, q, lambda{1}, gradient(segment.inputs());
  EXPECT_TRUE(segment.forward({0, 2}, {}, {}, x, q));
  EXPECT_TRUE(segment.adjoint(lambda, {}, gradient));
  double below = 1 + 0.8 * 1.5 * 2, by_x0 = 1 / (below * below), by_p = -1.5 * 1.5 * 2 / (below * below);
  return std::max(std::fabs(lambda[0] - by_x0), std::fabs(gradient[2] - by_p));
}

TEST(OwnSteps, gradients_converge_with_the_order_of_the_method) {
  for (const Method* m : methods_with_steps()) {
    int order = m->name == "taylor" ? 4 : m->order_high;
    double h = m->name == "adams" ? 0.02 : order >= 5 ? 0.2 : order >= 4 ? 0.05 : 0.01;
    double observed = std::log2(gradient_error(*m, h) / gradient_error(*m, h / 2));
    EXPECT_GT(observed, order - 0.4) << m->name;  // the next term of the error
  }
}

}  // namespace
}  // namespace bolza::integrate
