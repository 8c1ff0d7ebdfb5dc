// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/checks/minimum_principle.h"

#include <gtest/gtest.h>

#include <cmath>

#include "runtime/transcribe/collocation/solve.h"
#include "tests/unit/transcribe/known_problems.h"

namespace bolza::transcribe {
namespace {

using bolza::testing::given;
using bolza::testing::HandProblem;
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

}  // namespace
}  // namespace bolza::transcribe
