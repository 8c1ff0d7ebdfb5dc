// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimization/treat_static.h"

#include "compiler/passes/system/codes.h"

namespace bolza::passes {

Result<Done> treat_static(System& system, Diagnostics& diagnostics) {
  if (!system.flat.optimization || !system.flat.optimization->is_static) return Done{};
  if (!system.flat.optimization->integrand.groups.empty())
    return diagnostics.error(static_integrand, system.flat.optimization->span);
  ir::Section& initial = system.flat.initial_equations;
  if (!initial.groups.empty()) {
    std::uint32_t origin = initial.groups[0].origins.empty() ? 0 : initial.groups[0].origins[0];
    diagnostics.warning(start_overrides, system.span_of_origin(origin));
    initial = {};
  }
  for (std::size_t v = 0; v < system.n(); ++v) {
    if (system.roles[v] == ScalarRole::derivative) {
      system.definitions[v] = constant(system.dag(), 0);
      system.merged[v] = true;
    }
    if (system.roles[v] == ScalarRole::state) {
      system.roles[v] = ScalarRole::algebraic;
      system.derivative[v] = {};
    }
    if (system.is_unknown(VariableId(v))) system.numbers[v].fixed = false;
  }
  Composer composer(system.dag());
  insert_definitions(system, composer);
  return Done{};
}

}  // namespace bolza::passes
