// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/events/variability.h"

namespace bolza::passes {

RunVariability variability_of(const System& system, VariableId v) {
  if (v.index() >= system.n() || !system.varies(v)) return RunVariability::never;
  if (system.role(v) == ScalarRole::discrete) return RunVariability::at_events;
  if (system.role(v) == ScalarRole::time) return RunVariability::with_time;
  return ir::variable_of(system.flat, v).type == ir::ValueType::real ? RunVariability::always : RunVariability::at_events;
}

std::vector<ir::Group> parts_by_variability(const System& system, const ir::Group& group) {
  std::map<std::vector<RunVariability>, std::vector<std::uint32_t>> parts;
  std::vector<const std::vector<std::uint32_t>*> order;
  for (std::uint32_t i = 0; i < group.n; ++i) {
    std::vector<RunVariability> key;
    for (const ir::Column& column : group.slots) key.push_back(variability_of(system, column[i]));
    auto [at, is_new] = parts.try_emplace(std::move(key));
    if (is_new) order.push_back(&at->second);
    at->second.push_back(i);
  }
  std::vector<ir::Group> result;
  for (const auto* instances : order) result.push_back(ir::pick(group, *instances));
  return result;
}

}  // namespace bolza::passes
