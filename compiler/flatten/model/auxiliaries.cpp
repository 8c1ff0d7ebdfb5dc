// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/model/auxiliaries_internal.h"

#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"

namespace bolza::flatten {

std::uint32_t add_auxiliaries(Model& model, AuxiliaryRun run) {
  run.first = model.n_auxiliary;
  model.n_auxiliary += run.size;
  model.auxiliaries.push_back(run);
  return provisional::auxiliary | run.first;
}

const Node* new_discrete(Model& model, std::size_t n, AxisId number, const char* name, Basic basic, Span span) {
  ir::ValueType type = basic == Basic::boolean                            ? ir::ValueType::boolean
                       : basic == Basic::integer || basic == Basic::clock ? ir::ValueType::integer
                                                                          : ir::ValueType::real;
  std::uint32_t first =
      add_auxiliaries(model, {0, static_cast<std::uint32_t>(n), span, name, ir::VariableKind::discrete, type});
  Node node;
  node.kind = NodeKind::auxiliary;
  node.basic = basic;
  node.level = Level::discrete;
  node.value = static_cast<double>(first & ~provisional::kind);
  node.axes = {number};
  node.span = span;
  return model.nodes.add(std::move(node));
}

const Node* new_condition(Model& model, std::size_t n, AxisId number, const char* name, Span span) {
  return new_discrete(model, n, number, name, Basic::boolean, span);
}

}  // namespace bolza::flatten
