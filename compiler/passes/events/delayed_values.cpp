// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/events/delayed_values.h"

#include <string>

#include "compiler/passes/shapes/is_linear.h"
#include "compiler/passes/system/add_rows.h"

namespace bolza::passes {

Result<Done> name_delayed_values(System& system, Diagnostics&) {
  if (!reads_delays_linearly(system)) return Done{};
  Linearity linearity(system.flat.expressions);
  for (std::size_t k = 0; k < system.flat.delays.size(); ++k) {
    const ir::Term& said = system.flat.delays[k].expression;
    Applied value{{said.root}, said.slots, said.data};
    if (is_sought(system, system.flat.delays[k]) || is_linear(system, linearity, value)) continue;
    ir::Variable variable;
    variable.name = {{"$delayed" + std::to_string(k + 1), 0}};
    variable.kind = ir::VariableKind::unknown;
    variable.span = said.span;
    std::uint32_t origin = add_origin(system, said.span);
    VariableId named = add_variable(system, std::move(variable));
    if (!system.flat.phases.empty()) system.phase[named.index()] = system.phase_of(value.slots);
    Applied alone = variable_alone(system.dag(), named);
    add_row(system, system.flat.equations, difference(system.dag(), alone, value), origin);
    ir::Term& term = system.flat.delays[k].expression;
    term.root = alone.root();
    term.slots = alone.slots;
    term.data = alone.data;
  }
  return Done{};
}

}  // namespace bolza::passes
