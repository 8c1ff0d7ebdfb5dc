// SPDX-License-Identifier: Apache-2.0
#include "runtime/result/phases.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace bolza::result {
namespace {

ResultTable phase_table(const std::string& name, std::vector<double> time, std::vector<double> h, double mass) {
  ResultTable table;
  table.name = name;
  table.time = std::move(time);
  table.columns = {std::move(h)};
  table.variables = {{name + ".h", "m", "height", Role::state, false, 0, 0, 1},
                     {name + ".low", "m", "negative height", Role::auxiliary, false, 0, 0, -1},
                     {name + ".mass", "kg", "", Role::parameter, true, mass, 0, 1},
                     {"der(" + name + ".h)", "m/s", "", Role::rate, false, 0, 0, 1}};
  return table;
}

const std::array<std::string, 2> names{"climb", "coast"};

TEST(JoinPhases, leaves_gaps_and_goes_on_through_phases_that_follow_each_other) {
  std::array tables{phase_table("climb", {0, 1, 2}, {0, 1, 4}, 3), phase_table("coast", {2, 5}, {4, 7}, 2)};
  ResultTable all = join_phases(tables, names);
  EXPECT_EQ(all.time, (std::vector<double>{0, 1, 2, 2, 5}));
  std::vector<double> climb = values(all, *find(all, "climb.h")), coast = values(all, *find(all, "coast.low"));
  EXPECT_EQ(climb[2], 4);
  EXPECT_TRUE(std::isnan(climb[3]) && std::isnan(climb[4]));
  EXPECT_TRUE(std::isnan(coast[2]));
  EXPECT_EQ(coast[4], -7);
  EXPECT_EQ(values(all, *find(all, "h")), (std::vector<double>{0, 1, 4, 4, 7}));
  EXPECT_EQ(values(all, *find(all, "low")), (std::vector<double>{0, -1, -4, -4, -7}));
  ASSERT_NE(find(all, "der(h)"), nullptr);
  EXPECT_EQ(find(all, "coast.mass")->value, 2);
  EXPECT_EQ(find(all, "mass"), nullptr);
}

TEST(JoinPhases, sorts_phases_beside_each_other_by_time_and_makes_no_common_curve) {
  std::array tables{phase_table("climb", {0, 2}, {0, 4}, 3), phase_table("coast", {0, 1}, {5, 6}, 2)};
  ResultTable all = join_phases(tables, names);
  EXPECT_EQ(all.time, (std::vector<double>{0, 0, 1, 2}));
  EXPECT_EQ(find(all, "h"), nullptr);
}

TEST(JoinPhases, is_taken_apart_again) {
  std::array tables{phase_table("climb", {0, 2}, {0, 4}, 3), phase_table("coast", {0, 1}, {5, 6}, 2)};
  ResultTable all = join_phases(tables, names);
  for (std::size_t k = 0; k < tables.size(); ++k) {
    std::array variables{names[k] + ".h"};
    ResultTable own = rows_with(all, variables);
    EXPECT_EQ(own.time, tables[k].time);
    EXPECT_EQ(values(own, *find(own, variables[0])), tables[k].columns[0]);
  }
}

TEST(AsPhase, cuts_a_stretch_out_and_names_it_with_the_left_value_of_a_jump_at_its_end) {
  ResultTable whole = phase_table("", {0, 1, 2, 2, 4}, {0, 1, 4, 5, 7}, 3);
  for (ResultVariable& v : whole.variables) v.name.erase(v.name.find('.'), 1);
  ResultTable first = as_phase(whole, "climb", 0.5, 2), second = as_phase(whole, "coast", 2, 3);
  EXPECT_EQ(first.time, (std::vector<double>{0.5, 1, 2}));
  EXPECT_EQ(values(first, *find(first, "climb.h")), (std::vector<double>{0.5, 1, 4}));
  EXPECT_EQ(values(first, *find(first, "der(climb.h)")), (std::vector<double>{0.5, 1, 4}));
  EXPECT_EQ(second.time, (std::vector<double>{2, 3}));
  EXPECT_EQ(values(second, *find(second, "coast.h")), (std::vector<double>{5, 6}));
}

TEST(AsPhase, of_no_length_has_its_time_twice) {
  ResultTable whole = phase_table("", {0, 1}, {0, 1}, 3);
  ResultTable none = as_phase(whole, "climb", 1, 0.5);
  EXPECT_EQ(none.time, (std::vector<double>{1, 1}));
}

TEST(JoinPhases, goes_on_through_what_is_constant_in_every_phase_but_no_parameter) {
  std::array tables{phase_table("climb", {0, 1}, {0, 1}, 3), phase_table("coast", {1, 2}, {1, 2}, 2)};
  for (ResultTable& table : tables) table.variables[2].role = Role::auxiliary;
  ResultTable all = join_phases(tables, names);
  ASSERT_NE(find(all, "mass"), nullptr);
  EXPECT_EQ(values(all, *find(all, "mass")), (std::vector<double>{3, 3, 2, 2}));
}

}  // namespace
}  // namespace bolza::result
