// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/index/control_rates.h"

#include "compiler/passes/system/add_rows.h"

namespace bolza::passes {

namespace {

/// The control that is the derivative of `control`.
VariableId add_rate(System& system, VariableId control) {
  const ir::Variable& own = ir::variable_of(system.flat, control);
  ir::Variable rate;
  rate.name = {{"", 0}};
  rate.kind = ir::VariableKind::input;
  rate.of = control;
  rate.first_phase = own.first_phase;
  rate.n_phases = own.n_phases;
  rate.span = own.span;
  return add_variable(system, std::move(rate));
}

}  // namespace

bool is_control(const System& system, VariableId v) {
  const ir::Variable& variable = ir::variable_of(system.flat, v);
  return system.flat.optimization && !system.flat.optimization->is_static && system.role(v) == ScalarRole::input &&
         variable.kind == ir::VariableKind::input && variable.type == ir::ValueType::real;
}

void make_states(System& system, const std::set<VariableId>& controls) {
  for (VariableId u : controls) {
    VariableId du = system.derivative[u.index()];
    if (!du) system.derivative[u.index()] = du = system.add_derivative(u, 1);
    VariableId w = add_rate(system, u);
    system.roles[u.index()] = ScalarRole::state;
    add_row(system, system.flat.equations,
            difference(system.dag(), variable_alone(system.dag(), du), variable_alone(system.dag(), w)),
            add_origin(system, system.span_of(u)));
  }
}

Result<Done> control_rates(System& system, Diagnostics&) {
  std::set<VariableId> controls;
  for (std::size_t v = 0; v < system.n(); ++v)
    if (system.derivative[v] && is_control(system, VariableId(v))) controls.insert(VariableId(v));
  for (const ir::Delay& delay : system.flat.delays)
    if (is_sought(system, delay))
      for (VariableId v : delay.expression.slots)
        if (is_control(system, v)) controls.insert(v);
  make_states(system, controls);
  return Done{};
}

}  // namespace bolza::passes
