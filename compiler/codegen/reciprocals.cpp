// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/schedule_internal.h"
#include "compiler/ir/node_map.h"
#include "compiler/ir/substitute.h"

namespace bolza::codegen {

using ir::Dag;
using ir::ExprId;
using ir::Op;

std::vector<ExprId> use_reciprocals(Dag& dag, std::span<const ExprId> outputs, std::span<const SlotClass> slots) {
  struct Known {
    ExprId now;          ///< the node rewritten
    bool fixed = false;  ///< the same at all points
  };
  std::vector<ExprId> nodes = ir::reachable(dag, outputs);
  ir::NodeMap<Known> known(nodes.size());
  std::vector<ExprId> operands;
  for (ExprId e : nodes) {
    Op op = dag.op(e);
    if (op <= Op::direction) {
      known[e] = {e, is_fixed_leaf(dag, e, slots)};
      continue;
    }
    bool fixed = op != Op::call && op != Op::output, changed = false, fixed_divisor = false;
    operands.clear();
    for (ExprId operand : dag.operands(e)) {
      const Known& k = *known.find(operand);
      fixed = fixed && k.fixed;
      fixed_divisor = k.fixed;
      changed = changed || k.now != operand;
      operands.push_back(k.now);
    }
    ExprId now = changed ? ir::with_operands(dag, e, operands) : e;
    if (op == Op::div && fixed_divisor && !fixed) now = dag.mul(operands[0], dag.div(dag.one(), operands[1]));
    known[e] = {now, fixed};
  }
  std::vector<ExprId> result;
  for (ExprId output : outputs) result.push_back(known.find(output)->now);
  return result;
}

}  // namespace bolza::codegen
