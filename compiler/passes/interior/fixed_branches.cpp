// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/interior/fixed_branches.h"

#include <map>

#include "compiler/ir/substitute.h"

namespace bolza::passes {

using ir::Op;

Applied FixedBranches::in_piece(const Applied& what, std::size_t piece) {
  std::map<ExprId, Kink> kinks;
  for (Kink& kink : times_.kinks_of(what.roots, what.slots, what.data)) kinks.emplace(kink.node, std::move(kink));
  if (kinks.empty()) return what;
  std::map<ExprId, ExprId> made;
  std::vector<ExprId> x;
  for (ExprId e : ir::reachable(dag_, what.roots)) {
    x.clear();
    for (ExprId operand : dag_.operands(e)) x.push_back(made.at(operand));
    auto kink = kinks.find(e);
    std::optional<std::size_t> at = kink == kinks.end() ? std::nullopt : times_.find(kink->second.time);
    if (at) made[e] = branch_of(dag_, e, x, kink->second.rises == (piece > *at));
    else made[e] = x.empty() ? e : ir::with_operands(dag_, e, x);
  }
  Applied out = what;
  for (ExprId& root : out.roots) root = made.at(root);
  return out;
}

ExprId branch_of(ir::Dag& dag, ExprId node, std::span<const ExprId> x, bool is_positive) {
  switch (dag.op(node)) {
    case Op::abs:
      return is_positive ? x[0] : dag.neg(x[0]);
    case Op::sign:
      return dag.number(is_positive ? 1 : -1);
    case Op::min:
      return is_positive ? x[1] : x[0];
    case Op::max:
      return is_positive ? x[0] : x[1];
    case Op::less:
    case Op::less_equal:
      return dag.number(is_positive ? 0 : 1);
    default:
      return dag.number(is_positive ? 1 : 0);
  }
}

}  // namespace bolza::passes
