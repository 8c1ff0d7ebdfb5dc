// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/checks/hamiltonian.h"

#include <gtest/gtest.h>

#include <cmath>

#include "runtime/transcribe/checks/mesh_error.h"
#include "runtime/transcribe/collocation/solve.h"
#include "tests/unit/transcribe/known_problems.h"

namespace bolza::transcribe {
namespace {

using bolza::testing::given;
using bolza::testing::HandProblem;
using bolza::testing::Problem;

/// x' = a u, 0 = z - u, min ∫ z² + time from 0 to a distance of 1 in one second: u = 1/a, λ = -2/a², H = time - 1/a².
constexpr double slope = 2;
Problem straight() {
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates =
      h->function<[](auto* p, auto*, auto* r) { r[0] = slope * p[3], r[1] = p[2] * p[2] + p[0]; }, 4, 2, 0, 2>("rates");
  bolza_function* residuals = h->function<[](auto* p, auto*, auto* r) { r[0] = p[2] - p[3]; }, 4, 2, 0, 1>("residuals");
  h->model({{HandProblem::started("x", 0)}, {HandProblem::variable("z")}, {HandProblem::variable("u")}, {}}, rates,
           residuals);
  h->parameters({given("t0", 0), given("tf", 1)});
  h->phase(0, {0, 1});
  std::int32_t end = h->place(0, 0, 1);
  h->value(BOLZA_INTEGRAL, 0, 0);
  h->value(BOLZA_STATE, end, 0);
  h->point(h->function<[](auto* v, auto*, auto* r) { r[0] = 1.0 * v[0], r[1] = v[1] - 1.0; }, 2, 2, 0, 2>("point"), 1);
  return h;
}

/// Double integrator over a distance of 1 in least time, -1 <= u <= 2: H = -1 by the transversality of the free end.
Problem least_time() {
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates =
      h->function<[](auto* p, auto*, auto* r) { r[0] = 1.0 * p[2], r[1] = 1.0 * p[3]; }, 4, 2, 0, 2>("rates");
  h->model({{HandProblem::started("x", 0), HandProblem::started("v", 0)}, {}, {HandProblem::variable("u", -1, 2)}, {}},
           rates);
  h->parameters({given("t0", 0), HandProblem::guessed("tf", 1, 0.1, 10)});
  h->phase(0, {0, 1});
  std::int32_t end = h->place(0, 0, 1);
  h->value(BOLZA_STATE, end, 0);
  h->value(BOLZA_STATE, end, 1);
  h->point(
      h->function<[](auto* v, auto* s, auto* r) { r[0] = 1.0 * s[1], r[1] = v[0] - 1.0, r[2] = 1.0 * v[1]; }, 2, 2, 0, 3>(
          "point"),
      2);
  return h;
}

TEST(hamiltonian, is_that_of_the_closed_form) {
  Problem h = straight();
  abi::Solution s = solve(h->problem, {.mesh = 7});
  ASSERT_EQ(s.status, abi::SolveStatus::solved);
  add_hamiltonian(h->problem, s);
  const abi::Trajectories& y = s.phases[0].trajectories;
  ASSERT_EQ(y.hamiltonian.size(), y.time.size());
  for (std::size_t k = 0; k < y.time.size(); ++k)
    EXPECT_NEAR(y.hamiltonian[k], y.time[k] - 1 / (slope * slope), 1e-6) << y.time[k];
}

TEST(hamiltonian, is_minus_one_where_the_time_is_least) {
  Problem h = least_time();
  abi::Solution s = solve(h->problem, {.mesh = 30});  // the switch at a third of the time is a mesh point
  ASSERT_EQ(s.status, abi::SolveStatus::solved);
  ASSERT_NEAR(s.objective, std::sqrt(3), 1e-6);
  add_hamiltonian(h->problem, s);
  const std::vector<double>& values = s.phases[0].trajectories.hamiltonian;
  ASSERT_FALSE(values.empty());
  // the zero of the discrete costate is anywhere between the points next to the switch, 0.01 of the horizon apart
  for (double value : values) EXPECT_NEAR(value, -1, 0.01);
}

TEST(hamiltonian, is_left_out_without_costates) {
  Problem h = straight();
  abi::Solution s = solve(h->problem, {.mesh = 7});
  s.phases[0].trajectories.costate.clear();
  add_hamiltonian(h->problem, s);
  EXPECT_TRUE(s.phases[0].trajectories.hamiltonian.empty());
}

// H_u = 2 u + a λ is zero at the optimum; u moved by d all over the horizon leaves 2 d, times the size of u.
TEST(control_slope, is_what_a_moved_control_leaves) {
  Problem h = straight();
  abi::Solution s = solve(h->problem, {.mesh = 7});
  EXPECT_LT(mesh_error(h->problem, s).control_slope, 1e-6);
  constexpr double d = 0.1;
  abi::Trajectories& y = s.phases[0].trajectories;
  for (double& u : y.u[0]) u += d;
  for (double& z : y.z[0]) z += d;
  MeshError error = mesh_error(h->problem, s);
  EXPECT_NEAR(error.control_slope, 2 * d * (1 / slope + d), 1e-6) << "the size of u is its largest value";
  EXPECT_EQ(error.slope_name, "u");
}

TEST(control_slope, is_nothing_where_the_control_is_at_its_bounds) {
  Problem h = least_time();
  abi::Solution s = solve(h->problem, {.mesh = 30});
  EXPECT_EQ(mesh_error(h->problem, s).control_slope, 0);
}

}  // namespace
}  // namespace bolza::transcribe
