// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/index/time_derivative.h"

#include <algorithm>

#include "compiler/derive/guard.h"
#include "compiler/derive/jacobian.h"
#include "compiler/ir/dag.h"

namespace bolza::passes {

namespace {
enum Kind : std::uint8_t { constant_slot, time_slot, varying_slot };
}

const std::vector<ExprId>& TimeDerivative::shape_for(const std::vector<ExprId>& roots,
                                                     const std::vector<std::uint8_t>& kinds) {
  auto [at, is_new] = memo_.try_emplace({roots, kinds});
  if (!is_new) return at->second;
  ir::Dag& dag = expressions_.dag;
  std::vector<ExprId> tangents(kinds.size());
  auto next = static_cast<std::uint32_t>(kinds.size());
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if (kinds[k] == time_slot) tangents[k] = dag.one();
    if (kinds[k] == varying_slot) tangents[k] = dag.slot(next++);
  }
  at->second = derive::tangents(expressions_, derive::guard(dag, roots), tangents, derive::By::time);
  return at->second;
}

Applied TimeDerivative::of(const Applied& what, const std::function<VariableId(VariableId)>& derivative) {
  std::vector<std::uint8_t> kinds;
  Applied result{{}, what.slots, what.data};
  for (VariableId v : what.slots) {
    VariableId d = derivative(v);
    kinds.push_back(!d ? constant_slot : d == v ? time_slot : varying_slot);
    if (kinds.back() == varying_slot) result.slots.push_back(d);
  }
  result.roots = shape_for(what.roots, kinds);
  return composer_.canonical(result);
}

bool TimeDerivative::may_hold(const std::vector<ExprId>& roots) {
  auto assumes = [](const ir::GivenDerivative& given) {
    return std::ranges::any_of(given.arguments, [](const ir::GivenDerivative::Argument& argument) {
      return argument.takes == ir::GivenDerivative::Takes::assumed;
    });
  };
  while (holds_.size() < expressions_.programs.size()) {
    holds_.push_back(std::ranges::any_of(expressions_.programs[holds_.size()].derivatives, assumes));
    any_holds_ = any_holds_ || holds_.back();
  }
  if (!any_holds_) return false;
  const ir::Dag& dag = expressions_.dag;
  return std::ranges::any_of(ir::reachable(dag, roots),
                             [&](ExprId e) { return dag.op(e) == ir::Op::call && holds_[dag.program(e).index()]; });
}

}  // namespace bolza::passes
