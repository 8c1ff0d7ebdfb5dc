#include "compiler/derive/partial.h"

#include <numbers>

#include "base/expects.h"
#include "compiler/derive/call_partial_internal.h"

namespace bolza::derive {

using ir::Dag;
using ir::Expressions;
using ir::ExprId;
using ir::Op;

namespace {

constexpr double per_ln10 = 1 / std::numbers::ln10;

ExprId square(Dag& dag, ExprId a) { return dag.mul(a, a); }
ExprId halved(Dag& dag, ExprId a) { return dag.mul(dag.number(0.5), a); }
ExprId doubled(Dag& dag, ExprId a) { return dag.mul(dag.number(2), a); }
ExprId one_plus_square(Dag& dag, ExprId a) { return dag.add(dag.one(), square(dag, a)); }
ExprId one_minus_square(Dag& dag, ExprId a) { return dag.sub(dag.one(), square(dag, a)); }

/// Is w zero on one side of a condition? Then products go under the condition: a partial derivative that is not finite there
/// does not matter, and the condition is applied once at the end of a chain of products.
bool is_mask(const Dag& dag, ExprId w) {
  if (dag.op(w) != Op::select) return false;
  return dag.is_number(dag.operands(w)[1], 0) || dag.is_number(dag.operands(w)[2], 0);
}

/// The argument of sqrt in the derivative of asin, acos, asinh, acosh.
ExprId root_argument(Dag& dag, Op op, ExprId a) {
  if (op == Op::asinh) return one_plus_square(dag, a);
  if (op == Op::acosh) return dag.mul(dag.sub(a, dag.one()), dag.add(a, dag.one()));  // keeps digits near 1
  return dag.mul(dag.sub(dag.one(), a), dag.add(dag.one(), a));
}

/// a where a > 0, else 1: an argument for log whose logarithm is then 0.
ExprId positive_or_one(Dag& dag, ExprId a) { return dag.select(dag.make(Op::greater, a, dag.zero()), a, dag.one()); }

// ---------------------------------------------------------------- first derivatives, times w

ExprId chain_unary(Dag& dag, ExprId e, ExprId w) {
  ExprId a = dag.operands(e)[0];
  Op op = dag.op(e);
  switch (op) {
    case Op::neg:
      return dag.neg(w);
    case Op::abs:  // at zero the derivative to the right: an iteration for |a| = b that begins there has a direction
      return times(dag, w, dag.select(dag.make(Op::greater_equal, a, dag.zero()), dag.one(), dag.number(-1)));
    case Op::no_event:
      return w;
    case Op::sqrt:
      return halved(dag, dag.div(w, e));
    case Op::exp:
      return times(dag, w, e);
    case Op::log:
      return dag.div(w, a);
    case Op::log10:
      return dag.mul(dag.number(per_ln10), dag.div(w, a));
    case Op::sin:
      return times(dag, w, dag.make(Op::cos, a));
    case Op::cos:
      return dag.neg(times(dag, w, dag.make(Op::sin, a)));
    case Op::tan:
      return times(dag, w, one_plus_square(dag, e));
    case Op::acos:
      return dag.neg(dag.div(w, dag.make(Op::sqrt, root_argument(dag, op, a))));
    case Op::asin:
    case Op::asinh:
    case Op::acosh:
      return dag.div(w, dag.make(Op::sqrt, root_argument(dag, op, a)));
    case Op::atan:
      return dag.div(w, one_plus_square(dag, a));
    case Op::sinh:
      return times(dag, w, dag.make(Op::cosh, a));
    case Op::cosh:
      return times(dag, w, dag.make(Op::sinh, a));
    case Op::tanh:
      return times(dag, w, one_minus_square(dag, e));
    case Op::atanh:
      return dag.div(w, root_argument(dag, op, a));
    default:
      return dag.zero();  // sign, floor, ceil, not
  }
}

ExprId chain_pow(Dag& dag, ExprId e, std::size_t k, ExprId w) {
  ExprId a = dag.operands(e)[0], y = dag.operands(e)[1];
  if (k == 1) return times(dag, w, dag.mul(e, dag.make(Op::log, positive_or_one(dag, a))));
  if (dag.is_number(y)) return times(dag, w, dag.mul(y, dag.make(Op::pow, a, dag.number(dag.value(y) - 1))));
  ExprId base = dag.select(dag.make(Op::equal, y, dag.zero()), dag.one(), a);  // 0·a⁻¹ must be 0 at a = 0 too
  return times(dag, w, dag.mul(y, dag.make(Op::pow, base, dag.sub(y, dag.one()))));
}

ExprId chain_binary(Dag& dag, ExprId e, std::size_t k, ExprId w) {
  ExprId a = dag.operands(e)[0], b = dag.operands(e)[1];
  switch (dag.op(e)) {
    case Op::add:
      return w;
    case Op::sub:
      return k == 0 ? w : dag.neg(w);
    case Op::mul:
      return times(dag, w, k == 0 ? b : a);
    case Op::div:
      return k == 0 ? dag.div(w, b) : dag.neg(times(dag, w, dag.div(e, b)));
    case Op::pow:
      return chain_pow(dag, e, k, w);
    case Op::atan2: {  // atan2(a, b), angle of the point (b, a)
      ExprId r2 = dag.add(square(dag, a), square(dag, b));
      return k == 0 ? times(dag, w, dag.div(b, r2)) : dag.neg(times(dag, w, dag.div(a, r2)));
    }
    case Op::min:
      return dag.select(dag.make(Op::less, b, a), k == 0 ? dag.zero() : w, k == 0 ? w : dag.zero());
    case Op::max:
      return dag.select(dag.make(Op::less, a, b), k == 0 ? dag.zero() : w, k == 0 ? w : dag.zero());
    case Op::mod:
      return k == 0 ? w : dag.neg(times(dag, w, dag.make(Op::floor, dag.div(a, b))));
    case Op::rem:
      return k == 0 ? w : dag.neg(times(dag, w, dag.make(Op::quotient, a, b)));
    default:
      return dag.zero();  // div(), relations, and, or
  }
}

// ---------------------------------------------------------------- second derivatives, times w

ExprId second_unary(Dag& dag, ExprId e, ExprId w) {
  ExprId a = dag.operands(e)[0];
  Op op = dag.op(e);
  auto over_cube_root = [&] {  // w·a / q^(3/2)
    ExprId q = root_argument(dag, op, a);
    return dag.div(times(dag, w, a), dag.mul(q, dag.make(Op::sqrt, q)));
  };
  switch (op) {
    case Op::sqrt:
      return dag.mul(dag.number(-0.25), dag.div(w, dag.mul(a, e)));
    case Op::exp:
      return times(dag, w, e);
    case Op::log:
      return dag.neg(dag.div(w, square(dag, a)));
    case Op::log10:
      return dag.mul(dag.number(-per_ln10), dag.div(w, square(dag, a)));
    case Op::sin:
    case Op::cos:
      return dag.neg(times(dag, w, e));
    case Op::tan:
      return times(dag, w, dag.mul(doubled(dag, e), one_plus_square(dag, e)));
    case Op::asin:
      return over_cube_root();
    case Op::acos:
    case Op::asinh:
    case Op::acosh:
      return dag.neg(over_cube_root());
    case Op::atan:
      return dag.neg(dag.div(times(dag, w, doubled(dag, a)), square(dag, one_plus_square(dag, a))));
    case Op::sinh:
    case Op::cosh:
      return times(dag, w, e);
    case Op::tanh:
      return dag.neg(times(dag, w, dag.mul(doubled(dag, e), one_minus_square(dag, e))));
    case Op::atanh:
      return dag.div(times(dag, w, doubled(dag, a)), square(dag, root_argument(dag, op, a)));
    default:
      return dag.zero();
  }
}

ExprId second_pow(Dag& dag, ExprId e, std::size_t k, std::size_t m, ExprId w) {
  ExprId a = dag.operands(e)[0], y = dag.operands(e)[1];
  auto power = [&](ExprId base, double less) { return dag.make(Op::pow, base, dag.sub(y, dag.number(less))); };
  ExprId log_a = k + m > 0 ? dag.make(Op::log, positive_or_one(dag, a)) : ExprId();
  if (k == 1 && m == 1) return times(dag, w, dag.mul(e, square(dag, log_a)));
  if (k != m) return times(dag, w, dag.mul(power(a, 1), dag.add(dag.one(), dag.mul(y, log_a))));
  if (dag.is_number(y)) return times(dag, w, dag.mul(dag.number(dag.value(y) * (dag.value(y) - 1)), power(a, 2)));
  ExprId vanishes = dag.make(Op::logical_or, dag.make(Op::equal, y, dag.zero()), dag.make(Op::equal, y, dag.one()));
  ExprId factor = dag.mul(y, dag.sub(y, dag.one()));
  return times(dag, w, dag.mul(factor, power(dag.select(vanishes, dag.one(), a), 2)));
}

ExprId second_binary(Dag& dag, ExprId e, std::size_t k, std::size_t m, ExprId w) {
  ExprId a = dag.operands(e)[0], b = dag.operands(e)[1];
  switch (dag.op(e)) {
    case Op::mul:
      return k != m ? w : dag.zero();
    case Op::div:
      if (k == 0 && m == 0) return dag.zero();
      return k != m ? dag.neg(dag.div(w, square(dag, b))) : times(dag, w, dag.div(doubled(dag, e), square(dag, b)));
    case Op::pow:
      return second_pow(dag, e, k, m, w);
    case Op::atan2: {
      ExprId a2 = square(dag, a), b2 = square(dag, b);
      ExprId r4 = square(dag, dag.add(a2, b2));
      if (k != m) return times(dag, w, dag.div(dag.sub(a2, b2), r4));
      ExprId twice = times(dag, w, dag.div(doubled(dag, dag.mul(a, b)), r4));
      return k == 0 ? dag.neg(twice) : twice;
    }
    default:
      return dag.zero();
  }
}

}  // namespace

ExprId times(Dag& dag, ExprId a, ExprId b) { return a < b ? dag.mul(a, b) : dag.mul(b, a); }

ExprId plus(Dag& dag, ExprId a, ExprId b) {
  if (dag.op(a) != Op::select || dag.op(b) != Op::select) return dag.add(a, b);
  std::span<const ExprId> x = dag.operands(a), y = dag.operands(b);
  return x[0] == y[0] ? dag.select(x[0], plus(dag, x[1], y[1]), plus(dag, x[2], y[2])) : dag.add(a, b);
}

std::span<const ExprId> operands_of(const Dag& dag, ExprId e) {
  return dag.op(e) == Op::output ? dag.operands(dag.operands(e)[0]) : dag.operands(e);
}

bool differentiable(const Expressions& expressions, ExprId e, std::size_t k) {
  switch (expressions.dag.op(e)) {
    case Op::sign:
    case Op::floor:
    case Op::ceil:
    case Op::logical_not:
    case Op::quotient:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::equal:
    case Op::not_equal:
    case Op::logical_and:
    case Op::logical_or:
    case Op::number:
    case Op::slot:
    case Op::datum:
    case Op::weight:
    case Op::direction:
    case Op::call:
      return false;
    case Op::select:
      return k > 0;
    case Op::output:
      return call_is_differentiable(expressions, e, k);
    case Op::neg:
    case Op::abs:
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
    case Op::no_event:
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div:
    case Op::pow:
    case Op::atan2:
    case Op::min:
    case Op::max:
    case Op::mod:
    case Op::rem:
      return true;
  }
  return false;
}

ExprId chain(Expressions& expressions, ExprId e, std::size_t k, ExprId w) {
  Dag& dag = expressions.dag;
  if (dag.is_number(w, 0)) return w;
  if (is_mask(dag, w)) {
    std::span<const ExprId> x = dag.operands(w);
    ExprId yes = chain(expressions, e, k, x[1]), no = chain(expressions, e, k, x[2]);
    return dag.select(x[0], yes, no);
  }
  if (dag.op(e) == Op::output) return times(dag, w, call_partial(expressions, e, k));
  if (dag.op(e) == Op::select) {
    ExprId condition = dag.operands(e)[0];
    if (k == 0) return dag.zero();
    return dag.select(condition, k == 1 ? w : dag.zero(), k == 1 ? dag.zero() : w);
  }
  int arity = ir::row_of(dag.op(e)).arity;
  expects(arity == 1 || arity == 2, "leaves and calls have no operands to differentiate by");
  return arity == 1 ? chain_unary(dag, e, w) : chain_binary(dag, e, k, w);
}

ExprId partial(Expressions& expressions, ExprId e, std::size_t k) { return chain(expressions, e, k, expressions.dag.one()); }

ExprId second_chain(Expressions& expressions, ExprId e, std::size_t k, std::size_t m, ExprId w) {
  Dag& dag = expressions.dag;
  if (dag.is_number(w, 0)) return w;
  if (is_mask(dag, w)) {
    std::span<const ExprId> x = dag.operands(w);
    ExprId yes = second_chain(expressions, e, k, m, x[1]), no = second_chain(expressions, e, k, m, x[2]);
    return dag.select(x[0], yes, no);
  }
  if (dag.op(e) == Op::output) return times(dag, w, call_second_partial(expressions, e, k, m));
  int arity = ir::row_of(dag.op(e)).arity;
  if (arity == 3) return dag.zero();
  expects(arity == 1 || arity == 2, "leaves and calls have no operands to differentiate by");
  return arity == 1 ? second_unary(dag, e, w) : second_binary(dag, e, k, m, w);
}

}  // namespace bolza::derive
