// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/shapes/linearity.h"

#include <array>

#include "compiler/ir/node_map.h"

namespace bolza::passes {

using ir::Op;

namespace {

/// node = coefficient·slot + rest; an absent coefficient says that the node does not depend on the slot.
struct NodeParts {
  bool known = true;
  ExprId coefficient, rest;
  bool depends() const { return bool(coefficient) || !known; }
};

NodeParts sum(ir::Dag& dag, Op op, const NodeParts& a, const NodeParts& b) {
  NodeParts result;
  result.rest = dag.make(op, a.rest, b.rest);
  if (a.coefficient && b.coefficient) result.coefficient = dag.make(op, a.coefficient, b.coefficient);
  else if (a.coefficient) result.coefficient = a.coefficient;
  else if (b.coefficient) result.coefficient = op == Op::sub ? dag.neg(b.coefficient) : b.coefficient;
  return result;
}

/// Scales both parts by an operand without the slot.
NodeParts scaled(ir::Dag& dag, Op op, const NodeParts& a, ExprId by) {
  return {true, a.coefficient ? dag.make(op, a.coefficient, by) : ExprId(), dag.make(op, a.rest, by)};
}

NodeParts chosen(ir::Dag& dag, ExprId condition, const NodeParts& a, const NodeParts& b) {
  NodeParts result{true, {}, dag.select(condition, a.rest, b.rest)};
  if (a.coefficient || b.coefficient)
    result.coefficient =
        dag.select(condition, a.coefficient ? a.coefficient : dag.zero(), b.coefficient ? b.coefficient : dag.zero());
  return result;
}

NodeParts combine_parts(ir::Dag& dag, ExprId e, std::span<const NodeParts> x) {
  constexpr bool not_linear = false;
  switch (dag.op(e)) {
    case Op::neg:
      return {true, x[0].coefficient ? dag.neg(x[0].coefficient) : ExprId(), dag.neg(x[0].rest)};
    case Op::no_event:
      return x[0];
    case Op::add:
    case Op::sub:
      return sum(dag, dag.op(e), x[0], x[1]);
    case Op::mul:
      if (!x[1].depends()) return scaled(dag, Op::mul, x[0], x[1].rest);
      if (!x[0].depends()) return scaled(dag, Op::mul, x[1], x[0].rest);
      return {not_linear, {}, {}};
    case Op::div:
      if (!x[1].depends()) return scaled(dag, Op::div, x[0], x[1].rest);
      return {not_linear, {}, {}};
    case Op::select:
      if (!x[0].depends()) return chosen(dag, x[0].rest, x[1], x[2]);
      return {not_linear, {}, {}};
    default:
      return {not_linear, {}, {}};  // every other operator is not linear
  }
}

}  // namespace

/// Parts by one node: the slot itself, or an expression of it; what reads the slot beside that node is not linear.
LinearParts Linearity::find_parts(ExprId root, ExprId of, std::uint32_t slot) {
  ir::NodeMap<NodeParts> parts;
  std::vector<NodeParts> x;
  for (ExprId e : ir::reachable(dag_, std::span(&root, 1))) {
    bool is_slot = dag_.op(e) == Op::slot && dag_.index(e) == slot;
    if (is_slot || e == of) {
      parts[e] = e == of ? NodeParts{true, dag_.one(), dag_.zero()} : NodeParts{false, {}, {}};
      continue;
    }
    x.clear();
    bool depends = false, known = true;
    for (ExprId operand : dag_.operands(e)) {
      x.push_back(*parts.find(operand));
      depends |= x.back().depends();
      known &= x.back().known;
    }
    NodeParts own = !depends ? NodeParts{true, {}, e} : known ? combine_parts(dag_, e, x) : NodeParts{false, {}, {}};
    parts[e] = own;
  }
  const NodeParts& own = *parts.find(root);
  LinearParts result{own.known, own.coefficient, own.rest};
  if (result.linear && !result.coefficient) result.coefficient = dag_.zero();
  return result;
}

const LinearParts& Linearity::linear_parts(ExprId root, std::uint32_t slot) {
  auto [at, is_new] = parts_.try_emplace({root, slot});
  if (is_new) at->second = find_parts(root, dag_.slot(slot), slot);
  return at->second;
}

LinearParts Linearity::inverted(ExprId root, std::uint32_t slot) {
  for (ExprId e : ir::reachable(dag_, std::span(&root, 1))) {
    if (dag_.op(e) != Op::output) continue;
    ExprId call = dag_.operands(e)[0];
    for (const ir::GivenInverse& inverse : expressions_.programs[dag_.program(call).index()].inverses) {
      std::vector<ExprId> arguments(dag_.operands(call).begin(), dag_.operands(call).end());
      LinearParts argument = find_parts(arguments[inverse.argument], dag_.slot(slot), slot);
      if (!argument.linear || dag_.is_number(argument.coefficient, 0)) continue;
      LinearParts outside = find_parts(root, e, slot);
      if (!outside.linear || !dag_.is_number(outside.coefficient) || dag_.is_number(outside.coefficient, 0)) continue;
      arguments[inverse.argument] = dag_.div(dag_.neg(outside.rest), outside.coefficient);
      if (reads(arguments, slot)) continue;
      ExprId back = dag_.output(dag_.call(inverse.program, arguments), 0);
      return {true, argument.coefficient, dag_.sub(argument.rest, back)};
    }
  }
  return {};
}

LinearParts Linearity::cleared_parts(ExprId root, std::uint32_t slot) {
  ExprId divisor = dag_.slot(slot);
  for (ExprId e : ir::reachable(dag_, std::span(&root, 1))) {
    if (dag_.op(e) != Op::div || dag_.operands(e)[1] != divisor) continue;
    ExprId numerator = dag_.operands(e)[0];
    LinearParts by = find_parts(root, e, slot);
    ExprId both[] = {numerator, by.coefficient, by.rest};
    if (!by.linear || reads(both, slot)) return {};
    return {true, by.rest, dag_.mul(by.coefficient, numerator)};
  }
  return {};
}

bool Linearity::reads(std::span<const ExprId> roots, std::uint32_t slot) const {
  for (ExprId e : ir::reachable(dag_, roots))
    if (dag_.op(e) == Op::slot && dag_.index(e) == slot) return true;
  return false;
}

const LinearParts& Linearity::solvable_parts(ExprId root, std::uint32_t slot) {
  const LinearParts& own = linear_parts(root, slot);
  if (own.linear) return own;
  auto [at, is_new] = solvable_.try_emplace({root, slot});
  if (is_new) at->second = inverted(root, slot);
  return at->second;
}

}  // namespace bolza::passes
