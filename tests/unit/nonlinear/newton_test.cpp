// SPDX-License-Identifier: Apache-2.0
#include "runtime/nonlinear/newton.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bolza::nonlinear {
namespace {

using W = std::span<const double>;

TEST(Newton, solves_rosenbrock_s_equations_from_the_classic_start) {
  std::vector<double> size{1, 1}, w{-1.2, 1};
  Equations e{2, 2, size, [](W v, std::span<double> r) { return r[0] = 10 * (v[1] - v[0] * v[0]), r[1] = 1 - v[0], true; },
              [](W v, std::vector<Entry>& out) {
                out.insert(out.end(), {{0, 0, -20 * v[0]}, {0, 1, 10}, {1, 0, -1}});
                return true;
              }};
  NewtonReport report = solve(e, w);
  EXPECT_TRUE(report.converged());
  EXPECT_NEAR(w[0], 1, 1e-12);
  EXPECT_NEAR(w[1], 1, 1e-12);
}

TEST(Newton, takes_the_nearest_point_when_there_are_fewer_rows_than_unknowns) {
  std::vector<double> size{1, 1}, w{2, 0};
  Equations e{1, 2, size, [](W v, std::span<double> r) { return r[0] = v[0] + v[1] - 1, true; },
              [](W, std::vector<Entry>& out) { return out.insert(out.end(), {{0, 0, 1}, {0, 1, 1}}), true; }};
  EXPECT_TRUE(solve(e, w).converged());
  EXPECT_NEAR(w[0], 1.5, 1e-12) << "the foot of the perpendicular from (2, 0)";
  EXPECT_NEAR(w[1], -0.5, 1e-12);
}

TEST(Newton, damps_steps_that_leave_the_domain) {
  std::vector<double> size{1}, w{0.001};
  Equations e{1, 1, size, [](W v, std::span<double> r) { return r[0] = std::log(v[0]) - 3, std::isfinite(r[0]); },
              [](W v, std::vector<Entry>& out) { return out.push_back({0, 0, 1 / v[0]}), true; }};
  EXPECT_TRUE(solve(e, w).converged());
  EXPECT_NEAR(w[0], std::exp(3.0), 1e-10);
}

TEST(Newton, accepts_more_rows_than_unknowns_when_they_agree_and_names_the_worst_when_not) {
  std::vector<double> size{1}, w{5};
  double last = 2;
  Equations e{2, 1, size, [&](W v, std::span<double> r) { return r[0] = v[0] * v[0] - 4, r[1] = 3 * (v[0] - last), true; },
              [](W v, std::vector<Entry>& out) { return out.insert(out.end(), {{0, 0, 2 * v[0]}, {1, 0, 3}}), true; }};
  EXPECT_TRUE(solve(e, w).converged());
  EXPECT_NEAR(w[0], 2, 1e-10);
  last = 7, w = {5};
  NewtonReport report = solve(e, w);
  EXPECT_FALSE(report.converged());
  EXPECT_GT(report.residual, 0.1);
}

TEST(Newton, says_that_there_is_no_solution) {
  std::vector<double> size{1}, w{3};
  Equations e{1, 1, size, [](W v, std::span<double> r) { return r[0] = v[0] * v[0] + 1, true; },
              [](W v, std::vector<Entry>& out) { return out.push_back({0, 0, 2 * v[0]}), true; }};
  NewtonReport report = solve(e, w);
  EXPECT_FALSE(report.converged());
  EXPECT_EQ(report.worst_row, 0u);
  EXPECT_GE(report.worst_value, 1);
}

TEST(Newton, solves_a_large_sparse_system_of_badly_scaled_rows) {
  const std::size_t n = 2000;
  std::vector<double> size(n, 1), w(n, 0.5);
  auto scale = [](std::size_t i) { return std::pow(10.0, static_cast<double>(i % 13) - 6); };
  Equations e{n, n, size,
              [&](W v, std::span<double> r) {
                for (std::size_t i = 0; i < n; ++i)
                  r[i] = scale(i) * ((3 - 2 * v[i]) * v[i] + 1 - (i ? v[i - 1] : 0) - 2 * (i + 1 < n ? v[i + 1] : 0));
                return true;
              },
              [&](W v, std::vector<Entry>& out) {
                for (std::size_t i = 0; i < n; ++i) {
                  std::int32_t k = static_cast<std::int32_t>(i);
                  out.push_back({k, k, scale(i) * (3 - 4 * v[i])});
                  if (i) out.push_back({k, k - 1, -scale(i)});
                  if (i + 1 < n) out.push_back({k, k + 1, -2 * scale(i)});
                }
                return true;
              }};
  std::fill(w.begin(), w.end(), -1.0);  // Broyden's tridiagonal function from its standard start
  NewtonReport report = solve(e, w);
  EXPECT_TRUE(report.converged());
  EXPECT_LT(report.residual, 1e-12);
}

TEST(Newton, finds_a_derivative_behind_a_capacitance_that_is_nearly_none) {  // i = 1e-3, i = 4e-25 v
  std::vector<double> size{1, 1}, w{0, 0};
  Equations e{
      2, 2, size, [](W v, std::span<double> r) { return r[0] = v[0] - 4e-25 * v[1], r[1] = v[0] - 1e-3, true; },
      [](W, std::vector<Entry>& out) { return out.insert(out.end(), {{0, 0, 1}, {0, 1, -4e-25}, {1, 0, 1}}), true; }};
  EXPECT_TRUE(solve(e, w).converged());
  EXPECT_NEAR(w[1], 2.5e21, 1e10);
  w = {3, 1};  // dependent rows that agree: still the least change
  e.residual = [](W v, std::span<double> r) { return r[0] = v[0] + v[1] - 2, r[1] = 2 * r[0], true; };
  e.jacobian = [](W, std::vector<Entry>& out) {
    return out.insert(out.end(), {{0, 0, 1}, {0, 1, 1}, {1, 0, 2}, {1, 1, 2}}), true;
  };
  EXPECT_TRUE(solve(e, w).converged());
  EXPECT_NEAR(w[0], 2, 1e-12);
}

TEST(Newton, is_at_the_solution_where_rounding_is_large_beside_a_small_coefficient) {  // k/3 = 1.5e-19 v
  std::vector<double> size{1};
  for (double k = 1; k < 20; ++k) {
    Equations equations{1, 1, size,
                        [&](std::span<const double> w, std::span<double> r) { return r[0] = k / 3 - 1.5e-19 * w[0], true; },
                        [](std::span<const double>, std::vector<Entry>& entries) {
                          entries.push_back({0, 0, -1.5e-19});
                          return true;
                        }};
    std::vector<double> w{0};
    EXPECT_TRUE(solve(equations, w).converged()) << k;
    EXPECT_NEAR(w[0] * 1.5e-19, k / 3, 1e-14 * k);
  }
}

TEST(Newton, equations_without_unknowns_hold_or_not) {
  for (double rest : {0.0, 0.5}) {
    std::vector<double> w;
    Equations e{1,
                0,
                {},
                [&](std::span<const double>, std::span<double> r) { return r[0] = rest, true; },
                [](std::span<const double>, std::vector<Entry>&) { return true; }};
    EXPECT_EQ(solve(e, w).status, rest == 0 ? NewtonReport::Status::converged : NewtonReport::Status::inconsistent);
  }
}

TEST(Newton, full_steps_get_through_products_that_make_the_residual_grow) {
  std::vector<double> w(3), size(3, 1);
  Equations e{3, 3, size,
              [](std::span<const double> v, std::span<double> r) {
                return r[0] = v[0] - 1e3, r[1] = v[1] - 2e3, r[2] = v[2] - v[0] * v[1], true;
              },
              [](std::span<const double> v, std::vector<Entry>& out) {
                return out = {{0, 0, 1}, {1, 1, 1}, {2, 2, 1}, {2, 0, -v[1]}, {2, 1, -v[0]}}, true;
              }};
  NewtonReport report = solve_either_way(e, w);
  EXPECT_TRUE(report.converged());
  EXPECT_NEAR(w[2], 2e6, 1e-6);
}

}  // namespace
}  // namespace bolza::nonlinear
