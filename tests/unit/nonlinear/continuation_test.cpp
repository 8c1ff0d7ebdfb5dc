// SPDX-License-Identifier: Apache-2.0
#include "runtime/nonlinear/continuation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bolza::nonlinear {
namespace {

TEST(Continuation, it_turns_round_a_fold_to_the_other_branch) {
  std::vector<double> size{1};
  // w³ − 3w + 2.1 = 0 from the fold at w = 1: the only solution is beyond −1
  Equations cubic{
      1, 1, size,
      [](std::span<const double> w, std::span<double> r) { return r[0] = w[0] * w[0] * w[0] - 3 * w[0] + 2.1, true; },
      [](std::span<const double> w, std::vector<Entry>& entries) {
        return entries.push_back({0, 0, 3 * w[0] * w[0] - 3}), true;
      }};
  std::vector<double> w{1.01};
  NewtonReport report = solve_by_continuation(cubic, w);
  ASSERT_TRUE(report.converged());
  EXPECT_NEAR(w[0] * w[0] * w[0] - 3 * w[0] + 2.1, 0, 1e-12);
  EXPECT_LT(w[0], -2);
}

TEST(Continuation, it_passes_kinks_and_goes_either_way) {
  std::vector<double> size{1, 1};
  // y = limit(50 (u + y)), e = u + y: at u = 0.99 the branch y = −1 has ended, y = 1 is left
  auto limit = [](double x) { return std::max(-1.0, std::min(1.0, x)); };
  Equations trigger{2, 2, size,
                    [&](std::span<const double> w, std::span<double> r) {
                      return r[0] = w[0] - limit(50 * w[1]), r[1] = w[1] - w[0] - 0.99, true;
                    },
                    [](std::span<const double> w, std::vector<Entry>& entries) {
                      entries.insert(entries.end(),
                                     {{0, 0, 1}, {0, 1, std::fabs(50 * w[1]) < 1 ? -50.0 : 0}, {1, 1, 1}, {1, 0, -1}});
                      return true;
                    }};
  std::vector<double> w{-1, -0.01};
  ASSERT_TRUE(solve_by_continuation(trigger, w).converged());
  EXPECT_NEAR(w[0], 1, 1e-12);
}

TEST(Continuation, it_leaves_the_start_where_there_is_no_solution) {
  std::vector<double> size{1};
  Equations none{
      1, 1, size, [](std::span<const double> w, std::span<double> r) { return r[0] = w[0] * w[0] + 1, true; },
      [](std::span<const double> w, std::vector<Entry>& entries) { return entries.push_back({0, 0, 2 * w[0]}), true; }};
  std::vector<double> w{0.5};
  EXPECT_FALSE(solve_by_continuation(none, w).converged());
  EXPECT_EQ(w[0], 0.5);
}

}  // namespace
}  // namespace bolza::nonlinear
