// SPDX-License-Identifier: Apache-2.0
#include "runtime/nonlinear/blocks.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bolza::nonlinear {
namespace {

// w1 = 1/w0 with w0 = 2 given below it: at w0 = 0 the first row has no value, but nobody needs it to find w0.
TEST(Blocks, it_finds_an_unknown_before_what_is_not_finite_without_it) {
  std::vector<double> size{1, 1}, w{0, 0};
  Equations quotient{
      2, 2, size,
      [](std::span<const double> w, std::span<double> r) { return r[0] = w[1] - 1 / w[0], r[1] = w[0] - 2, w[0] != 0; },
      [](std::span<const double> w, std::vector<Entry>& entries) {
        entries.insert(entries.end(), {{0, 1, 1}, {0, 0, 1 / (w[0] * w[0])}, {1, 0, 1}});
        return w[0] != 0;
      }};
  ASSERT_TRUE(solve_by_blocks(quotient, w).converged());
  EXPECT_EQ(w[0], 2);
  EXPECT_DOUBLE_EQ(w[1], 0.5);
  std::vector<double> together{0, 0};
  EXPECT_FALSE(solve_either_way(quotient, together).converged());
}

// A cubic that has its only zero beyond a fold, and what follows from its unknown.
TEST(Blocks, it_follows_the_curve_of_one_block) {
  std::vector<double> size{1, 1}, w{1.01, 0};
  Equations cubic{2, 2, size,
                  [](std::span<const double> w, std::span<double> r) {
                    return r[0] = w[0] * w[0] * w[0] - 3 * w[0] + 2.1, r[1] = w[1] - std::exp(w[0]), true;
                  },
                  [](std::span<const double> w, std::vector<Entry>& entries) {
                    entries.insert(entries.end(), {{0, 0, 3 * w[0] * w[0] - 3}, {1, 1, 1}, {1, 0, -std::exp(w[0])}});
                    return true;
                  }};
  ASSERT_TRUE(solve_by_blocks(cubic, w).converged());
  EXPECT_NEAR(w[0] * w[0] * w[0] - 3 * w[0] + 2.1, 0, 1e-12);
  EXPECT_NEAR(w[1], std::exp(w[0]), 1e-12);
}

TEST(Blocks, it_names_the_row_that_has_no_solution) {
  std::vector<double> size{1, 1, 1}, w{0, 1, 0};
  Equations none{3, 3, size,
                 [](std::span<const double> w, std::span<double> r) {
                   return r[0] = w[2] - 1000 * w[1], r[1] = w[0] - 1, r[2] = w[1] * w[1] + w[0], true;
                 },
                 [](std::span<const double> w, std::vector<Entry>& entries) {
                   entries.insert(entries.end(), {{0, 2, 1}, {0, 1, -1000}, {1, 0, 1}, {2, 1, 2 * w[1]}, {2, 0, 1}});
                   return true;
                 }};
  NewtonReport report = solve_by_blocks(none, w);
  EXPECT_FALSE(report.converged());
  EXPECT_EQ(report.worst_row, 2u);
  EXPECT_EQ(w[0], 1);
}

TEST(Blocks, it_leaves_a_structurally_singular_system_alone) {
  std::vector<double> size{1, 1}, w{0, 0};
  Equations singular{2, 2, size,
                     [](std::span<const double> w, std::span<double> r) { return r[0] = w[0], r[1] = w[0] - 1, true; },
                     [](std::span<const double>, std::vector<Entry>& entries) {
                       return entries.insert(entries.end(), {{0, 0, 1}, {1, 0, 1}}), true;
                     }};
  NewtonReport report = solve_by_blocks(singular, w);
  EXPECT_FALSE(report.converged());
  EXPECT_EQ(report.evaluations, 0);
}

}  // namespace
}  // namespace bolza::nonlinear
