// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/dag.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "compiler/ir/apply.h"
#include "compiler/ir/interpret.h"

namespace bolza::test {
namespace {

using ir::Dag;
using ir::ExprId;
using ir::Op;

TEST(Dag, gives_equal_expressions_equal_ids) {
  Dag dag;
  ExprId x = dag.slot(0), y = dag.slot(1);
  EXPECT_EQ(dag.slot(0), x);
  EXPECT_NE(x, y);
  EXPECT_NE(dag.datum(0), x);
  EXPECT_EQ(dag.mul(dag.make(Op::sin, x), y), dag.mul(dag.make(Op::sin, x), y));
  EXPECT_EQ(dag.number(0.1), dag.number(0.1));
  EXPECT_EQ(dag.number(-0.0), dag.zero());
  ExprId call = dag.call(ir::ProgramId(std::size_t{0}), std::vector{x, y});
  EXPECT_EQ(dag.call(ir::ProgramId(std::size_t{0}), std::vector{x, y}), call);
  EXPECT_NE(dag.call(ir::ProgramId(std::size_t{0}), std::vector{y, x}), call);
  EXPECT_EQ(dag.operands(call).size(), 2u);
  EXPECT_EQ(dag.index(dag.output(call, 3)), 3u);
}

TEST(Dag, orders_commutative_operands_by_structure_only) {
  Dag dag;
  ExprId late = dag.slot(7), early = dag.slot(3);
  ExprId a = dag.make(Op::sin, late), b = dag.make(Op::exp, early);
  EXPECT_EQ(dag.add(a, b), dag.add(b, a));
  EXPECT_EQ(dag.mul(dag.number(3), late), dag.mul(late, dag.number(3)));
  ExprId tie = dag.mul(late, early);  // equal keys: order of the source
  EXPECT_EQ(dag.operands(tie)[0], late);
  EXPECT_EQ(dag.shape_key(a), dag.shape_key(dag.make(Op::sin, early)));
  // A literal that becomes a datum sorts like one, so shapes stay equal when it does.
  EXPECT_EQ(dag.shape_key(dag.number(3.5)), dag.shape_key(dag.datum(4)));
}

TEST(Dag, simplifies_exactly) {
  Dag dag;
  ExprId x = dag.slot(0), y = dag.slot(1), c = dag.make(Op::less, x, y);
  EXPECT_EQ(dag.add(x, dag.zero()), x);
  EXPECT_EQ(dag.sub(dag.zero(), x), dag.neg(x));
  EXPECT_EQ(dag.sub(x, x), dag.zero());
  EXPECT_EQ(dag.mul(x, dag.one()), x);
  EXPECT_EQ(dag.mul(dag.zero(), x), dag.zero());
  EXPECT_EQ(dag.mul(dag.number(-1), x), dag.neg(x));
  EXPECT_EQ(dag.div(x, dag.one()), x);
  EXPECT_EQ(dag.neg(dag.neg(x)), x);
  EXPECT_EQ(dag.add(x, dag.neg(y)), dag.sub(x, y));
  EXPECT_EQ(dag.make(Op::pow, x, dag.one()), x);
  EXPECT_EQ(dag.make(Op::pow, x, dag.zero()), dag.one());
  EXPECT_EQ(dag.select(c, x, x), x);
  EXPECT_EQ(dag.select(dag.one(), x, y), x);
  EXPECT_EQ(dag.select(c, dag.select(c, x, y), y), dag.select(c, x, y));
  EXPECT_EQ(dag.make(Op::logical_not, dag.make(Op::logical_not, c)), c);
  EXPECT_EQ(dag.make(Op::logical_and, c, dag.one()), c);
  EXPECT_EQ(dag.make(Op::logical_or, c, dag.one()), dag.one());
  EXPECT_TRUE(dag.is_number(dag.make(Op::sqrt, dag.number(9)), 3));
  EXPECT_EQ(dag.op(dag.div(dag.one(), dag.zero())), Op::div);  // kept, to be reported where it stands
  EXPECT_EQ(dag.op(dag.make(Op::sqrt, dag.number(-1))), Op::sqrt);
}

/// Builds a random expression through `make` and evaluates the same one operator by operator, without any simplification.
TEST(Dag, has_the_value_of_the_unsimplified_expression) {
  std::mt19937 random(7);
  const double interesting[] = {0, 1, -1, 2, 0.5, -3, 0.7};
  constexpr Op operators[] = {Op::neg,         Op::abs,        Op::sign,   Op::sin, Op::atan, Op::floor, Op::no_event,
                              Op::add,         Op::sub,        Op::mul,    Op::min, Op::max,  Op::less,  Op::logical_not,
                              Op::logical_and, Op::logical_or, Op::select, Op::add, Op::sub,  Op::mul};
  for (int round = 0; round < 500; ++round) {
    ir::Expressions all;
    std::vector<double> slots{0.3, -1.2, 2.5};
    std::vector<std::pair<ExprId, double>> made;
    for (std::uint32_t k = 0; k < 3; ++k) made.emplace_back(all.dag.slot(k), slots[k]);
    for (double v : interesting) made.emplace_back(all.dag.number(v), v);
    for (int i = 0; i < 40; ++i) {
      auto a = made[random() % made.size()], b = made[random() % made.size()], c = made[random() % made.size()];
      Op op = operators[random() % std::size(operators)];
      double value = ir::apply<double>(op, a.second, b.second, c.second);
      std::array operands{a.first, b.first, c.first};
      if (std::fabs(value) < 1e6)
        made.emplace_back(all.dag.make(op, std::span(operands).first(static_cast<std::size_t>(ir::row_of(op).arity))),
                          value);
    }
    std::vector<ExprId> roots;
    for (const auto& [e, value] : made) roots.push_back(e);
    std::vector<double> values = ir::evaluate(all, roots, {.slots = slots});
    for (std::size_t i = 0; i < made.size(); ++i)
      ASSERT_NEAR(values[i], made[i].second, 1e-12 * (1 + std::fabs(made[i].second)));
  }
}

TEST(Dag, lists_reachable_nodes_in_evaluation_order) {
  Dag dag;
  ExprId x = dag.slot(0);
  std::vector<ExprId> chain{x};
  for (int i = 0; i < 5000; ++i) {
    dag.make(Op::sin, dag.number(i + 0.5));  // noise that is not reached
    chain.push_back(dag.add(dag.make(Op::cos, chain.back()), x));
  }
  std::vector<ExprId> few = ir::reachable(dag, std::vector{chain[3], chain[2]});
  EXPECT_EQ(few.size(), 7u);
  std::vector<ExprId> all = ir::reachable(dag, std::vector{chain.back()});
  EXPECT_EQ(all.size(), 10001u);
  for (std::size_t i = 1; i < all.size(); ++i) ASSERT_LT(all[i - 1], all[i]);
}

TEST(Dag, keeps_operands_in_place_while_it_grows) {
  Dag dag;
  ExprId sum = dag.add(dag.slot(0), dag.slot(1));
  std::span<const ExprId> operands = dag.operands(sum);
  for (std::uint32_t k = 0; k < 100'000; ++k) dag.slot(k);
  EXPECT_EQ(operands.data(), dag.operands(sum).data());
}

TEST(Dag, finds_a_million_nodes_again) {  // what they cost: benchmarks/dag.cpp
  Dag dag;
  auto make = [&] {
    ExprId x = dag.slot(0);
    for (std::uint32_t i = 0; i < 333'333; ++i) x = dag.add(dag.mul(x, dag.slot(i % 1000)), dag.make(Op::sin, dag.slot(i)));
    return x;
  };
  ExprId made = make();
  std::size_t size = dag.size();
  EXPECT_GT(size, 1'000'000u);
  EXPECT_EQ(make(), made);
  EXPECT_EQ(dag.size(), size);
}

}  // namespace
}  // namespace bolza::test
