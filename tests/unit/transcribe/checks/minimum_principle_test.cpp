// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/checks/minimum_principle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "runtime/transcribe/collocation/solve.h"
#include "tests/unit/transcribe/known_problems.h"

namespace bolza::transcribe {
namespace {

using bolza::testing::given;
using bolza::testing::HandProblem;
using bolza::testing::inf;
using bolza::testing::Problem;

constexpr double horizon = 3, tilt = 0.4;

double well(double u) { return (u * u - 1) * (u * u - 1) + tilt * u; }

/// The minimum of the well on one side of zero, by Newton's method.
double bottom(double u) {
  for (int k = 0; k < 50; ++k) u -= (4 * u * (u * u - 1) + tilt) / (12 * u * u - 4);
  return u;
}

/// x' = u, min ∫ (u² - 1)² + 0.4 u from x(0) = 0, z = u²: H does not depend on x, its costate is zero.
Problem two_wells(double guess, double least) {
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates =
      h->function<[](auto* p, auto*, auto* r) { r[0] = 1.0 * p[3], r[1] = (p[2] - 1.0) * (p[2] - 1.0) + tilt * p[3]; }, 4, 2,
                  0, 2>("rates");
  bolza_function* residuals =
      h->function<[](auto* p, auto*, auto* r) { r[0] = p[2] - p[3] * p[3]; }, 4, 2, 0, 1>("residuals");
  bolza_variable u = HandProblem::guessed("u", guess, least, 2), z = HandProblem::variable("z");
  h->model({{HandProblem::started("x", 0)}, {z}, {u}, {}}, rates, residuals);
  h->parameters({given("t0", 0), given("tf", horizon)});
  h->phase(0, {0, 1});
  h->value(BOLZA_INTEGRAL, 0, 0);
  h->point(h->function<[](auto* v, auto*, auto* r) { r[0] = 1.0 * v[0]; }, 1, 2, 0, 1>("objective"), 0);
  return h;
}

TEST(better_controls, finds_the_lower_of_two_wells_and_what_it_gains) {
  Problem h = two_wells(1.2, -2);
  abi::Solution s = solve(h->problem, {.mesh = 10});
  ASSERT_EQ(s.status, abi::SolveStatus::solved);
  ASSERT_NEAR(s.objective, horizon * well(bottom(1)), 1e-6);
  std::optional<BetterControls> better = better_controls(h->problem, s);
  ASSERT_TRUE(better);
  EXPECT_NEAR(better->gain, horizon * (well(bottom(1)) - well(bottom(-1))), 0.01);
  EXPECT_NEAR(better->share, 1, 1e-9);
  EXPECT_EQ(better->name, "u");
  EXPECT_NEAR(better->value, bottom(1), 1e-5);
  EXPECT_NEAR(better->better, bottom(-1), 0.1);
  abi::Solution other = solve(h->problem, {.mesh = 10}, &better->controlled);
  EXPECT_NEAR(other.objective, horizon * well(bottom(-1)), 1e-6);
  EXPECT_FALSE(better_controls(h->problem, other));
}

TEST(better_controls, stays_within_bounds) {
  Problem h = two_wells(1.2, 0);
  abi::Solution s = solve(h->problem, {.mesh = 10});
  ASSERT_NEAR(s.objective, horizon * well(bottom(1)), 1e-6);
  EXPECT_FALSE(better_controls(h->problem, s));
}

TEST(better_controls, leaves_alone_what_a_derivative_could_have_told) {
  Problem h = two_wells(1.2, -2);
  abi::Solution s = solve(h->problem, {.mesh = 10});
  for (double& u : s.phases[0].trajectories.u[0]) u = -1.5;  // not stationary, in the right well
  for (double& z : s.phases[0].trajectories.z[0]) z = 2.25;
  EXPECT_FALSE(better_controls(h->problem, s));
}

/// x' = c, min ∫ 2 c² + 0.3 c + 0.2 s on the circle c² + s² = 1: a minimum near s = 1 and a lower one near s = -1.
Problem two_sides_of_a_circle(double guess) {
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates =
      h->function<[](auto* p, auto*, auto* r) { r[0] = 1.0 * p[2], r[1] = 2.0 * p[2] * p[2] + 0.3 * p[2] + 0.2 * p[3]; }, 4,
                  2, 0, 2>("rates");
  bolza_function* residuals =
      h->function<[](auto* p, auto*, auto* r) { r[0] = p[2] * p[2] + p[3] * p[3] - 1.0; }, 4, 2, 0, 1>("circle");
  h->model({{HandProblem::started("x", 0)},
            {},
            {HandProblem::guessed("c", 0.1, -inf, inf), HandProblem::guessed("s", guess, -inf, inf)},
            {}},
           rates, residuals);
  h->parameters({given("t0", 0), given("tf", horizon)});
  h->phase(0, {0, 1});
  h->value(BOLZA_INTEGRAL, 0, 0);
  h->point(h->function<[](auto* v, auto*, auto* r) { r[0] = 1.0 * v[0]; }, 1, 2, 0, 1>("objective"), 0);
  return h;
}

/// The integrand on the half of the circle on which s has this sign, at its least.
double least_on_circle(double sign) {
  double least = INFINITY;
  for (int k = -1000; k <= 1000; ++k) {
    double c = 1e-3 * k;
    least = std::min(least, 2 * c * c + 0.3 * c + sign * 0.2 * std::sqrt(1 - c * c));
  }
  return least;
}

TEST(better_controls, moves_along_equalities_of_the_path) {
  Problem h = two_sides_of_a_circle(0.9);
  abi::Solution s = solve(h->problem, {.mesh = 10});
  ASSERT_EQ(s.status, abi::SolveStatus::solved);
  ASSERT_NEAR(s.objective, horizon * least_on_circle(1), 1e-4);
  std::optional<BetterControls> better = better_controls(h->problem, s);
  ASSERT_TRUE(better);
  EXPECT_NEAR(better->gain, horizon * (least_on_circle(1) - least_on_circle(-1)), 0.02);
  const abi::Trajectories& y = better->controlled.phases[0].trajectories;
  for (std::size_t k = 0; k < y.time.size(); ++k)
    EXPECT_NEAR(y.u[0][k] * y.u[0][k] + y.u[1][k] * y.u[1][k], 1, 1e-5) << y.time[k];
  abi::Solution other = solve(h->problem, {.mesh = 10}, &better->controlled);
  EXPECT_NEAR(other.objective, horizon * least_on_circle(-1), 1e-4);
  EXPECT_FALSE(better_controls(h->problem, other));
}

}  // namespace
}  // namespace bolza::transcribe
