// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/checks/arc_ends.h"

#include <gtest/gtest.h>

namespace bolza::transcribe {
namespace {

const std::vector<double> even{0, 0.25, 0.5, 0.75, 1};

TEST(ArcEnd, is_nowhere_along_an_arc) {
  std::vector<double> amount{1, 1.1, 1.2, 1.1};
  for (std::size_t i = 0; i < amount.size(); ++i) EXPECT_FALSE(arc_end(amount, even, i).any()) << i;
}

TEST(ArcEnd, is_nowhere_without_a_multiplier) { EXPECT_FALSE(arc_end(std::vector<double>{0, 0, 1, 1}, even, 0).any()); }

TEST(ArcEnd, is_a_jump_where_a_limit_is_touched) {
  ArcEnd end = arc_end(std::vector<double>{0, 3, 0, 0}, even, 1);
  EXPECT_DOUBLE_EQ(end.at_once, 3);
  EXPECT_DOUBLE_EQ(end.spread, 0);
}

TEST(ArcEnd, is_a_bend_where_an_arc_begins_inside) {
  ArcEnd end = arc_end(std::vector<double>{0, 0.4, 1, 1}, even, 1);
  EXPECT_DOUBLE_EQ(end.at_once, 0);
  EXPECT_DOUBLE_EQ(end.spread, 0.4);
}

TEST(ArcEnd, is_both_where_an_arc_begins_with_more_than_it_goes_on_with) {
  ArcEnd end = arc_end(std::vector<double>{0, 5, 1, 1}, even, 1);
  EXPECT_DOUBLE_EQ(end.at_once, 4);
  EXPECT_DOUBLE_EQ(end.spread, 1);
}

TEST(ArcEnd, compares_amounts_by_length) {
  std::vector<double> mesh{0, 0.5, 0.6, 0.7, 1};
  EXPECT_FALSE(arc_end(std::vector<double>{5, 1, 1, 3}, mesh, 1).any());
}

}  // namespace
}  // namespace bolza::transcribe
