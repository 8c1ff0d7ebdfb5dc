// SPDX-License-Identifier: Apache-2.0
#include "runtime/result/field_pictures.h"

#include <gtest/gtest.h>

namespace bolza::result {
namespace {

void add_constant(ResultTable& table, const std::string& name, double value) {
  table.variables.push_back({.name = name, .role = Role::parameter, .constant = true, .value = value});
}

void add_array(ResultTable& table, const std::string& name, std::size_t n) {
  for (std::size_t k = 1; k <= n; ++k) {
    table.variables.push_back({.name = name + "[" + std::to_string(k) + "]", .column = table.columns.size()});
    table.columns.emplace_back(table.time.size(), static_cast<double>(k));
  }
}

ResultTable with_domain(const std::string& domain) {
  ResultTable table;
  table.time = {0, 1, 2};
  add_constant(table, domain + ".dx", 0.5);
  add_constant(table, domain + ".L", 1);
  for (std::size_t k = 1; k <= 3; ++k)
    add_constant(table, domain + ".x[" + std::to_string(k) + "]", 0.5 * static_cast<double>(k - 1));
  return table;
}

TEST(FieldPictures, show_arrays_over_the_points_of_a_domain_beside_them) {
  ResultTable table = with_domain("rod.omega");
  add_array(table, "rod.T", 3);
  add_array(table, "T", 3);
  add_array(table, "rod.longer", 4);
  add_array(table, "der(rod.T)", 3);
  std::vector<std::string> pictures = field_pictures(table);
  ASSERT_EQ(pictures.size(), 1u);
  EXPECT_NE(pictures[0].find(">rod.T<"), std::string::npos) << pictures[0];
}

TEST(FieldPictures, give_each_point_a_stretch_to_the_middles_between_points) {
  ResultTable table = with_domain("omega");
  add_array(table, "u", 3);
  std::vector<std::string> pictures = field_pictures(table);
  ASSERT_EQ(pictures.size(), 1u);
  // 270 high: the lowest quarter in the first colour, the highest in the last, half in the one between
  EXPECT_NE(pictures[0].find("<path fill='#440154' d='M62 228.5h408.2v67.7H62z'/>"), std::string::npos) << pictures[0];
  EXPECT_NE(pictures[0].find("<path fill='#fde725' d='M62 26h408.2v67.7H62z'/>"), std::string::npos) << pictures[0];
  EXPECT_NE(pictures[0].find("M62 93.5h408.2v135.2H62z"), std::string::npos) << pictures[0];
}

TEST(FieldPictures, are_none_without_a_domain) {
  ResultTable table;
  table.time = {0, 1};
  add_array(table, "u", 3);
  EXPECT_TRUE(field_pictures(table).empty());
}

}  // namespace
}  // namespace bolza::result
