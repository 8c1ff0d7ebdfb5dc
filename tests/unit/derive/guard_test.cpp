// SPDX-License-Identifier: Apache-2.0
#include "compiler/derive/guard.h"
#include "difference.h"

namespace bolza::test {
namespace {

using ir::Dag;
using ir::Expressions;
using ir::ExprId;
using ir::Op;

/// All first and second derivatives of a guarded root at a point.
Vector all_derivatives(Expressions& all, ExprId root, const Vector& x, const Vector& data = {}) {
  ExprId guarded = derive::guard(all.dag, std::span(&root, 1))[0];
  std::vector<ExprId> values{guarded};
  for (const derive::JacobianEntry& entry : derive::jacobian(all, std::span(&guarded, 1))) values.push_back(entry.value);
  derive::WeightedHessian hessian = derive::hessian(all, std::span(&guarded, 1));
  for (const derive::GradientEntry& entry : hessian.gradient) values.push_back(entry.value);
  for (const derive::HessianEntry& entry : hessian.entries) values.push_back(entry.value);
  return evaluate(all, values, x, {1}, data);
}

TEST(Guard, keeps_a_square_root_finite_in_the_branch_not_taken) {
  Expressions all;
  Dag& dag = all.dag;
  ExprId x = dag.slot(0);
  ExprId root = dag.select(dag.make(Op::greater, x, dag.zero()), dag.make(Op::sqrt, x), dag.zero());
  for (long double at : {0.0L, -1.0L})
    for (long double value : all_derivatives(all, root, {at})) EXPECT_EQ(value, 0);
  Vector taken = all_derivatives(all, root, {4});
  EXPECT_EQ(taken[0], 2);
  EXPECT_EQ(taken[1], 0.25L);
}

TEST(Guard, covers_every_operator_with_a_restricted_domain) {
  for (const ir::OpRow& row : ir::op_rows) {
    if (row.guarded < 0) continue;
    Expressions all;
    Dag& dag = all.dag;
    std::vector<ExprId> operands{dag.slot(0), dag.slot(1)};
    if (row.domain == ir::Domain::power) operands[1] = dag.number(0.5);
    operands.resize(static_cast<std::size_t>(row.arity));
    ExprId e = dag.make(row.op, operands);
    ExprId root = dag.select(dag.make(Op::greater, dag.slot(2), dag.zero()), dag.mul(e, dag.slot(2)), dag.slot(2));
    for (long double bad : {0.0L, -1.0L, 1.0L, 7.0L})
      for (long double value : all_derivatives(all, root, {bad, row.arity == 2 ? 0.0L : bad, -1}))
        EXPECT_TRUE(std::isfinite(value)) << row.name << " at " << static_cast<double>(bad);
  }
}

TEST(Guard, leaves_alone_what_is_always_needed) {
  Expressions all;
  Dag& dag = all.dag;
  ExprId x = dag.slot(0), root = dag.make(Op::sqrt, x);
  ExprId condition = dag.make(Op::greater, dag.slot(1), dag.zero());
  ExprId in_both = dag.select(condition, dag.mul(root, dag.slot(1)), dag.sub(root, dag.slot(1)));
  EXPECT_EQ(derive::guard(dag, std::vector{in_both})[0], in_both);
  ExprId outside = dag.add(root, dag.select(condition, root, dag.one()));
  EXPECT_EQ(derive::guard(dag, std::vector{outside})[0], outside);
}

TEST(Guard, combines_nested_conditions) {
  Expressions all;
  Dag& dag = all.dag;
  ExprId x = dag.slot(0), y = dag.slot(1);
  ExprId x_positive = dag.make(Op::greater, x, dag.zero()), y_positive = dag.make(Op::greater, y, dag.zero());
  ExprId quotient = dag.div(dag.make(Op::log, x), dag.make(Op::sqrt, y));
  ExprId root = dag.select(x_positive, dag.select(y_positive, quotient, x), y);
  for (long double a : {-1.0L, 0.0L, 1.0L})
    for (long double b : {-1.0L, 0.0L, 1.0L})
      for (long double value : all_derivatives(all, root, {a, b})) EXPECT_TRUE(std::isfinite(value));
  ExprId guarded = derive::guard(dag, std::vector{root})[0];
  EXPECT_EQ(evaluate(all, {guarded}, {2, 4})[0], evaluate(all, {root}, {2, 4})[0]);
  EXPECT_EQ(derive::guard(dag, std::vector{guarded})[0], guarded);
}

TEST(Guard, accepts_conditions_that_depend_on_what_they_guard) {
  Expressions all;
  Dag& dag = all.dag;
  ExprId x = dag.slot(0), d = dag.make(Op::greater, dag.slot(1), dag.zero());
  ExprId n = dag.make(Op::sqrt, x);
  ExprId c = dag.make(Op::greater, dag.select(d, n, dag.zero()), dag.number(0.5));
  ExprId root = dag.select(c, dag.mul(n, dag.slot(1)), dag.slot(1));
  ExprId guarded = derive::guard(dag, std::vector{root})[0];
  for (long double y : {-1.0L, 1.0L}) EXPECT_EQ(evaluate(all, {guarded}, {4, y})[0], evaluate(all, {root}, {4, y})[0]);
  for (long double value : all_derivatives(all, root, {0, -1})) EXPECT_TRUE(std::isfinite(value));
}

TEST(Guard, handles_long_chains_of_conditions_in_linear_time) {
  Expressions all;
  Dag& dag = all.dag;
  ExprId value = dag.slot(0);
  for (int i = 0; i < 3000; ++i)
    value =
        dag.select(dag.make(Op::less, dag.slot(1), dag.number(i)), dag.make(Op::sqrt, dag.add(value, dag.number(i))), value);
  ExprId guarded = derive::guard(dag, std::vector{value})[0];
  EXPECT_EQ(evaluate(all, {guarded}, {1, 2990.5L})[0], evaluate(all, {value}, {1, 2990.5L})[0]);
}

}  // namespace
}  // namespace bolza::test
