// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "compiler/codegen/assign_internal.h"

namespace bolza::codegen {
namespace {

GroupOutputs outputs(std::vector<std::vector<std::int32_t>> rows) {
  GroupOutputs g;
  g.values.resize(rows.size());
  g.rows = std::move(rows);
  return g;
}

TEST(Assign, stores_where_one_output_owns_its_rows) {
  Assignment a = assign({outputs({{0, 1, 2}, {3, 4, 5}})}, 7);
  EXPECT_EQ(a.adds, (std::vector<std::vector<std::uint8_t>>{{0, 0}}));
  EXPECT_EQ(a.zero, std::vector<std::int32_t>{6});
}

TEST(Assign, adds_for_instances_of_one_row_and_for_outputs_of_one_instance) {
  Assignment instances = assign({outputs({{0, 0, 0}})}, 1);
  EXPECT_EQ(instances.adds[0][0], 1);
  EXPECT_EQ(instances.zero, std::vector<std::int32_t>{0});
  Assignment twice = assign({outputs({{0}, {0}})}, 1);  // the kernel's own order is not known: neither may store
  EXPECT_EQ(twice.adds[0], (std::vector<std::uint8_t>{1, 1}));
  EXPECT_EQ(twice.zero, std::vector<std::int32_t>{0});
}

TEST(Assign, gives_the_sum_for_random_tables) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 300; ++trial) {
    std::size_t n_out = 1 + random() % 12;
    std::vector<GroupOutputs> groups;
    for (std::size_t g = 0; g < 1 + random() % 3; ++g) {
      std::size_t n = 1 + random() % 4;
      std::vector<std::vector<std::int32_t>> rows(1 + random() % 4, std::vector<std::int32_t>(n));
      for (auto& column : rows)
        for (std::int32_t& row : column) row = static_cast<std::int32_t>(random() % n_out);
      groups.push_back(outputs(rows));
    }
    Assignment a = assign(groups, n_out);
    std::vector<double> out(n_out, 1e9), sum(n_out, 0);
    for (std::int32_t row : a.zero) out[static_cast<std::size_t>(row)] = 0;
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (std::size_t i = 0; i < groups[g].rows[0].size(); ++i)
        for (std::size_t k = groups[g].rows.size(); k-- > 0;) {  // backwards: an order that the outputs do not have
          auto row = static_cast<std::size_t>(groups[g].rows[k][i]);
          out[row] = a.adds[g][k] ? out[row] + static_cast<double>(k + 1) : static_cast<double>(k + 1);
          sum[row] += static_cast<double>(k + 1);
        }
    EXPECT_EQ(out, sum);
  }
}

TEST(Pattern, numbers_equal_pairs_once_in_row_order) {
  PatternBuilder builder;
  for (auto [row, column] : {std::pair(2, 1), {0, 5}, {2, 1}, {0, 3}}) builder.add(row, column);
  std::vector<std::int32_t> row, column;
  EXPECT_EQ(builder.finish(row, column), (std::vector<std::int32_t>{2, 1, 2, 0}));
  EXPECT_EQ(row, (std::vector<std::int32_t>{0, 0, 2}));
  EXPECT_EQ(column, (std::vector<std::int32_t>{3, 5, 1}));
}

}  // namespace
}  // namespace bolza::codegen
