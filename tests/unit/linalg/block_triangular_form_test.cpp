// SPDX-License-Identifier: Apache-2.0
#include "runtime/linalg/block_triangular_form.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace bolza::linalg {
namespace {

using Places = std::vector<std::pair<std::int32_t, std::int32_t>>;

TEST(BlockTriangularForm, has_no_place_of_a_block_in_the_columns_of_one_before_it) {
  // 0 and 3 depend on each other, 1 on 0, 2 on 1 and 3.
  Places places{{0, 0}, {0, 3}, {3, 0}, {3, 3}, {1, 1}, {1, 0}, {2, 2}, {2, 1}, {2, 3}};
  BlockTriangularForm form = block_triangular_form(4, places);
  ASSERT_TRUE(form.complete);
  ASSERT_EQ(form.first.size(), 4U);
  auto block_of = [&](const std::vector<int>& order, std::int32_t i) {
    auto at = std::find(order.begin(), order.end(), i) - order.begin();
    return std::upper_bound(form.first.begin(), form.first.end(), at) - form.first.begin();
  };
  for (auto [row, col] : places) EXPECT_LE(block_of(form.row, row), block_of(form.col, col)) << row << " " << col;
  EXPECT_EQ(block_of(form.row, 0), block_of(form.row, 3));
  EXPECT_EQ(block_of(form.row, 0), 3);
}

TEST(BlockTriangularForm, of_a_row_without_a_column_of_its_own_is_not_complete) {
  EXPECT_FALSE(block_triangular_form(2, {{0, 0}, {1, 0}}).complete);
  EXPECT_TRUE(block_triangular_form(2, {{0, 1}, {1, 0}}).complete);
}

}  // namespace
}  // namespace bolza::linalg
