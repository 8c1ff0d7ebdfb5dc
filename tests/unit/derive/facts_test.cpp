// SPDX-License-Identifier: Apache-2.0
#include "compiler/derive/facts.h"
#include "difference.h"

namespace bolza::test {
namespace {

using derive::Coefficient;
using derive::Dependence;
using ir::Dag;
using ir::Expressions;
using ir::ExprId;
using ir::Op;

class Facts : public ::testing::Test {
 protected:
  derive::SlotFact fact(ExprId root, std::uint32_t slot) {
    for (const derive::SlotFact& f : derive::slot_facts(all, std::span(&root, 1)))
      if (f.slot == slot) return f;
    return {.slot = slot, .dependence = Dependence::free};
  }

  /// The solution put into the root must give 0, at data and other slots of some size.
  void expect_solves(ExprId root, std::uint32_t slot) {
    auto solution = derive::solve_for(all, root, slot);
    ASSERT_TRUE(solution);
    Vector values{0.7L, -1.3L, 2.1L, 0.4L}, data{1.7L, -0.6L};
    values[slot] = evaluate(all, {solution->value}, values, {}, data)[0];
    EXPECT_NEAR(static_cast<double>(evaluate(all, {root}, values, {}, data)[0]), 0, 1e-15);
  }

  Expressions all;
  Dag& dag = all.dag;
  ExprId x = dag.slot(0), y = dag.slot(1), z = dag.slot(2);
};

TEST_F(Facts, tell_linear_from_nonlinear_slots) {
  ExprId root = dag.sub(dag.add(dag.mul(dag.number(3), x), dag.mul(y, dag.make(Op::sin, z))), dag.slot(3));
  EXPECT_EQ(fact(root, 0).kind, Coefficient::literal);
  EXPECT_TRUE(fact(root, 0).solvable);
  EXPECT_EQ(fact(root, 1).dependence, Dependence::linear);
  EXPECT_EQ(fact(root, 1).kind, Coefficient::variable);
  EXPECT_FALSE(fact(root, 1).solvable);
  EXPECT_EQ(fact(root, 2).dependence, Dependence::nonlinear);
  EXPECT_EQ(fact(root, 3).kind, Coefficient::unit);
  EXPECT_TRUE(dag.is_number(fact(root, 3).coefficient, -1));
  EXPECT_EQ(fact(dag.mul(dag.datum(0), x), 0).kind, Coefficient::data);
  EXPECT_EQ(fact(dag.div(x, y), 1).dependence, Dependence::nonlinear);
  EXPECT_EQ(fact(dag.mul(x, x), 0).dependence, Dependence::nonlinear);
}

TEST_F(Facts, count_conditions_as_nonlinear) {
  ExprId root = dag.add(dag.select(dag.make(Op::greater, x, dag.zero()), y, dag.number(2)), z);
  EXPECT_EQ(fact(root, 0).dependence, Dependence::nonlinear);  // although the derivative is 0
  EXPECT_EQ(fact(root, 1).dependence, Dependence::linear);
  EXPECT_EQ(fact(root, 1).kind, Coefficient::variable);
  EXPECT_FALSE(derive::solve_for(all, root, 0));
}

TEST_F(Facts, solve_linear_equations) {
  EXPECT_EQ(derive::solve_for(all, dag.sub(x, dag.make(Op::sin, y)), 0)->value, dag.make(Op::sin, y));
  EXPECT_EQ(derive::solve_for(all, dag.sub(dag.make(Op::sin, y), x), 0)->value, dag.make(Op::sin, y));
  EXPECT_EQ(derive::solve_for(all, dag.mul(dag.datum(0), dag.sub(x, y)), 0)->value, y);
  expect_solves(dag.sub(dag.mul(x, y), dag.make(Op::exp, z)), 0);
  expect_solves(dag.add(dag.mul(dag.datum(0), x), dag.sub(y, dag.mul(dag.datum(1), x))), 0);  // twice in the root
  expect_solves(dag.select(dag.make(Op::greater, y, z), dag.sub(x, y), dag.add(dag.mul(dag.number(2), x), z)), 0);
  expect_solves(dag.sub(dag.div(dag.sub(y, x), z), dag.number(4)), 0);
  EXPECT_FALSE(derive::solve_for(all, dag.sub(dag.mul(x, x), y), 0));
  EXPECT_FALSE(derive::solve_for(all, dag.sub(y, z), 0));
}

TEST_F(Facts, list_nonlinear_interactions) {
  ExprId root = dag.add(dag.mul(x, y), dag.make(Op::sin, z));
  std::vector<std::pair<std::uint32_t, std::uint32_t>> expected{{1, 0}, {2, 2}};
  EXPECT_EQ(derive::nonlinear_interactions(all, std::span(&root, 1)), expected);
}

}  // namespace
}  // namespace bolza::test
