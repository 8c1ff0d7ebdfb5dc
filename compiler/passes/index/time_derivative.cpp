#include "compiler/passes/index/time_derivative.h"

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

bool TimeDerivative::may_hold(const std::vector<ExprId>& roots) const {
  for (ExprId e : ir::reachable(expressions_.dag, roots)) {
    if (expressions_.dag.op(e) != ir::Op::call) continue;
    for (const ir::GivenDerivative& given : expressions_.programs[expressions_.dag.program(e).index()].derivatives)
      for (const ir::GivenDerivative::Argument& argument : given.arguments)
        if (argument.takes == ir::GivenDerivative::Takes::assumed) return true;
  }
  return false;
}

}  // namespace bolza::passes
