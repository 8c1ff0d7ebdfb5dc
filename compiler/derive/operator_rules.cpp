// SPDX-License-Identifier: Apache-2.0
#include "compiler/derive/operator_rules_internal.h"

#include <array>
#include <numbers>

#include "base/expects.h"
#include "compiler/derive/partial.h"

namespace bolza::derive {

using ir::Dag;
using ir::ExprId;
using ir::Op;

namespace {

using Index = std::size_t;

constexpr double per_ln10 = 1 / std::numbers::ln10;
constexpr auto first_op = static_cast<Index>(Op::neg), last_op = static_cast<Index>(Op::logical_or);

ExprId left(const Dag& dag, ExprId e) { return dag.operands(e)[0]; }
ExprId right(const Dag& dag, ExprId e) { return dag.operands(e)[1]; }
ExprId square(Dag& dag, ExprId a) { return dag.mul(a, a); }
ExprId halved(Dag& dag, ExprId a) { return dag.mul(dag.number(0.5), a); }
ExprId doubled(Dag& dag, ExprId a) { return dag.mul(dag.number(2), a); }
ExprId one_plus_square(Dag& dag, ExprId a) { return dag.add(dag.one(), square(dag, a)); }
ExprId one_minus_square(Dag& dag, ExprId a) { return dag.sub(dag.one(), square(dag, a)); }

/// The argument of sqrt in the derivative of asin, acos, asinh, acosh.
ExprId root_argument(Dag& dag, Op op, ExprId a) {
  if (op == Op::asinh) return one_plus_square(dag, a);
  if (op == Op::acosh) return dag.mul(dag.sub(a, dag.one()), dag.add(a, dag.one()));  // keeps digits near 1
  return dag.mul(dag.sub(dag.one(), a), dag.add(dag.one(), a));
}

/// w / sqrt(q), q of root_argument.
ExprId over_root(Dag& dag, ExprId e, ExprId w) {
  return dag.div(w, dag.make(Op::sqrt, root_argument(dag, dag.op(e), left(dag, e))));
}

/// w·a / q^(3/2), q of root_argument.
ExprId over_cubed_root(Dag& dag, ExprId e, ExprId w) {
  ExprId a = left(dag, e), q = root_argument(dag, dag.op(e), a);
  return dag.div(times(dag, w, a), dag.mul(q, dag.make(Op::sqrt, q)));
}

/// a where a > 0, else 1: an argument for log whose logarithm is then 0.
ExprId positive_or_one(Dag& dag, ExprId a) { return dag.select(dag.make(Op::greater, a, dag.zero()), a, dag.one()); }

ExprId first_pow(Dag& dag, ExprId e, Index k, ExprId w) {
  ExprId a = left(dag, e), y = right(dag, e);
  if (k == 1) return times(dag, w, dag.mul(e, dag.make(Op::log, positive_or_one(dag, a))));
  if (dag.is_number(y)) return times(dag, w, dag.mul(y, dag.make(Op::pow, a, dag.number(dag.value(y) - 1))));
  ExprId base = dag.select(dag.make(Op::equal, y, dag.zero()), dag.one(), a);  // 0·a⁻¹ must be 0 at a = 0 too
  return times(dag, w, dag.mul(y, dag.make(Op::pow, base, dag.sub(y, dag.one()))));
}

ExprId second_pow(Dag& dag, ExprId e, Index k, Index m, ExprId w) {
  ExprId a = left(dag, e), y = right(dag, e);
  auto power = [&](ExprId base, double less) { return dag.make(Op::pow, base, dag.sub(y, dag.number(less))); };
  ExprId log_a = k + m > 0 ? dag.make(Op::log, positive_or_one(dag, a)) : ExprId();
  if (k == 1 && m == 1) return times(dag, w, dag.mul(e, square(dag, log_a)));
  if (k != m) return times(dag, w, dag.mul(power(a, 1), dag.add(dag.one(), dag.mul(y, log_a))));
  if (dag.is_number(y)) return times(dag, w, dag.mul(dag.number(dag.value(y) * (dag.value(y) - 1)), power(a, 2)));
  ExprId vanishes = dag.make(Op::logical_or, dag.make(Op::equal, y, dag.zero()), dag.make(Op::equal, y, dag.one()));
  ExprId factor = dag.mul(y, dag.sub(y, dag.one()));
  return times(dag, w, dag.mul(factor, power(dag.select(vanishes, dag.one(), a), 2)));
}

// atan2(a, b) is the angle of the point (b, a)
ExprId first_atan2(Dag& dag, ExprId e, Index k, ExprId w) {
  ExprId a = left(dag, e), b = right(dag, e);
  ExprId r2 = dag.add(square(dag, a), square(dag, b));
  return k == 0 ? times(dag, w, dag.div(b, r2)) : dag.neg(times(dag, w, dag.div(a, r2)));
}

ExprId second_atan2(Dag& dag, ExprId e, Index k, Index m, ExprId w) {
  ExprId a = left(dag, e), b = right(dag, e);
  ExprId a2 = square(dag, a), b2 = square(dag, b);
  ExprId r4 = square(dag, dag.add(a2, b2));
  if (k != m) return times(dag, w, dag.div(dag.sub(a2, b2), r4));
  ExprId twice = times(dag, w, dag.div(doubled(dag, dag.mul(a, b)), r4));
  return k == 0 ? dag.neg(twice) : twice;
}

ExprId second_div(Dag& dag, ExprId e, Index k, Index m, ExprId w) {
  ExprId b = right(dag, e);
  if (k == 0 && m == 0) return dag.zero();
  return k != m ? dag.neg(dag.div(w, square(dag, b))) : times(dag, w, dag.div(doubled(dag, e), square(dag, b)));
}

/// w for the operand that the value takes, 0 for the other one: min and max.
ExprId of_taken(Dag& dag, ExprId takes_right, Index k, ExprId w) {
  return dag.select(takes_right, k == 0 ? dag.zero() : w, k == 0 ? w : dag.zero());
}

constexpr std::array<DerivativeRule, last_op - first_op + 1> rules{{
    {Op::neg, [](Dag& dag, ExprId, Index, ExprId w) { return dag.neg(w); }, nullptr},
    {Op::abs,  // at zero the derivative to the right: an iteration for |a| = b that begins there has a direction
     [](Dag& dag, ExprId e, Index, ExprId w) {
       ExprId a = left(dag, e);
       return times(dag, w, dag.select(dag.make(Op::greater_equal, a, dag.zero()), dag.one(), dag.number(-1)));
     },
     nullptr},
    {Op::sign, nullptr, nullptr},
    {Op::sqrt, [](Dag& dag, ExprId e, Index, ExprId w) { return halved(dag, dag.div(w, e)); },
     [](Dag& dag, ExprId e, Index, Index, ExprId w) {
       return dag.mul(dag.number(-0.25), dag.div(w, dag.mul(left(dag, e), e)));
     }},
    {Op::exp, [](Dag& dag, ExprId e, Index, ExprId w) { return times(dag, w, e); },
     [](Dag& dag, ExprId e, Index, Index, ExprId w) { return times(dag, w, e); }},
    {Op::log, [](Dag& dag, ExprId e, Index, ExprId w) { return dag.div(w, left(dag, e)); },
     [](Dag& dag, ExprId e, Index, Index, ExprId w) { return dag.neg(dag.div(w, square(dag, left(dag, e)))); }},
    {Op::log10, [](Dag& dag, ExprId e, Index, ExprId w) { return dag.mul(dag.number(per_ln10), dag.div(w, left(dag, e))); },
     [](Dag& dag, ExprId e, Index, Index, ExprId w) {
       return dag.mul(dag.number(-per_ln10), dag.div(w, square(dag, left(dag, e))));
     }},
    {Op::sin, [](Dag& dag, ExprId e, Index, ExprId w) { return times(dag, w, dag.make(Op::cos, left(dag, e))); },
     [](Dag& dag, ExprId e, Index, Index, ExprId w) { return dag.neg(times(dag, w, e)); }},
    {Op::cos, [](Dag& dag, ExprId e, Index, ExprId w) { return dag.neg(times(dag, w, dag.make(Op::sin, left(dag, e)))); },
     [](Dag& dag, ExprId e, Index, Index, ExprId w) { return dag.neg(times(dag, w, e)); }},
    {Op::tan, [](Dag& dag, ExprId e, Index, ExprId w) { return times(dag, w, one_plus_square(dag, e)); },
     [](Dag& dag, ExprId e, Index, Index, ExprId w) {
       return times(dag, w, dag.mul(doubled(dag, e), one_plus_square(dag, e)));
     }},
    {Op::asin, [](Dag& dag, ExprId e, Index, ExprId w) { return over_root(dag, e, w); },
     [](Dag& dag, ExprId e, Index, Index, ExprId w) { return over_cubed_root(dag, e, w); }},
    {Op::acos, [](Dag& dag, ExprId e, Index, ExprId w) { return dag.neg(over_root(dag, e, w)); },
     [](Dag& dag, ExprId e, Index, Index, ExprId w) { return dag.neg(over_cubed_root(dag, e, w)); }},
    {Op::atan, [](Dag& dag, ExprId e, Index, ExprId w) { return dag.div(w, one_plus_square(dag, left(dag, e))); },
     [](Dag& dag, ExprId e, Index, Index, ExprId w) {
       ExprId a = left(dag, e);
       return dag.neg(dag.div(times(dag, w, doubled(dag, a)), square(dag, one_plus_square(dag, a))));
     }},
    {Op::sinh, [](Dag& dag, ExprId e, Index, ExprId w) { return times(dag, w, dag.make(Op::cosh, left(dag, e))); },
     [](Dag& dag, ExprId e, Index, Index, ExprId w) { return times(dag, w, e); }},
    {Op::cosh, [](Dag& dag, ExprId e, Index, ExprId w) { return times(dag, w, dag.make(Op::sinh, left(dag, e))); },
     [](Dag& dag, ExprId e, Index, Index, ExprId w) { return times(dag, w, e); }},
    {Op::tanh, [](Dag& dag, ExprId e, Index, ExprId w) { return times(dag, w, one_minus_square(dag, e)); },
     [](Dag& dag, ExprId e, Index, Index, ExprId w) {
       return dag.neg(times(dag, w, dag.mul(doubled(dag, e), one_minus_square(dag, e))));
     }},
    {Op::asinh, [](Dag& dag, ExprId e, Index, ExprId w) { return over_root(dag, e, w); },
     [](Dag& dag, ExprId e, Index, Index, ExprId w) { return dag.neg(over_cubed_root(dag, e, w)); }},
    {Op::acosh, [](Dag& dag, ExprId e, Index, ExprId w) { return over_root(dag, e, w); },
     [](Dag& dag, ExprId e, Index, Index, ExprId w) { return dag.neg(over_cubed_root(dag, e, w)); }},
    {Op::atanh, [](Dag& dag, ExprId e, Index, ExprId w) { return dag.div(w, root_argument(dag, Op::atanh, left(dag, e))); },
     [](Dag& dag, ExprId e, Index, Index, ExprId w) {
       ExprId a = left(dag, e);
       return dag.div(times(dag, w, doubled(dag, a)), square(dag, root_argument(dag, Op::atanh, a)));
     }},
    {Op::floor, nullptr, nullptr},
    {Op::ceil, nullptr, nullptr},
    {Op::logical_not, nullptr, nullptr},
    {Op::no_event, [](Dag&, ExprId, Index, ExprId w) { return w; }, nullptr},
    {Op::add, [](Dag&, ExprId, Index, ExprId w) { return w; }, nullptr},
    {Op::sub, [](Dag& dag, ExprId, Index k, ExprId w) { return k == 0 ? w : dag.neg(w); }, nullptr},
    {Op::mul, [](Dag& dag, ExprId e, Index k, ExprId w) { return times(dag, w, k == 0 ? right(dag, e) : left(dag, e)); },
     [](Dag& dag, ExprId, Index k, Index m, ExprId w) { return k != m ? w : dag.zero(); }},
    {Op::div,
     [](Dag& dag, ExprId e, Index k, ExprId w) {
       ExprId b = right(dag, e);
       return k == 0 ? dag.div(w, b) : dag.neg(times(dag, w, dag.div(e, b)));
     },
     second_div},
    {Op::pow, first_pow, second_pow},
    {Op::atan2, first_atan2, second_atan2},
    {Op::min,
     [](Dag& dag, ExprId e, Index k, ExprId w) {
       return of_taken(dag, dag.make(Op::less, right(dag, e), left(dag, e)), k, w);
     },
     nullptr},
    {Op::max,
     [](Dag& dag, ExprId e, Index k, ExprId w) {
       return of_taken(dag, dag.make(Op::less, left(dag, e), right(dag, e)), k, w);
     },
     nullptr},
    {Op::mod,
     [](Dag& dag, ExprId e, Index k, ExprId w) {
       return k == 0 ? w : dag.neg(times(dag, w, dag.make(Op::floor, dag.div(left(dag, e), right(dag, e)))));
     },
     nullptr},
    {Op::rem,
     [](Dag& dag, ExprId e, Index k, ExprId w) {
       return k == 0 ? w : dag.neg(times(dag, w, dag.make(Op::quotient, left(dag, e), right(dag, e))));
     },
     nullptr},
    {Op::quotient, nullptr, nullptr},
    {Op::less, nullptr, nullptr},
    {Op::less_equal, nullptr, nullptr},
    {Op::greater, nullptr, nullptr},
    {Op::greater_equal, nullptr, nullptr},
    {Op::equal, nullptr, nullptr},
    {Op::not_equal, nullptr, nullptr},
    {Op::logical_and, nullptr, nullptr},
    {Op::logical_or, nullptr, nullptr},
}};

constexpr bool every_operator_has_its_rule() {
  for (Index i = 0; i < rules.size(); ++i) {
    const ir::OpRow& row = ir::op_rows[first_op + i];
    if (rules[i].op != row.op || (row.arity != 1 && row.arity != 2)) return false;
    if (row.smoothness != ir::Smoothness::discontinuous && !rules[i].first) return false;
  }
  return true;
}
static_assert(every_operator_has_its_rule(),
              "every operator of one or two operands, in order, with its derivative unless it is discontinuous");

}  // namespace

const DerivativeRule& rule_of(Op op) {
  Index i = static_cast<Index>(op) - first_op;
  expects(i < rules.size(), "leaves, select and calls have no rule");
  return rules[i];
}

}  // namespace bolza::derive
