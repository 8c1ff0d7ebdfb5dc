// SPDX-License-Identifier: Apache-2.0
#include "compiler/derive/facts.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "compiler/derive/hessian.h"
#include "compiler/derive/jacobian.h"
#include "compiler/ir/node_map.h"
#include "compiler/ir/substitute.h"

namespace bolza::derive {

using ir::Dag;
using ir::Expressions;
using ir::ExprId;
using ir::Op;

namespace {

/// How a node depends on slots: those it is linear in, and those it is not; ascending, disjoint.
struct Slots {
  std::vector<std::uint32_t> linear, nonlinear;
  bool free() const { return linear.empty() && nonlinear.empty(); }
};

std::vector<std::uint32_t> joined(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::vector<std::uint32_t> result;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

std::vector<std::uint32_t> without(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::vector<std::uint32_t> result;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

Slots sum_of(const Slots& a, const Slots& b) {
  Slots result;
  result.nonlinear = joined(a.nonlinear, b.nonlinear);
  result.linear = without(joined(a.linear, b.linear), result.nonlinear);
  return result;
}

Slots all_nonlinear(const Slots& a) { return {{}, joined(a.linear, a.nonlinear)}; }

/// a·b: linear in what only one factor reads, if that factor is linear in it.
Slots product_of(const Slots& a, const Slots& b) {
  std::vector<std::uint32_t> in_a = joined(a.linear, a.nonlinear), in_b = joined(b.linear, b.nonlinear);
  Slots result;
  result.linear = joined(without(a.linear, in_b), without(b.linear, in_a));
  result.nonlinear = without(joined(in_a, in_b), result.linear);
  return result;
}

Slots slots_of(const Dag& dag, ExprId e, const ir::NodeMap<Slots>& known) {
  std::span<const ExprId> x = dag.operands(e);
  auto of = [&](std::size_t k) -> const Slots& { return *known.find(x[k]); };
  switch (dag.op(e)) {
    case Op::slot:
      return {{dag.index(e)}, {}};
    case Op::neg:
    case Op::no_event:
      return of(0);
    case Op::add:
    case Op::sub:
      return sum_of(of(0), of(1));
    case Op::mul:
      return product_of(of(0), of(1));
    case Op::div:
      return product_of(of(0), all_nonlinear(of(1)));
    case Op::select: {
      Slots branches = sum_of(of(1), of(2));
      return product_of(branches, all_nonlinear(of(0)));
    }
    default:
      break;
  }
  Slots result;
  for (std::size_t k = 0; k < x.size(); ++k) result = sum_of(result, all_nonlinear(of(k)));
  return result;
}

ir::NodeMap<Slots> dependences(const Dag& dag, std::span<const ExprId> roots) {
  std::vector<ExprId> nodes = ir::reachable(dag, roots);
  ir::NodeMap<Slots> known(nodes.size());
  for (ExprId e : nodes) {
    Slots slots = slots_of(dag, e, known);
    known[e] = std::move(slots);
  }
  return known;
}

Coefficient kind_of(const Dag& dag, ExprId coefficient) {
  if (dag.is_number(coefficient)) return std::abs(dag.value(coefficient)) == 1 ? Coefficient::unit : Coefficient::literal;
  return ir::leaves_of(dag, std::span(&coefficient, 1), Op::slot).empty() ? Coefficient::data : Coefficient::variable;
}

SlotFact linear_fact(const Dag& dag, std::uint32_t root, std::uint32_t slot, ExprId coefficient) {
  SlotFact fact{root, slot, Dependence::linear, kind_of(dag, coefficient), coefficient, false};
  fact.solvable = dag.is_number(coefficient) && dag.value(coefficient) != 0;
  return fact;
}

/// The derivative of a root by a slot; zero when there is no entry.
ExprId entry_at(Dag& dag, const std::vector<JacobianEntry>& entries, std::uint32_t root, std::uint32_t slot) {
  auto key = [](const JacobianEntry& x) { return std::pair(x.root, x.slot); };
  auto at = std::lower_bound(entries.begin(), entries.end(), std::pair(root, slot),
                             [&](const JacobianEntry& x, const auto& wanted) { return key(x) < wanted; });
  return at != entries.end() && key(*at) == std::pair(root, slot) ? at->value : dag.zero();
}

/// Peels operators off until the slot stands alone, as long as only one operand reads it. Gives x = …, or nothing.
ExprId isolate(Dag& dag, ExprId e, std::uint32_t slot, const ir::NodeMap<Slots>& known) {
  ExprId other = dag.zero();  // e = other
  auto reads = [&](ExprId x) {
    const Slots& slots = *known.find(x);
    return std::binary_search(slots.linear.begin(), slots.linear.end(), slot);
  };
  while (dag.op(e) != Op::slot) {
    std::span<const ExprId> x = dag.operands(e);
    Op op = dag.op(e);
    if (op == Op::neg || op == Op::no_event) {
      other = op == Op::neg ? dag.neg(other) : other;
      e = x[0];
      continue;
    }
    if (op != Op::add && op != Op::sub && op != Op::mul && op != Op::div) return {};
    if (reads(x[0]) && reads(x[1])) return {};
    bool left = reads(x[0]);
    ExprId rest = left ? x[1] : x[0];
    if (op == Op::add) other = dag.sub(other, rest);
    else if (op == Op::sub) other = left ? dag.add(other, rest) : dag.sub(rest, other);
    else if (op == Op::mul) other = dag.div(other, rest);
    else other = dag.mul(other, rest);
    e = left ? x[0] : x[1];
  }
  return other;
}

}  // namespace

std::vector<SlotFact> slot_facts(Expressions& expressions, std::span<const ExprId> roots) {
  ir::NodeMap<Slots> known = dependences(expressions.dag, roots);
  std::vector<JacobianEntry> entries = jacobian(expressions, roots);
  std::vector<SlotFact> facts;
  for (std::uint32_t r = 0; r < roots.size(); ++r) {
    const Slots& slots = *known.find(roots[r]);
    for (std::uint32_t slot : joined(slots.linear, slots.nonlinear)) {
      bool linear = std::binary_search(slots.linear.begin(), slots.linear.end(), slot);
      if (linear) facts.push_back(linear_fact(expressions.dag, r, slot, entry_at(expressions.dag, entries, r, slot)));
      else facts.push_back({.root = r, .slot = slot});
    }
  }
  return facts;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> nonlinear_interactions(Expressions& expressions,
                                                                            std::span<const ExprId> roots) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const HessianEntry& entry : hessian(expressions, roots).entries) pairs.emplace_back(entry.row, entry.column);
  return pairs;
}

std::optional<SlotSolution> solve_for(Expressions& expressions, ExprId root, std::uint32_t slot) {
  Dag& dag = expressions.dag;
  ir::NodeMap<Slots> known = dependences(dag, std::span(&root, 1));
  const Slots& slots = *known.find(root);
  if (!std::binary_search(slots.linear.begin(), slots.linear.end(), slot)) return {};
  std::vector<GradientEntry> entries = gradient(expressions, root, std::span<const std::uint32_t>(&slot, 1));
  if (entries.empty() || dag.is_number(entries[0].value, 0)) return {};
  SlotSolution solution{{}, entries[0].value, kind_of(dag, entries[0].value)};
  solution.value = isolate(dag, root, slot, known);
  if (solution.value) return solution;
  std::vector<ExprId> zero(slot + std::size_t{1});
  zero[slot] = dag.zero();
  ExprId rest = ir::substitute(dag, root, {.slots = zero});  // root = coefficient·slot + rest
  solution.value = dag.neg(dag.div(rest, solution.coefficient));
  return solution;
}

}  // namespace bolza::derive
