// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/flatten.h"

#include <algorithm>
#include <map>

#include "compiler/flatten/annotations_internal.h"
#include "compiler/flatten/calls/structural_leaves_internal.h"
#include "compiler/flatten/equations/buses_internal.h"
#include "compiler/flatten/equations/clocks_internal.h"
#include "compiler/flatten/equations/connections_internal.h"
#include "compiler/flatten/equations/equations_internal.h"
#include "compiler/flatten/fields/field_equations_internal.h"
#include "compiler/flatten/fields/field_plan_internal.h"
#include "compiler/flatten/groups/integrals_internal.h"
#include "compiler/flatten/lints_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/optimization_internal.h"
#include "compiler/flatten/typing/evaluated_internal.h"
#include "compiler/flatten/variables/assign_variable_ids_internal.h"
#include "compiler/flatten/variables/discrete_internal.h"
#include "compiler/flatten/variables/phases_internal.h"
#include "compiler/flatten/variables/streams_internal.h"
#include "compiler/flatten/variables/variables_internal.h"
#include "compiler/ir/canonical.h"

namespace bolza::flatten {
namespace {

/// Every group in canonical shape, equal shapes joined; terms likewise.
void roll_all(ir::FlatModel& flat) {
  ir::Dag& dag = flat.expressions.dag;
  ir::roll(dag, flat.equations);
  ir::roll(dag, flat.initial_equations);
  for (ir::Section* section :
       {&flat.discrete_equations.section, &flat.initial_discrete_equations.section, &flat.reinitialisations.section})
    ir::roll(dag, *section);
  if (!flat.optimization) return;
  for (ir::Section* section : {&flat.optimization->objective, &flat.optimization->integrand,
                               &flat.optimization->path.section, &flat.optimization->point.section})
    ir::roll(dag, *section);
}

/// Whether `minimize` or `maximize` states the problem, or that of one of its phases.
bool states_doml(const Instance& root) {
  return !root.objectives.empty() || std::any_of(root.children.begin(), root.children.end(), [](const Instance* child) {
    return child->is_phase && !child->objectives.empty();
  });
}

/// In DOML (a problem stated by `minimize` or `maximize`) the start value of a state is its initial value, unless `fixed` is
/// given, the state is free, or initial equations say otherwise (docs/language.md).
void fix_starts_of_doml(ir::FlatModel& flat) {
  if (flat.initial_equations.n_rows > 0) return;
  std::map<std::uint32_t, std::vector<bool>> fixed;  // first id of a state → its elements
  for (const ir::Variable& derivative : flat.variables) {
    if (derivative.kind != ir::VariableKind::derivative) continue;
    const ir::Variable& state = ir::variable_of(flat, derivative.of);
    bool has_start = state.attributes[static_cast<std::size_t>(ir::Attribute::start)].present();
    if (!has_start || state.free || !state.fixed.empty()) continue;
    std::vector<bool>& elements = fixed[state.first.value];
    elements.resize(state.size);
    for (std::uint32_t e = 0; e < derivative.size; ++e) elements[derivative.of.value - state.first.value + e] = true;
  }
  for (auto& [first, elements] : fixed) {
    bool all = std::find(elements.begin(), elements.end(), false) == elements.end();
    ir::variable_of(flat, ir::VariableId(std::size_t{first})).fixed = all ? std::vector<bool>{true} : std::move(elements);
  }
}

}  // namespace

Result<ir::FlatModel> flatten(instance::InstanceTree& tree, Diagnostics& diagnostics, const GivenHorizon& horizon,
                              std::uint32_t max_scalars, double rounding, Flows flows) {
  std::size_t errors = diagnostics.errors();
  Model model(tree, diagnostics);
  model.flat.max_scalars = max_scalars;
  model.rounding = rounding;
  model.structural = std::make_unique<StructuralLeaves>(model);
  const Instance& root = tree.root();
  model.smooth_streams = flows == Flows::smooth || (flows == Flows::as_stated &&
                                                    (root.class_kind == ast::ClassKind::optimization || states_doml(root)));
  model.flat.name = root.definition ? instance::full_name(*root.definition) : std::string(root.name);
  model.flat.span = root.definition ? root.definition->ast->name_span : root.span;
  complete_buses(model);
  if (diagnostics.errors() > errors) return diagnostics.already_reported();
  plan_fields(model);
  if (diagnostics.errors() > errors) return diagnostics.already_reported();
  find_assigned_in_when(model);
  lay_out_variables(model);
  if (model.too_large) return diagnostics.already_reported();
  check_constants(model);
  if (diagnostics.errors() > errors) return diagnostics.already_reported();
  find_flow_ranges(model);
  fill_variables(model);
  free_starts_on_sides(model);
  complete_horizons(model);
  Connections connections(model);
  translate_equations(model, connections);
  connections.make_equations();
  check_discrete_variables(model);
  translate_annotations(model, horizon);
  translate_optimization(model);
  if (diagnostics.errors() > errors) return diagnostics.already_reported();
  warn_of_contradictions(model);
  if (diagnostics.errors() > errors) return diagnostics.already_reported();
  resolve_clocks(model);
  if (diagnostics.errors() > errors) return diagnostics.already_reported();
  mark_evaluated(model);
  assign_variable_ids(model);
  name_integrals(model);
  if (states_doml(root)) fix_starts_of_doml(model.flat);
  roll_all(model.flat);
  if (!model.actions->empty() || model.n_interpreted > 0) model.flat.actions = model.actions;  // keeps the tree
  ir::verify(model.flat);
  return std::move(model.flat);
}

}  // namespace bolza::flatten
