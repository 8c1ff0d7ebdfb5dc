// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "runtime/transcribe/collocation/guess.h"
#include "runtime/transcribe/collocation/solve.h"
#include "tests/unit/transcribe/known_problems.h"

namespace bolza::transcribe {
namespace {

using bolza::testing::Problem;

// Published or independently computed values of the same discretisation, given to seven or more digits, by solvers that
// relax bounds by 1e-8 and stop where the barrier still costs as much.
TEST(published_values, van_der_pol_with_collocated_controls) {
  Problem h = bolza::testing::van_der_pol();
  abi::Solution s = solve(h->problem, {});
  EXPECT_EQ(s.status, abi::SolveStatus::solved);
  EXPECT_NEAR(s.objective / 3.1761957722665, 1, 5e-8);
}

TEST(published_values, van_der_pol_with_five_points_on_a_hundred_intervals) {
  Problem h = bolza::testing::van_der_pol();
  abi::Solution s = solve(h->problem, {.points = 5, .mesh = 100});
  EXPECT_NEAR(s.objective / 3.17495094634053, 1, 1e-7);  // both stop where the barrier still costs about 1e-7
}

TEST(published_values, van_der_pol_with_constant_controls) {
  Problem h = bolza::testing::van_der_pol();
  abi::Solution s = solve(h->problem, {.control_constant = true});
  EXPECT_EQ(s.status, abi::SolveStatus::solved);
  EXPECT_NEAR(s.objective / 3.260509448, 1, 5e-8);
}

TEST(published_values, goddard_with_free_final_time) {
  Problem h = bolza::testing::goddard();
  Straight line{.x0 = {1, 0, 1}, .x1 = {1, 0, 0.6}, .u0 = {1.75}};
  abi::Solution guess = straight_guess(h->problem, {line});
  std::vector<double>& v = guess.phases[0].trajectories.x[1];
  guess.phases[0].trajectories.time = {0, 0.25, 0.5, 0.75, 1};  // v = s (1 - s)
  for (auto* rows : {&guess.phases[0].trajectories.x, &guess.phases[0].trajectories.u})
    for (std::vector<double>& row : *rows)
      row = {row[0], 0.75 * row[0] + 0.25 * row[1], 0.5 * (row[0] + row[1]), 0.25 * row[0] + 0.75 * row[1], row[1]};
  v = {0, 0.1875, 0.25, 0.1875, 0};
  abi::Solution s = solve(h->problem, {.control_constant = true}, &guess);
  EXPECT_EQ(s.status, abi::SolveStatus::solved);
  EXPECT_NEAR(s.objective, 1.0128365, 1e-7);
  EXPECT_NEAR(s.parameters[1], 0.19877, 2e-4);
}

TEST(published_values, catalyst_mixing) {
  Problem h = bolza::testing::catalyst_mixing();
  abi::Solution s = solve(h->problem, {.control_constant = true});
  EXPECT_EQ(s.status, abi::SolveStatus::solved);
  EXPECT_NEAR(s.objective, -0.04805544, 5e-8);
}

}  // namespace
}  // namespace bolza::transcribe
