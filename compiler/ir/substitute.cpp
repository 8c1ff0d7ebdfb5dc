// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/substitute.h"

#include <algorithm>

#include "base/expects.h"
#include "compiler/ir/node_map.h"

namespace bolza::ir {

ExprId with_operands(Dag& dag, ExprId e, std::span<const ExprId> operands) {
  switch (dag.op(e)) {
    case Op::call:
      return dag.call(dag.program(e), operands);
    case Op::output:
      return dag.output(operands[0], dag.index(e));
    default:
      return row_of(dag.op(e)).arity == 0 ? e : dag.make(dag.op(e), operands);
  }
}

std::vector<ExprId> rebuild(Dag& dag, std::span<const ExprId> roots, const std::function<ExprId(ExprId)>& leaf) {
  std::vector<ExprId> nodes = reachable(dag, roots);
  NodeMap<ExprId> rebuilt(nodes.size());
  std::vector<ExprId> operands;
  for (ExprId e : nodes) {
    std::span<const ExprId> old = dag.operands(e);
    if (old.empty() && dag.op(e) != Op::call) {
      rebuilt[e] = dag.op(e) == Op::number ? e : leaf(e);
      continue;
    }
    operands.clear();
    bool changed = false;
    for (ExprId x : old) {
      operands.push_back(*rebuilt.find(x));
      changed |= operands.back() != x;
    }
    rebuilt[e] = changed ? with_operands(dag, e, operands) : e;
  }
  std::vector<ExprId> result;
  for (ExprId root : roots) result.push_back(root ? *rebuilt.find(root) : root);
  return result;
}

std::vector<ExprId> substitute(Dag& dag, std::span<const ExprId> roots, const Replacements& by) {
  auto pick = [&](std::span<const ExprId> list, ExprId leaf) {
    std::uint32_t k = dag.index(leaf);
    return k < list.size() && list[k] ? list[k] : leaf;
  };
  return rebuild(dag, roots, [&](ExprId leaf) {
    switch (dag.op(leaf)) {
      case Op::slot:
        return pick(by.slots, leaf);
      case Op::datum:
        return pick(by.data, leaf);
      case Op::weight:
        return pick(by.weights, leaf);
      case Op::direction:
        return pick(by.directions, leaf);
      default:
        return leaf;
    }
  });
}

ExprId substitute(Dag& dag, ExprId root, const Replacements& by) { return substitute(dag, std::span(&root, 1), by)[0]; }

std::vector<ExprId> renumber_slots(Dag& dag, std::span<const ExprId> roots, std::span<const std::uint32_t> numbers) {
  return rebuild(dag, roots, [&](ExprId leaf) {
    if (dag.op(leaf) != Op::slot) return leaf;
    expects(dag.index(leaf) < numbers.size(), "every slot has a new number");
    return dag.slot(numbers[dag.index(leaf)]);
  });
}

std::vector<std::uint32_t> leaves_of(const Dag& dag, std::span<const ExprId> roots, Op kind) {
  std::vector<std::uint32_t> found;
  for (ExprId e : reachable(dag, roots))
    if (dag.op(e) == kind) found.push_back(dag.index(e));
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace bolza::ir
