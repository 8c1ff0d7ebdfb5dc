// SPDX-License-Identifier: Apache-2.0
// Short features of time in the equations: steps may not pass over them.
#include "runtime/integrate/events/time_features.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/support/hand_hybrid.h"

namespace bolza::integrate {
namespace {

using bolza::testing::HandHybrid;
using bolza::testing::NoEvents;

/// x' = b(time), a bell of 0.02 around 37 or a sine; y' = y.
struct BellOrSine : NoEvents {
  static constexpr std::size_t nx = 2, np = 3, n_free = 2;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    T bell = exp(T(0) - (w[0] - T(37)) * (w[0] - T(37)) / T(4e-4));
    r[0] = p[2] * bell + (T(1) - p[2]) * sin(w[0]);
    r[1] = w[2];
  }
};

TimeFeatures features_of(double bell) {
  HandHybrid<BellOrSine> hand;
  hand.horizon(0, 100);
  hand.build();
  nonlinear::ModelAt model(hand.problem, hand.model, hand.shared);
  model.shared[2] = bell;
  std::vector<double> x{0, 1};
  return {model, {0, x.data(), nullptr, nullptr}, 100};
}

TEST(TimeFeatures, keep_steps_from_passing_over_a_bell) {
  TimeFeatures features = features_of(1);
  ASSERT_TRUE(features.any());
  double t = 0;
  int steps = 0, within = 0;
  for (; t < 100 && steps < 1000; ++steps) {
    t += features.longest_step(t);
    within += std::fabs(t - 37) < 0.05;
  }
  EXPECT_LT(steps, 200);
  EXPECT_GE(within, 8);
  EXPECT_LT(features.longest_step(0), 37);
  EXPECT_GT(features.longest_step(0), 30);
}

TEST(TimeFeatures, are_none_where_all_is_as_dense) { EXPECT_FALSE(features_of(0).any()); }

}  // namespace
}  // namespace bolza::integrate
