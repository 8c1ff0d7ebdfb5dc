// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/modes/held_controls.h"

#include <algorithm>
#include <cmath>

#include "compiler/ir/canonical.h"

namespace bolza::passes {
namespace {

using ir::VariableId;

std::map<std::string, VariableId> inputs_of(const ir::FlatModel& model) {
  std::map<std::string, VariableId> found;
  for (const ir::Variable& variable : model.variables) {
    if (variable.kind != ir::VariableKind::input) continue;
    for (std::uint32_t e = 0; e < variable.size; ++e) {
      VariableId id(variable.first.index() + e);
      found.emplace(ir::name_of(model, id), id);
    }
  }
  return found;
}

void set_bounds(ir::FlatModel& model, VariableId control, double value) {
  ir::Variable& variable = ir::variable_of(model, control);
  ir::Dag& dag = model.expressions.dag;
  auto number = [&](double v) { return ir::canonical(dag, ir::Term{dag.number(v), {}, {}, variable.span}); };
  for (ir::Attribute bound : {ir::Attribute::min, ir::Attribute::max}) {
    std::vector<ir::Term>& terms = variable.attributes[static_cast<std::size_t>(bound)].terms;
    if (terms.empty()) terms.push_back(number(bound == ir::Attribute::min ? -INFINITY : INFINITY));
    if (terms.size() == 1) terms.resize(variable.size, terms[0]);
    terms[control.index() - variable.first.index()] = number(value);
  }
}

}  // namespace

std::string hold_controls(const ir::FlatModel& model, ir::FlatModel& next, const PieceIds& ids, const HeldControls& held) {
  std::map<std::string, VariableId> inputs = inputs_of(model);
  for (std::size_t piece = 0; piece < held.size(); ++piece)
    for (const auto& [name, value] : held[piece]) {
      auto control = inputs.find(name);
      if (control == inputs.end()) return name;
      set_bounds(next, ids.of(control->second, piece), value);
    }
  return {};
}

}  // namespace bolza::passes
