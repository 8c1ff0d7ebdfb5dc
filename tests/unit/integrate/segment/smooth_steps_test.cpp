// SPDX-License-Identifier: Apache-2.0
// Derivatives that count how the lengths of steps move, against differences of the objective with the steps chosen again.
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/integrate/segment/segment.h"
#include "tests/unit/support/hand_second.h"
#include "tests/unit/support/known_models.h"
#include "tests/unit/support/segment_derivatives.h"

namespace bolza::integrate {
namespace {

using bolza::testing::HandProblem;
using bolza::testing::HandSecond;

struct MixedForSmoothSteps : bolza::testing::Mixed {  // faster
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    r[0] = w[3] * p[2] - w[1] + sin(w[0] * T(4)) * w[4];
    r[1] = w[1] * w[2] * T(0.3) - w[2] * T(6) + w[4] * w[4] + p[1] * T(0.1);
    r[2] = w[1] * w[1] + w[4] * w[4] * w[0];
  }
};

// first: 0: the default; else a first attempt that is rejected
void compare(const char* name, double first, bool linear) {
  SCOPED_TRACE(std::string(name) + (first > 0 ? " with rejected attempts" : ""));
  HandProblem<MixedForSmoothSteps> hand;
  hand.horizon(0.3, 1.5), hand.parameter(2, 1.2);
  HandSecond<MixedForSmoothSteps> second(hand);
  hand.build();
  ReducedModel model(hand.problem, hand.model);
  SegmentOptions o{.rtol = 1e-4, .linear_control = linear, .method = find_method(name)};
  o.method_options.steps = "smooth", o.method_options.initial_step = first;
  Segment segment(model, o);
  // the steps are chosen again: rounding 1e-16/step, truncation step⁴
  bolza::testing::compare_derivatives(model, segment, linear,
                                      {.step = 1e-5, .tangent = 1e-10, .quotient = 1e-8, .hold_steps = false});
}

TEST(SmoothSteps, their_lengths_take_part_in_the_gradient) {
  for (const char* name : {"adams", "enright", "enright_semi"})
    for (bool linear : {false, true}) compare(name, 0, linear);
}

TEST(SmoothSteps, attempts_that_were_rejected_take_part) {
  for (const char* name : {"adams", "enright", "enright_semi"}) compare(name, 0.4, true);
}

// The same gradient in the end: what the lengths add goes with the error of the steps.
TEST(SmoothSteps, the_gradient_converges_to_that_of_the_equations) {
  HandProblem<MixedForSmoothSteps> hand;
  hand.horizon(0.3, 1.5), hand.parameter(2, 1.2);
  HandSecond<MixedForSmoothSteps> second(hand);
  hand.build();
  ReducedModel model(hand.problem, hand.model);
  model.at().shared = hand.shared;
  auto gradient_of = [&](const char* steps, double rtol) {
    SegmentOptions o{.rtol = rtol, .method = find_method("adams")};
    o.method_options.steps = steps;
    Segment segment(model, o);
    std::vector<double> x{0.7, -0.4}, q{0}, u{0.5}, lambda{1, 1.5}, gradient(segment.inputs());
    EXPECT_TRUE(segment.forward({0.4, 0.9}, u, u, x, q));
    EXPECT_TRUE(segment.adjoint(lambda, std::vector<double>{0.7}, gradient));
    return lambda[0];
  };
  double exact = gradient_of("frozen", 1e-10);
  EXPECT_NEAR(gradient_of("smooth", 1e-3), exact, 0.05) << "of the numbers computed, with their error";
  EXPECT_NEAR(gradient_of("smooth", 1e-8), exact, 1e-6) << "which goes with the tolerance";
}

}  // namespace
}  // namespace bolza::integrate
