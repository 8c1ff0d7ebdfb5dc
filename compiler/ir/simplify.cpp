// SPDX-License-Identifier: Apache-2.0
// The local, exact simplifications of Dag::make. Each rule gives the same value as the operator for finite operands.
#include <cmath>

#include "base/expects.h"
#include "compiler/ir/apply.h"
#include "compiler/ir/dag.h"

namespace bolza::ir {
namespace {

/// Is a value of this operator always 0 or 1?
bool is_truth(Op op) { return op == Op::logical_not || (op >= Op::less && op <= Op::logical_or); }

}  // namespace

ExprId Dag::fold(Op op, Operands x, int arity) {
  for (int i = 0; i < arity; ++i)
    if (!is_number(x[i])) return {};
  double v = apply<double>(op, value(x[0]), arity > 1 ? value(x[1]) : 0, arity > 2 ? value(x[2]) : 0);
  return std::isfinite(v) ? number(v) : ExprId();
}

ExprId Dag::simplify(Op op, Operands x) {
  switch (op) {
    case Op::add:
    case Op::sub:
      return simplify_sum(op, x[0], x[1]);
    case Op::mul:
    case Op::div:
      return simplify_product(op, x[0], x[1]);
    case Op::select:
      return simplify_select(x[0], x[1], x[2]);
    case Op::pow:
    case Op::min:
    case Op::max:
    case Op::logical_and:
    case Op::logical_or:
      return simplify_binary(op, x[0], x[1]);
    case Op::neg:
    case Op::abs:
    case Op::sign:
    case Op::logical_not:
    case Op::no_event:
      return simplify_unary(op, x[0]);
    case Op::sqrt:
    case Op::exp:
    case Op::log:
    case Op::log10:
    case Op::sin:
    case Op::cos:
    case Op::tan:
    case Op::asin:
    case Op::acos:
    case Op::atan:
    case Op::sinh:
    case Op::cosh:
    case Op::tanh:
    case Op::asinh:
    case Op::acosh:
    case Op::atanh:
    case Op::floor:
    case Op::ceil:
    case Op::atan2:
    case Op::mod:
    case Op::rem:
    case Op::quotient:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::equal:
    case Op::not_equal:
      return {};
    case Op::number:
    case Op::slot:
    case Op::datum:
    case Op::weight:
    case Op::direction:
    case Op::call:
    case Op::output:
      break;
  }
  expects(false, "leaves, calls and outputs are not simplified");
  return {};
}

ExprId Dag::simplify_unary(Op op, ExprId a) {
  Op inner = this->op(a);
  if (op == Op::neg && inner == Op::neg) return operands(a)[0];
  if (op == Op::neg && inner == Op::sub) return sub(operands(a)[1], operands(a)[0]);
  if (op == Op::abs && inner == Op::neg) return make(Op::abs, operands(a)[0]);
  if (op == Op::abs && inner == Op::abs) return a;
  if (op == Op::sign && inner == Op::neg) return neg(make(Op::sign, operands(a)[0]));
  if (op == Op::no_event && inner == Op::no_event) return a;
  if (op == Op::logical_not && inner == Op::logical_not && is_truth(this->op(operands(a)[0]))) return operands(a)[0];
  return {};
}

ExprId Dag::simplify_sum(Op op, ExprId a, ExprId b) {
  if (is_number(b, 0)) return a;
  if (is_number(a, 0)) return op == Op::add ? b : neg(b);
  if (a == b) return op == Op::sub ? zero() : mul(number(2), a);
  if (this->op(b) == Op::neg) return make(op == Op::add ? Op::sub : Op::add, a, operands(b)[0]);
  if (op == Op::add && this->op(a) == Op::neg) return sub(b, operands(a)[0]);
  return {};
}

ExprId Dag::simplify_product(Op op, ExprId a, ExprId b) {
  if (is_number(a, 0)) return op == Op::mul || !is_number(b, 0) ? zero() : ExprId();
  if (op == Op::mul && is_number(b, 0)) return zero();
  if (is_number(b, 1)) return a;
  if (op == Op::mul && is_number(a, 1)) return b;
  if (is_number(b, -1)) return neg(a);
  if (op == Op::mul && is_number(a, -1)) return neg(b);
  if (this->op(a) == Op::neg && this->op(b) == Op::neg) return make(op, operands(a)[0], operands(b)[0]);
  if (this->op(a) == Op::neg)
    return is_number(b) ? make(op, operands(a)[0], number(-value(b))) : neg(make(op, operands(a)[0], b));
  if (this->op(b) == Op::neg)
    return is_number(a) ? make(op, number(-value(a)), operands(b)[0]) : neg(make(op, a, operands(b)[0]));
  return {};
}

ExprId Dag::simplify_binary(Op op, ExprId a, ExprId b) {
  if (op == Op::pow) {
    if (is_number(b, 1)) return a;
    if (is_number(b, 0) || is_number(a, 1)) return one();
    return {};
  }
  if (a == b && (op == Op::min || op == Op::max || is_truth(this->op(a)))) return a;
  if (op == Op::min || op == Op::max) return {};
  for (auto [literal, other] : {std::pair{a, b}, std::pair{b, a}}) {
    if (!is_number(literal)) continue;
    bool decides = (value(literal) != 0) == (op == Op::logical_or);
    if (decides) return number(op == Op::logical_or ? 1 : 0);
    if (is_truth(this->op(other))) return other;
  }
  return {};
}

ExprId Dag::simplify_select(ExprId condition, ExprId a, ExprId b) {
  if (a == b) return a;
  if (is_number(condition)) return value(condition) != 0 ? a : b;
  if (op(condition) == Op::logical_not) return select(operands(condition)[0], b, a);
  if (op(a) == Op::select && operands(a)[0] == condition) return select(condition, operands(a)[1], b);
  if (op(b) == Op::select && operands(b)[0] == condition) return select(condition, a, operands(b)[2]);
  return {};
}

}  // namespace bolza::ir
