// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/flat_model.h"

#include <gtest/gtest.h>

#include "compiler/ir/print.h"

namespace bolza::test {
namespace {

using ir::ExprId;
using ir::FlatModel;
using ir::Op;
using ir::Variable;
using ir::VariableId;
using ir::VariableKind;

VariableId add(FlatModel& model, std::vector<Variable::NamePart> name, std::vector<std::uint32_t> dimensions,
               VariableKind kind) {
  Variable v;
  v.name = std::move(name);
  v.dimensions = std::move(dimensions);
  for (std::uint32_t extent : v.dimensions) v.size *= extent;
  v.kind = kind;
  v.first = VariableId(std::size_t{model.n_scalars});
  model.n_scalars += v.size;
  model.variables.push_back(v);
  return v.first;
}

/// der(h[i]) = −k·h[i] for i in 1:4 as one group; a timed value, an array of components.
FlatModel tanks() {
  FlatModel model;
  model.name = "Tanks";
  add(model, {{"time"}}, {}, VariableKind::time);
  add(model, {{"startTime"}}, {}, VariableKind::start_time);
  add(model, {{"finalTime"}}, {}, VariableKind::final_time);
  VariableId k = add(model, {{"k"}}, {}, VariableKind::parameter);
  VariableId h = add(model, {{"tank", 1}, {"h", 1}}, {2, 2}, VariableKind::unknown);
  VariableId d = add(model, {{"tank", 1}, {"h", 1}}, {2, 2}, VariableKind::derivative);
  model.variables.back().of = h;
  VariableId timed = add(model, {{"h_at"}}, {}, VariableKind::timed);
  model.variables.back().of = VariableId(h.index() + 2);
  ir::Dag& dag = model.expressions.dag;
  model.time_slots.push_back({ir::Term{dag.number(2.5), {}, {}, {}}});
  ir::ElementValues& binding = ir::variable_of(model, k).binding;
  binding.terms.push_back({dag.number(0.1), {}, {}, {}});
  ir::variable_of(model, h).attributes[static_cast<std::size_t>(ir::Attribute::start)].terms.push_back(
      {dag.one(), {}, {}, {}});
  ir::variable_of(model, h).fixed = {true};
  model.origins.push_back({});
  ir::Group group;
  group.roots = {dag.sub(dag.slot(0), dag.mul(dag.neg(dag.slot(1)), dag.slot(2)))};
  group.n = 4;
  group.slots = {ir::Column::affine(d, 1), ir::Column::affine(k, 0), ir::Column::affine(h, 1)};
  for (std::uint32_t i = 0; i < 4; ++i) group.origins.push_back(0);
  group.rows = {{ir::RowId(0), ir::RowId(1), ir::RowId(2), ir::RowId(3)}};
  model.equations = {4, {group}};
  (void)timed;
  return model;
}

TEST(FlatModel, names_scalars_with_their_subscripts) {
  FlatModel model = tanks();
  ir::verify(model);
  EXPECT_EQ(ir::name_of(model, VariableId(std::size_t{0})), "time");
  EXPECT_EQ(ir::name_of(model, VariableId(std::size_t{4})), "tank[1].h[1]");
  EXPECT_EQ(ir::name_of(model, VariableId(std::size_t{6})), "tank[2].h[1]");
  EXPECT_EQ(ir::name_of(model, VariableId(std::size_t{9})), "der(tank[1].h[2])");
  EXPECT_EQ(ir::name_of(model, VariableId(std::size_t{12})), "tank[2].h[1](2.5)");
  EXPECT_EQ(&ir::variable_of(model, VariableId(std::size_t{7})), &model.variables[4]);
}

TEST(FlatModel, prints_rolled_equations) {
  std::string text = ir::to_text(tanks(), {.instances = 2});
  EXPECT_EQ(text,
            "model Tanks\n"
            "  parameter Real k = 0.1;\n"
            "  Real tank[2].h[2](start = 1, fixed = true);\n"
            "equation\n"
            "  0 = der(tank[1].h[1]) + k*tank[1].h[1];\n"
            "  0 = der(tank[1].h[2]) + k*tank[1].h[2];\n"
            "  // 2 more like `0 = der(tank[1].h[1]) + k*tank[1].h[1]`\n"
            "end Tanks;\n");
}

TEST(FlatModel, is_verified) {
  FlatModel gap = tanks();
  gap.variables[3].first = VariableId(std::size_t{9});
  EXPECT_DEATH(ir::verify(gap), "without gaps");
  FlatModel row = tanks();
  row.equations.n_rows = 3;
  EXPECT_DEATH(ir::verify(row), "rows are below");
  FlatModel twice = tanks();
  twice.equations.groups[0].slots[1] = twice.equations.groups[0].slots[0];
  EXPECT_DEATH(ir::verify(twice), "same column");
}

}  // namespace
}  // namespace bolza::test
