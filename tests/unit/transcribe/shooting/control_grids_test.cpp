// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "runtime/transcribe/shooting/control_error.h"

namespace bolza::transcribe {
namespace {

abi::Solution solution_on(std::vector<double> grid, bool constant) {
  abi::Solution solution;
  abi::PhaseSolution& phase = solution.phases.emplace_back();
  phase.control_grid = {std::move(grid)}, phase.control_constant = constant;
  return solution;
}

ControlError error_of(const abi::Solution& solution, const std::vector<double>& shares) {
  ControlError error;
  const std::vector<double>& grid = solution.phases[0].control_grid[0];
  std::vector<ControlInterval>& intervals = error.interval.emplace_back().emplace_back();
  for (std::size_t k = 0; k + 1 < grid.size(); ++k)
    intervals.push_back({.begin = grid[k], .end = grid[k + 1], .share = shares[k]});
  return error;
}

TEST(ControlGrids, are_cut_where_the_shares_are_largest_until_the_rest_is_small) {
  abi::Solution solution = solution_on({0, 0.25, 0.5, 0.75, 1}, true);
  auto grids = refined_controls(error_of(solution, {1e-6, 0.4, 1e-6, 0.02}), solution, 0.1, 100);
  std::vector<double> expected{0, 0.25, 0.25 + 0.0625, 0.375, 0.5 - 0.0625, 0.5, 0.75, 1};
  ASSERT_EQ(grids[0][0].size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(grids[0][0][k], expected[k], 1e-15);
}

TEST(ControlGrids, stay_where_all_shares_are_small) {
  abi::Solution solution = solution_on({0, 0.5, 1}, false);
  EXPECT_EQ(refined_controls(error_of(solution, {0.01, 0.01}), solution, 0.1, 100)[0][0], (std::vector<double>{0, 0.5, 1}));
}

TEST(ControlGrids, have_a_point_at_a_switch_of_values_and_a_short_interval_around_one_of_lines) {
  for (bool constant : {true, false}) {
    abi::Solution solution = solution_on({0, 0.5, 1}, constant);
    ControlError error = error_of(solution, {0.4, 0});
    error.interval[0][0][0].switches = true, error.interval[0][0][0].switch_at = 0.2;
    std::vector<double> grid = refined_controls(error, solution, 0.1, 100)[0][0];
    if (constant) EXPECT_EQ(grid, (std::vector<double>{0, 0.2, 0.5, 1}));
    else {
      ASSERT_EQ(grid.size(), 5u);
      EXPECT_NEAR(0.5 * (grid[1] + grid[2]), 0.2, 1e-15);
      EXPECT_LT(grid[2] - grid[1], 0.25 + 1e-15);
    }
  }
}

TEST(ControlGrids, have_no_more_intervals_than_is_allowed) {
  abi::Solution solution = solution_on({0, 0.25, 0.5, 0.75, 1}, true);
  EXPECT_EQ(refined_controls(error_of(solution, {1, 1, 1, 1}), solution, 1e-6, 6)[0][0].size(), 7u);
}

}  // namespace
}  // namespace bolza::transcribe
