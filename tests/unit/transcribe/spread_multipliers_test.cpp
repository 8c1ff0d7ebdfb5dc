// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/spread_multipliers.h"

#include <gtest/gtest.h>

#include <numeric>

namespace bolza::transcribe {
namespace {

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

TEST(SpreadMultipliers, keep_their_sum_on_any_stretches_that_cover_the_horizon) {
  abi::SpreadMultiplier from{{0.5, 0, 0.2}, {1, 0.2, 0.5}, {3, -1, 2}};
  std::vector<double> places{0, 0.1, 0.35, 0.6, 0.95, 1};
  EXPECT_NEAR(sum(gather(from, half_way(places))), 4, 1e-14);
}

TEST(SpreadMultipliers, come_back_from_their_own_stretches) {
  AlongHorizon along;
  std::vector<double> values{1, 0, -2, 4}, back(4, 0);
  for (std::size_t k = 0; k < 4; ++k) along.add(k, {0.25 * static_cast<double>(k), 0.25 * static_cast<double>(k + 1)});
  gather(spread(along, values), along, back);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(back[k], values[k], 1e-14);
}

TEST(SpreadMultipliers, act_at_the_empty_stretch_of_their_time_or_where_it_is_contained) {
  abi::SpreadMultiplier impulse{{0}, {0}, {2}};
  std::vector<Stretch> with_end{{0, 0.5}, {0.5, 1}, {0, 0}}, without{{0, 0.5}, {0.5, 1}};
  EXPECT_EQ(gather(impulse, with_end), (std::vector<double>{0, 0, 2}));
  EXPECT_EQ(gather(impulse, without), (std::vector<double>{2, 0}));
}

TEST(CostateCurves, are_linear_and_have_two_sides_at_a_jump) {
  abi::PhaseSolution phase;
  phase.trajectories.time = {1, 2, 2, 3};
  phase.trajectories.costate = {{0, 4, 10, 12}};
  CostateCurves curves(phase);
  EXPECT_DOUBLE_EQ(curves.at(0, 0.25, true), 2);
  EXPECT_DOUBLE_EQ(curves.at(0, 0.5, true), 4);
  EXPECT_DOUBLE_EQ(curves.at(0, 0.5, false), 10);
  EXPECT_DOUBLE_EQ(curves.at(0, 0.75, true), 11);
  EXPECT_DOUBLE_EQ(curves.at(0, 1, true), 12);
}

}  // namespace
}  // namespace bolza::transcribe
