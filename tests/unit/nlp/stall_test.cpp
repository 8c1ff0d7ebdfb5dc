// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/stall.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bolza::nlp {
namespace {

constexpr double tol = 1e-8, noise = 1e-14;

TEST(StallWatch, ends_where_nothing_changes_for_twenty_iterations) {
  StallWatch watch(tol, noise);
  int iterations = 0;
  auto error = [&](int k) { return 1e-10 * std::sin(7.0 * k); };
  while (!watch.look(3.18 + error(iterations), 1e-12, 1e-6 + error(iterations))) ASSERT_LT(++iterations, 100);
  EXPECT_EQ(iterations, 20);  // after the first, which is progress
}

TEST(StallWatch, waits_while_the_objective_moves_as_little_as_it_may) {
  StallWatch watch(tol, noise);
  for (int k = 0; k < 500; ++k) EXPECT_FALSE(watch.look(1 + 2e-10 * k, 0, 1e-3)) << k;
}

TEST(StallWatch, waits_while_a_residual_comes_down_now_and_then) {
  StallWatch watch(tol, noise);
  for (int k = 0; k < 200; ++k) EXPECT_FALSE(watch.look(1, 0, std::pow(0.85, k / 15))) << k;
}

TEST(StallWatch, waits_while_violations_or_the_barrier_come_down) {
  StallWatch violations(tol, noise), barrier(tol, noise);
  for (int k = 0; k < 200; ++k) EXPECT_FALSE(violations.look(1, std::pow(0.85, k / 15), 1)) << k;
  for (int k = 0; k < 200; ++k) EXPECT_FALSE(barrier.look(1, 0, 1, std::pow(0.1, k / 15))) << k;
}

TEST(StallWatch, does_not_take_violations_below_the_tolerance_for_progress) {
  StallWatch watch(tol, noise);
  int iterations = 0;
  while (!watch.look(1, 1e-9 * std::pow(0.4, iterations), 1e-6)) ASSERT_LT(++iterations, 100);
  EXPECT_EQ(iterations, 20);
}

TEST(StallWatch, knows_small_objectives_and_large_noise) {
  StallWatch small(tol, noise), noisy(tol, 1e-7);
  for (int k = 0; k < 100; ++k) EXPECT_FALSE(small.look(1e-9 * std::pow(0.9, k), 0, 1e-3)) << k;
  int iterations = 0;
  while (!noisy.look(1 + 1e-9 * iterations, 0, 1e-3)) ASSERT_LT(++iterations, 100);
  EXPECT_EQ(iterations, 20);
}

TEST(StallWatch, begins_anew_after_a_reset) {
  StallWatch watch(tol, noise);
  for (int k = 0; k < 20; ++k) EXPECT_FALSE(watch.look(1, 0, 1e-6));
  watch.reset();
  for (int k = 0; k < 20; ++k) EXPECT_FALSE(watch.look(1, 0, 1e-6)) << k;
  EXPECT_TRUE(watch.look(1, 0, 1e-6));
}

}  // namespace
}  // namespace bolza::nlp
