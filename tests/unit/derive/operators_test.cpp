// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/op.h"
#include "difference.h"

namespace bolza::test {
namespace {

using ir::Domain;
using ir::ExprId;
using ir::Op;
using ir::OpRow;

class Point {
 public:
  long double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  bool coin() { return random_() % 2 == 0; }

  /// A value of one operand of an operator, inside its domain and away from kinks and poles.
  long double operand(const OpRow& row, int k) {
    if (row.op == Op::select && k == 0) return coin() ? 1 : 0;
    if (row.domain == Domain::power) return k == 0 ? between(0.3, 2) : between(-2, 3);
    if (row.guarded == k) {
      switch (row.domain) {
        case Domain::nonnegative:
        case Domain::positive:
          return between(0.3, 3);
        case Domain::unit_interval:
        case Domain::open_unit_interval:
          return between(-0.85, 0.85);
        case Domain::above_one:
          return between(1.2, 4);
        case Domain::nonzero:
          return between(0.6, 2) * (coin() ? 1 : -1);
        case Domain::all:
        case Domain::power:
          break;
      }
    }
    return between(-1.3, 1.3);
  }

 private:
  std::mt19937 random_{12345};
};

TEST(Operators, have_exact_first_and_second_derivatives) {
  Point point;
  for (const OpRow& row : ir::op_rows) {
    if (row.arity < 1 || row.op == Op::output) continue;
    ir::Expressions all;
    std::vector<ExprId> operands;
    for (int k = 0; k < row.arity; ++k) operands.push_back(all.dag.slot(static_cast<std::uint32_t>(k)));
    ExprId e = all.dag.make(row.op, operands);
    int compared = 0;
    for (int repeat = 0; repeat < 20; ++repeat) {
      Vector x;
      for (int k = 0; k < row.arity; ++k) x.push_back(point.operand(row, k));
      compared += derivatives_agree(all, {e}, x, std::string(row.name));
    }
    EXPECT_GE(compared, 18) << row.name;
  }
}

TEST(Operators, obey_the_chain_rule_with_shared_operands) {
  Point point;
  for (const OpRow& row : ir::op_rows) {
    if (row.arity < 1 || row.op == Op::output || row.smoothness == ir::Smoothness::discontinuous) continue;
    ir::Expressions all;
    ir::Dag& dag = all.dag;
    ExprId x = dag.slot(0), y = dag.slot(1);
    // Operands in every domain: 0.3 + 0.4·sin²(x·y) lies in [0.3, 0.7], one more in (1, 2).
    ExprId inner = dag.add(dag.number(0.3),
                           dag.mul(dag.number(0.4), dag.make(Op::pow, dag.make(Op::sin, dag.mul(x, y)), dag.number(2))));
    if (row.domain == Domain::above_one) inner = dag.add(inner, dag.one());
    ExprId other = dag.add(dag.number(1.5), dag.mul(inner, x));
    std::vector<ExprId> operands{inner, other, dag.add(x, y)};
    operands.resize(static_cast<std::size_t>(row.arity));
    ExprId e = dag.make(row.op, operands);
    ExprId twice = row.arity == 2 ? dag.make(row.op, inner, inner) : e;  // both operands the same node
    int compared = 0;
    for (int repeat = 0; repeat < 10; ++repeat)
      compared += derivatives_agree(all, {dag.mul(e, y), twice}, {point.between(0.2, 1.2), point.between(0.2, 1.2)},
                                    std::string(row.name));
    EXPECT_GE(compared, 9) << row.name;
  }
}

TEST(Operators, differentiate_powers_with_literal_exponents) {
  for (double exponent : {-2.0, -1.0, -0.5, 0.5, 1.5, 2.0, 3.0, 4.0, 7.0}) {
    ir::Expressions all;
    ExprId e = all.dag.make(Op::pow, all.dag.slot(0), all.dag.number(exponent));
    EXPECT_TRUE(derivatives_agree(all, {e}, {1.3L}, "x^" + std::to_string(exponent)));
    bool is_integer = exponent == std::floor(exponent);
    if (is_integer) {
      EXPECT_TRUE(derivatives_agree(all, {e}, {-0.8L}, "(-x)^" + std::to_string(exponent)));
    }
    if (is_integer && exponent > 1) {
      EXPECT_TRUE(derivatives_agree(all, {e}, {0.0L}, "0^" + std::to_string(exponent)));
    }
    for (const derive::GradientEntry& entry : derive::gradient(all, e))  // no logarithm for a literal exponent
      for (ExprId node : ir::reachable(all.dag, std::span(&entry.value, 1))) EXPECT_NE(all.dag.op(node), Op::log);
  }
}

TEST(Operators, differentiate_powers_at_zero_and_negative_bases) {
  ir::Expressions all;
  ExprId e = all.dag.make(Op::pow, all.dag.slot(0), all.dag.datum(0));
  auto derivative = [&](long double base, long double exponent) {
    return evaluate(all, {derive::gradient(all, e)[0].value}, {base}, {}, {exponent})[0];
  };
  EXPECT_EQ(derivative(0, 0), 0);  // x^0 = 1
  EXPECT_EQ(derivative(0, 1), 1);
  EXPECT_EQ(derivative(0, 2), 0);
  EXPECT_NEAR(static_cast<double>(derivative(-1.5, 3)), 3 * 2.25, 1e-14);
  ExprId by_exponent = all.dag.make(Op::pow, all.dag.slot(0), all.dag.slot(1));
  ExprId d = derive::gradient(all, by_exponent)[1].value;
  EXPECT_EQ(evaluate(all, {d}, {0, 2})[0], 0);  // 0^y = 0 for all y > 0
  EXPECT_TRUE(std::isfinite(evaluate(all, {d}, {-2, 2})[0]));
}

TEST(Operators, say_where_they_can_have_a_derivative) {
  ir::Expressions all;
  ir::Dag& dag = all.dag;
  ExprId x = dag.slot(0);
  ExprId relation = dag.make(Op::less, x, dag.one());
  EXPECT_TRUE(derive::gradient(all, dag.make(Op::floor, x)).empty());
  EXPECT_TRUE(derive::gradient(all, dag.select(relation, dag.number(2), dag.number(3))).empty());
  EXPECT_EQ(derive::gradient(all, dag.make(Op::no_event, x))[0].value, dag.one());
}

}  // namespace
}  // namespace bolza::test
