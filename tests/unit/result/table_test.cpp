// SPDX-License-Identifier: Apache-2.0
#include "runtime/result/table.h"

#include <gtest/gtest.h>

#include <cmath>

#include "runtime/result/restore.h"
#include "tests/unit/result/fixture.h"

namespace bolza::result {
namespace {

TEST(Table, names_states_controls_rates_costates_multipliers_and_parameters) {
  Fixture f;
  ResultTable table = make_table(f.problem, f.solution);
  for (const char* name : {"x1", "x2", "u", "der(x1)", "der(x2)", "costate(x1)", "costate(x2)", "multiplier(x1 <= 5)",
                           "minus_x1", "shifted", "sum", "startTime", "finalTime", "k"})
    EXPECT_TRUE(find(table, name)) << name;
  EXPECT_EQ(find(table, "x1")->role, Role::state);
  EXPECT_EQ(find(table, "der(x1)")->unit, "m/s");
  EXPECT_EQ(find(table, "k")->value, 2.5) << "a free parameter has the solution's value";
}

TEST(Table, shares_the_column_of_an_alias_and_keeps_its_sign) {
  Fixture f;
  ResultTable table = make_table(f.problem, f.solution);
  const ResultVariable *x = find(table, "x1"), *minus = find(table, "minus_x1"), *shifted = find(table, "shifted");
  EXPECT_EQ(x->column, minus->column);
  EXPECT_EQ(value(table, *minus, 2), -value(table, *x, 2));
  EXPECT_DOUBLE_EQ(value(table, *shifted, 2), -value(table, *x, 2) + 10);
}

TEST(Table, evaluates_outputs_with_the_solved_parameters) {
  Fixture f;
  ResultTable table = make_table(f.problem, f.solution);
  const ResultVariable* sum = find(table, "sum");
  for (std::size_t k = 0; k < table.time.size(); ++k)
    EXPECT_DOUBLE_EQ(value(table, *sum, k), f.x1(table.time[k]) + 2.5 * f.x2(table.time[k]));
}

TEST(Table, gives_rates_from_the_model_when_the_solution_has_none) {
  Fixture f;
  f.solution.phases[0].trajectories.rate.clear();
  ResultTable table = make_table(f.problem, f.solution);
  const ResultVariable* rate = find(table, "der(x1)");
  ASSERT_TRUE(rate);
  EXPECT_DOUBLE_EQ(value(table, *rate, 1), f.x2(table.time[1])) << "x1' = x2";
}

TEST(Table, interpolates_linearly_and_takes_the_right_value_at_a_jump) {
  ResultTable table{.time = {0, 1, 1, 2}, .columns = {{0, 1, 5, 7}}, .variables = {{.name = "u"}}};
  const ResultVariable& u = table.variables[0];
  EXPECT_DOUBLE_EQ(interpolate(table, u, 0.25), 0.25);
  EXPECT_DOUBLE_EQ(interpolate(table, u, 1), 5);
  EXPECT_DOUBLE_EQ(interpolate(table, u, 1.5), 6);
  EXPECT_DOUBLE_EQ(interpolate(table, u, -1), 0);
  EXPECT_DOUBLE_EQ(interpolate(table, u, 9), 7);
}

TEST(Restore, gives_back_what_a_table_was_made_of) {
  Fixture f;
  ResultTable table = make_table(f.problem, f.solution);
  Restored back = restore(f.problem, {&table, 1});
  const abi::PhaseSolution &a = f.solution.phases[0], &b = back.solution.phases[0];
  EXPECT_TRUE(back.missing.empty());
  EXPECT_EQ(back.solution.parameters, f.solution.parameters);
  EXPECT_EQ(a.mesh, b.mesh);
  EXPECT_EQ(a.trajectories.time, b.trajectories.time);
  EXPECT_EQ(a.trajectories.x, b.trajectories.x);
  EXPECT_EQ(a.trajectories.u, b.trajectories.u);
  EXPECT_EQ(a.trajectories.rate, b.trajectories.rate);
  EXPECT_EQ(a.trajectories.costate, b.trajectories.costate);
  EXPECT_EQ(a.trajectories.path_multiplier, b.trajectories.path_multiplier);
  EXPECT_EQ(b.transcription, "radau");
  EXPECT_EQ(b.points, 3u);
}

TEST(Restore, names_what_is_missing_and_keeps_its_start) {
  Fixture f;
  ResultTable table = make_table(f.problem, f.solution);
  std::erase_if(table.variables, [](const ResultVariable& v) { return v.name == "x2" || v.name == "k"; });
  Restored back = restore(f.problem, {&table, 1});
  EXPECT_EQ(back.missing, (std::vector<std::string>{"x2", "k"}));
  EXPECT_EQ(back.solution.phases[0].trajectories.x[1][0], 0.5);
}

}  // namespace
}  // namespace bolza::result
