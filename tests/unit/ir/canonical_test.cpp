// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/canonical.h"

#include <gtest/gtest.h>

#include <cmath>

#include "compiler/ir/interpret.h"
#include "compiler/ir/substitute.h"

namespace bolza::test {
namespace {

using ir::Column;
using ir::Dag;
using ir::ExprId;
using ir::Group;
using ir::Op;
using ir::VariableId;

VariableId variable(std::size_t k) { return VariableId(k); }

/// One equation with its own literals, over variables as slots in any numbering.
Group single(std::vector<ExprId> roots, std::vector<std::size_t> variables, std::uint32_t row) {
  Group group;
  group.roots = std::move(roots);
  group.n = 1;
  for (std::size_t v : variables) group.slots.push_back(Column::affine(variable(v), 0));
  group.rows.assign(group.roots.size(), {ir::RowId(std::size_t{row})});
  group.origins = {0};
  return group;
}

TEST(Canonical, gives_equal_shapes_equal_roots) {
  Dag dag;
  // 3·x7·sin(x9) − x7  and  5·x2·sin(x1) − x2, the second with its slots numbered the other way round.
  auto body = [&](double literal, std::uint32_t first, std::uint32_t second) {
    ExprId x = dag.slot(first);
    return dag.sub(dag.mul(dag.mul(dag.number(literal), x), dag.make(Op::sin, dag.slot(second))), x);
  };
  Group a = ir::canonical(dag, single({body(3, 0, 1)}, {7, 9}, 0));
  Group b = ir::canonical(dag, single({body(5, 1, 0)}, {1, 2}, 1));
  EXPECT_EQ(a.roots, b.roots);
  EXPECT_EQ(a.data[0][0], 3);
  EXPECT_EQ(b.data[0][0], 5);
  std::vector<Group> joined = ir::join_equal_shapes({a, b});
  ASSERT_EQ(joined.size(), 1u);
  EXPECT_EQ(joined[0].n, 2u);
  std::size_t x = joined[0].slots[0][0] == variable(7) ? 0 : 1;
  EXPECT_EQ(joined[0].slots[x][1], variable(2));
  EXPECT_EQ(joined[0].slots[1 - x][1], variable(1));
}

TEST(Canonical, keeps_literals_that_carry_structure) {
  Dag dag;
  ExprId x = dag.slot(0);
  for (double kept : {0.5, 2.0, -1.0}) {
    Group group = ir::canonical(dag, single({dag.add(dag.make(Op::sin, x), dag.number(kept))}, {3}, 0));
    EXPECT_TRUE(group.data.empty());
  }
  EXPECT_TRUE(ir::canonical(dag, single({dag.make(Op::pow, x, dag.number(3))}, {3}, 0)).data.empty());
  ExprId call = dag.output(dag.call(ir::ProgramId(std::size_t{0}), std::vector{x, dag.number(7)}), 0);
  EXPECT_TRUE(ir::canonical(dag, single({call}, {3}, 0)).data.empty());
  EXPECT_EQ(ir::canonical(dag, single({dag.number(7)}, {}, 0)).data[0][0], 7);
}

TEST(Canonical, lifts_every_place_of_a_literal_by_itself) {
  Dag dag;
  auto body = [&](double a, double b) {
    return dag.add(dag.mul(dag.number(a), dag.make(Op::sin, dag.slot(0))),
                   dag.mul(dag.number(b), dag.make(Op::cos, dag.slot(1))));
  };
  Group same = ir::canonical(dag, single({body(3, 3)}, {4, 5}, 0));
  Group different = ir::canonical(dag, single({body(3, 4)}, {4, 5}, 0));
  EXPECT_EQ(same.roots, different.roots);
  EXPECT_EQ(same.data.size(), 2u);
}

TEST(Canonical, merges_slots_of_equal_columns) {
  Dag dag;
  Group group = single({dag.sub(dag.mul(dag.slot(0), dag.slot(2)), dag.slot(1))}, {4, 5, 4}, 0);
  Group result = ir::canonical(dag, group);
  EXPECT_EQ(result.slots.size(), 2u);
  EXPECT_EQ(result.roots[0], dag.sub(dag.mul(dag.slot(0), dag.slot(0)), dag.slot(1)));
  Group vanishing = ir::canonical(dag, single({dag.add(dag.sub(dag.slot(0), dag.slot(1)), dag.slot(2))}, {4, 4, 6}, 0));
  EXPECT_EQ(vanishing.roots[0], dag.slot(0));
  EXPECT_EQ(vanishing.slots[0][0], variable(6));
}

TEST(Canonical, is_idempotent_and_keeps_values) {
  ir::Expressions all;
  Dag& dag = all.dag;
  ExprId root = dag.select(dag.make(Op::less, dag.slot(2), dag.number(3)), dag.mul(dag.number(4), dag.slot(1)),
                           dag.div(dag.slot(0), dag.datum(1)));
  ir::CanonicalShape shape = ir::canonical_shape(dag, std::span(&root, 1));
  std::vector<double> slots{1.5, 2.5, 3.5}, data{9, 8}, new_slots, new_data;
  for (std::uint32_t old : shape.slots) new_slots.push_back(slots[old]);
  for (const auto& source : shape.data) new_data.push_back(source.is_literal ? source.literal : data[source.datum]);
  EXPECT_EQ(ir::evaluate(all, shape.roots, {.slots = new_slots, .data = new_data}),
            ir::evaluate(all, {&root, 1}, {.slots = slots, .data = data}));
  EXPECT_EQ(ir::canonical_shape(dag, shape.roots).roots, shape.roots);
}

TEST(Canonical, rolls_a_long_list_of_like_equations_into_one_group) {
  Dag dag;
  ir::Section section{1000, {}};
  for (std::uint32_t i = 0; i < 1000; ++i)  // x[i] − i·y[i]·2.5, each with its own slots
    section.groups.push_back(
        single({dag.sub(dag.slot(0), dag.mul(dag.number(i + 3), dag.mul(dag.number(2.5), dag.slot(1))))},
               {10 + i, 2000 + 2 * i}, i));
  ir::roll(dag, section);
  ASSERT_EQ(section.groups.size(), 1u);
  EXPECT_EQ(section.groups[0].n, 1000u);
  for (const Column& column : section.groups[0].slots) EXPECT_TRUE(column.is_affine());
  ir::verify(dag, section, 5000);
}

std::vector<double> numbers_of(const ir::DataColumn& column) {
  std::vector<double> numbers(column.size());
  EXPECT_EQ(column.copy_to(numbers.data()), numbers.data() + numbers.size());
  for (std::size_t i = 0; i < column.size(); ++i) EXPECT_EQ(column[i], numbers[i]);
  return numbers;
}

TEST(DataColumn, has_all_numbers_whether_they_differ_or_not) {
  ir::DataColumn column(3, 2.5);
  EXPECT_EQ(numbers_of(column), (std::vector<double>{2.5, 2.5, 2.5}));
  column.append(ir::DataColumn(2, 2.5));
  EXPECT_EQ(numbers_of(column), std::vector<double>(5, 2.5));
  column.push_back(-1);
  column.append(ir::DataColumn(2, 2.5));
  EXPECT_EQ(numbers_of(column), (std::vector<double>{2.5, 2.5, 2.5, 2.5, 2.5, -1, 2.5, 2.5}));
  EXPECT_EQ(numbers_of(column.pick(std::vector<std::uint32_t>{5, 0, 5})), (std::vector<double>{-1, 2.5, -1}));
  EXPECT_EQ(numbers_of(column.pick(std::vector<std::uint32_t>{})), std::vector<double>{});
  EXPECT_EQ(numbers_of(ir::DataColumn(std::vector<double>{})), std::vector<double>{});
  ir::DataColumn empty(0, 7);
  empty.append(ir::DataColumn(std::vector<double>{1, 2}));
  EXPECT_EQ(numbers_of(empty), (std::vector<double>{1, 2}));
}

TEST(DataColumn, tells_zeros_of_different_sign_apart_and_keeps_one_nan) {
  ir::DataColumn zeros(std::vector<double>{0.0, -0.0});
  EXPECT_FALSE(std::signbit(zeros[0]));
  EXPECT_TRUE(std::signbit(zeros[1]));
  ir::DataColumn nan(std::vector<double>{NAN, NAN});
  EXPECT_TRUE(std::isnan(nan[0]) && std::isnan(nan[1]));
}

TEST(Column, stays_affine_while_entries_continue) {
  Column column;
  for (std::uint32_t i = 0; i < 5; ++i) column.append(Column::affine(variable(10 + 3 * i), 0), i, 1);
  EXPECT_TRUE(column.is_affine());
  EXPECT_EQ(column.stride(), 3);
  column.append(Column::affine(variable(50), 1), 5, 2);
  EXPECT_FALSE(column.is_affine());
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < 7; ++i) found.push_back(column[i].index());
  EXPECT_EQ(found, (std::vector<std::size_t>{10, 13, 16, 19, 22, 50, 51}));
  EXPECT_TRUE(column.pick(std::vector<std::uint32_t>{0, 2, 4}).is_affine());
  EXPECT_TRUE(Column::listed({variable(4), variable(2), variable(0)}).is_affine());
  EXPECT_FALSE(Column::listed({variable(4), variable(2), variable(1)}).is_affine());
}

TEST(Substitute, replaces_all_leaves_at_once) {
  Dag dag;
  ExprId x = dag.slot(0), y = dag.slot(1);
  ExprId root = dag.sub(dag.mul(x, dag.datum(0)), y);
  std::vector<ExprId> swapped{y, x}, numbers{dag.number(4)};
  EXPECT_EQ(ir::substitute(dag, root, {.slots = swapped, .data = numbers}), dag.sub(dag.mul(y, dag.number(4)), x));
  EXPECT_EQ(ir::renumber_slots(dag, std::vector{root}, std::vector<std::uint32_t>{5, 5})[0],
            dag.sub(dag.mul(dag.slot(5), dag.datum(0)), dag.slot(5)));
  EXPECT_EQ(ir::leaves_of(dag, std::vector{root}, Op::slot), (std::vector<std::uint32_t>{0, 1}));
}

}  // namespace
}  // namespace bolza::test
