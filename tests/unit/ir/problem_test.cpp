// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/problem.h"

#include <gtest/gtest.h>

#include "compiler/ir/print.h"

namespace bolza::test {
namespace {

using ir::Problem;
using ir::VariableId;

VariableId add(Problem& problem, const std::string& name, ir::VariableKind kind) {
  ir::Variable v;
  v.name = {{name}};
  v.kind = kind;
  v.first = VariableId(std::size_t{problem.flat.n_scalars++});
  problem.flat.variables.push_back(v);
  return v.first;
}

/// minimise integral of x² + u², der(x) = u, x(tf) = 0.
Problem small() {
  Problem p;
  p.flat.name = "Small";
  ir::Dag& dag = p.flat.expressions.dag;
  add(p, "time", ir::VariableKind::time);
  p.shared = {add(p, "startTime", ir::VariableKind::start_time), add(p, "finalTime", ir::VariableKind::final_time)};
  p.x = {add(p, "x", ir::VariableKind::unknown)};
  p.u = {add(p, "u", ir::VariableKind::input)};
  p.x_numbers.resize(1), p.u_numbers.resize(1), p.shared_numbers.resize(2);
  p.shared_values = {0, 1};
  p.flat.origins.push_back({});
  auto group = [](ir::ExprId root, std::vector<std::size_t> inputs, std::size_t row) {
    ir::Group g{.roots = {root}, .n = 1};
    for (std::size_t k : inputs) g.slots.push_back(ir::Column::affine(VariableId(k), 0));
    g.rows = {{ir::RowId(row)}};
    g.origins = {0};
    return g;
  };
  ir::ExprId x = dag.slot(0), u = dag.slot(1);
  p.n_q = 1;
  p.rates = {.name = "rates", .n_point = 3, .n_shared = 2};
  p.rates.section = {2, {group(x, {2}, 0), group(dag.add(dag.mul(x, x), dag.mul(u, u)), {1, 2}, 1)}};
  p.places = {{0, 1, 0}};
  p.values = {{0, ir::PointQuantity::state, 0}, {0, ir::PointQuantity::integral, 0}};
  p.n_k = 1;
  p.point = {.name = "point", .n_point = 2, .n_shared = 2};
  p.point.section = {2, {group(x, {1}, 0), group(x, {0}, 1)}};
  p.point_rows.resize(1);
  return p;
}

TEST(Problem, prints_its_functions_with_names) {
  Problem problem = small();
  ir::verify(problem);
  std::string text = ir::to_text(problem);
  EXPECT_NE(text.find("states (1): x\n"), std::string::npos) << text;
  EXPECT_NE(text.find("row 0 += u\n"), std::string::npos);
  EXPECT_NE(text.find("row 1 += x*x + u*u\n"), std::string::npos);
  EXPECT_NE(text.find("row 0 += integral1\n"), std::string::npos);
  EXPECT_NE(text.find("row 1 += x(finalTime)\n"), std::string::npos);
}

TEST(Problem, is_verified) {
  Problem rate = small();
  rate.n_q = 0;
  EXPECT_DEATH(ir::verify(rate), "a rate for every state");
  Problem value = small();
  value.values[0].index = 1;
  EXPECT_DEATH(ir::verify(value), "existing quantities");
  Problem input = small();
  input.rates.section.groups[0].slots[0] = ir::Column::affine(VariableId(std::size_t{9}), 0);
  EXPECT_DEATH(ir::verify(input), "existing variables");
}

}  // namespace
}  // namespace bolza::test
