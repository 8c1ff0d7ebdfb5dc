// SPDX-License-Identifier: Apache-2.0
#include "runtime/nonlinear/kinsol.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bolza::nonlinear {
namespace {

// Rosenbrock's equations: x = y = 1; far starts need the line search.
Equations rosenbrock(std::span<const double> size) {
  return {2, 2, size,
          [](std::span<const double> w, std::span<double> r) {
            r[0] = 10 * (w[1] - w[0] * w[0]), r[1] = 1 - w[0];
            return true;
          },
          [](std::span<const double> w, std::vector<Entry>& e) {
            e.push_back({0, 1, 10}), e.push_back({1, 0, -1}), e.push_back({0, 0, -15 * w[0]}),
                e.push_back({0, 0, -5 * w[0]});
            return true;
          }};
}

TEST(Kinsol, solves_from_far_with_entries_in_any_order_and_places_that_repeat) {
  std::vector<double> size{1, 1}, w{-12, 1};
  NewtonReport report = solve_by_kinsol(rosenbrock(size), w);
  ASSERT_TRUE(report.converged());
  EXPECT_NEAR(w[0], 1, 1e-9);
  EXPECT_NEAR(w[1], 1, 1e-9);
}

TEST(Kinsol, works_on_unknowns_of_very_different_sizes) {  // a² = 1e12, b a = 1e-3
  std::vector<double> size{1e6, 1e-9}, w{3e6, 1e-8};
  Equations equations{2, 2, size,
                      [](std::span<const double> v, std::span<double> r) {
                        r[0] = v[0] * v[0] - 1e12, r[1] = v[0] * v[1] - 1e-3;
                        return true;
                      },
                      [](std::span<const double> v, std::vector<Entry>& e) {
                        e.push_back({0, 0, 2 * v[0]}), e.push_back({1, 0, v[1]}), e.push_back({1, 1, v[0]});
                        return true;
                      }};
  ASSERT_TRUE(solve_by_kinsol(equations, w).converged());
  EXPECT_NEAR(w[0] / 1e6, 1, 1e-9);
  EXPECT_NEAR(w[1] / 1e-9, 1, 1e-9);
}

TEST(Kinsol, leaves_the_start_alone_when_there_is_no_solution) {
  std::vector<double> size{1}, w{3};
  Equations equations{1, 1, size,
                      [](std::span<const double> v, std::span<double> r) { return r[0] = v[0] * v[0] + 1, true; },
                      [](std::span<const double> v, std::vector<Entry>& e) { return e.push_back({0, 0, 2 * v[0]}), true; }};
  EXPECT_FALSE(solve_by_kinsol(equations, w).converged());
  EXPECT_EQ(w[0], 3);
}

}  // namespace
}  // namespace bolza::nonlinear
