#include "runtime/nlp/stall.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bolza::nlp {
namespace {

constexpr double tol = 1e-8;

TEST(StallWatch, ends_where_nothing_changes_for_twenty_iterations) {
  StallWatch watch(tol);
  int iterations = 0;
  auto noise = [&](int k) { return 1e-10 * std::sin(7.0 * k); };
  while (!watch.look(3.18 + noise(iterations), 1e-12, 1e-6 + noise(iterations))) ASSERT_LT(++iterations, 100);
  EXPECT_EQ(iterations, 20);  // after the first, which is progress
}

TEST(StallWatch, waits_while_the_objective_moves_as_little_as_it_may) {
  StallWatch watch(tol);
  for (int k = 0; k < 500; ++k) EXPECT_FALSE(watch.look(1 + 2e-10 * k, 0, 1e-3)) << k;
}

TEST(StallWatch, waits_while_a_residual_is_halved_now_and_then) {
  StallWatch watch(tol);
  for (int k = 0; k < 200; ++k) EXPECT_FALSE(watch.look(1, 0, std::pow(0.4, k / 15))) << k;
}

TEST(StallWatch, waits_while_violations_or_the_barrier_come_down) {
  StallWatch violations(tol), barrier(tol);
  for (int k = 0; k < 200; ++k) EXPECT_FALSE(violations.look(1, std::pow(0.4, k / 15), 1)) << k;
  for (int k = 0; k < 200; ++k) EXPECT_FALSE(barrier.look(1, 0, 1, std::pow(0.1, k / 15))) << k;
}

TEST(StallWatch, does_not_take_violations_below_the_tolerance_for_progress) {
  StallWatch watch(tol);
  int iterations = 0;
  while (!watch.look(1, 1e-9 * std::pow(0.4, iterations), 1e-6)) ASSERT_LT(++iterations, 100);
  EXPECT_EQ(iterations, 20);
}

TEST(StallWatch, begins_anew_after_a_reset) {
  StallWatch watch(tol);
  for (int k = 0; k < 20; ++k) EXPECT_FALSE(watch.look(1, 0, 1e-6));
  watch.reset();
  for (int k = 0; k < 20; ++k) EXPECT_FALSE(watch.look(1, 0, 1e-6)) << k;
  EXPECT_TRUE(watch.look(1, 0, 1e-6));
}

}  // namespace
}  // namespace bolza::nlp
