// SPDX-License-Identifier: Apache-2.0
#include "compiler/derive/partial.h"

#include "compiler/derive/call_partial_internal.h"
#include "compiler/derive/operator_rules_internal.h"

namespace bolza::derive {

using ir::Dag;
using ir::Expressions;
using ir::ExprId;
using ir::Op;

namespace {

/// Is w zero on one side of a condition? Then products go under the condition: a partial derivative that is not finite there
/// does not matter, and the condition is applied once at the end of a chain of products.
bool is_mask(const Dag& dag, ExprId w) {
  if (dag.op(w) != Op::select) return false;
  return dag.is_number(dag.operands(w)[1], 0) || dag.is_number(dag.operands(w)[2], 0);
}

/// w where the condition is `wanted`, else zero. A mask within a mask becomes one whose condition joins both: a chain of n
/// branches has n conditions then, and not each product under as many as there are branches before it.
ExprId masked(Dag& dag, ExprId condition, bool wanted, ExprId w) {
  auto literal = [&](ExprId c, bool holds) { return holds ? c : dag.make(Op::logical_not, c); };
  if (is_mask(dag, w)) {
    std::span<const ExprId> x = dag.operands(w);
    bool inner_wanted = dag.is_number(x[2], 0);
    ExprId inner = x[0], value = inner_wanted ? x[1] : x[2];
    ExprId both = dag.make(Op::logical_and, literal(inner, inner_wanted), literal(condition, wanted));
    return dag.select(both, value, dag.zero());
  }
  return dag.select(condition, wanted ? w : dag.zero(), wanted ? dag.zero() : w);
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
  Op op = expressions.dag.op(e);
  if (op == Op::output) return call_is_differentiable(expressions, e, k);
  if (op == Op::select) return k > 0;
  int arity = ir::row_of(op).arity;
  return (arity == 1 || arity == 2) && rule_of(op).first;
}

ExprId chain(Expressions& expressions, ExprId e, std::size_t k, ExprId w) {
  Dag& dag = expressions.dag;
  if (dag.is_number(w, 0)) return w;
  if (dag.op(e) == Op::select) return k == 0 ? dag.zero() : masked(dag, dag.operands(e)[0], k == 1, w);
  if (is_mask(dag, w)) {
    std::span<const ExprId> x = dag.operands(w);
    ExprId yes = chain(expressions, e, k, x[1]), no = chain(expressions, e, k, x[2]);
    return dag.select(x[0], yes, no);
  }
  if (dag.op(e) == Op::output) return times(dag, w, call_partial(expressions, e, k));
  First first = rule_of(dag.op(e)).first;
  return first ? first(dag, e, k, w) : dag.zero();
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
  if (dag.op(e) == Op::select) return dag.zero();
  Second second = rule_of(dag.op(e)).second;
  return second ? second(dag, e, k, m, w) : dag.zero();
}

}  // namespace bolza::derive
