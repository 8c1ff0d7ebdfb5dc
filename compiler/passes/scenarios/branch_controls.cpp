// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/scenarios/branch_controls.h"

#include "compiler/ir/canonical.h"
#include "compiler/passes/system/codes.h"

namespace bolza::passes {
namespace {

using ir::VariableId;

ir::Column run_of(const ir::Variable& variable) { return ir::Column::affine(variable.first, 1); }

/// A control with the bounds and guesses of `control`.
ir::Variable renamed(ir::FlatModel& model, const ir::Variable& control, const char* prefix) {
  ir::Variable out = control;
  out.name.insert(out.name.begin(), {prefix, 0});
  out.first = VariableId(model.n_scalars);
  model.n_scalars += out.size;
  return out;
}

void add_choice(ir::FlatModel& model, const ir::Variable& control, const ir::Variable& shared, const ir::Variable& later,
                double branch) {
  ir::Dag& dag = model.expressions.dag;
  ir::ExprId before = dag.make(ir::Op::less, dag.slot(1), dag.datum(0));
  std::vector<ir::RowId> rows;
  for (std::uint32_t e = 0; e < control.size; ++e) rows.emplace_back(model.equations.n_rows + e);
  model.equations.n_rows += control.size;
  std::uint32_t origin = static_cast<std::uint32_t>(model.origins.size());
  model.origins.push_back({control.span, {}, 0});
  ir::Group group{{dag.sub(dag.slot(0), dag.select(before, dag.slot(2), dag.slot(3)))},
                  control.size,
                  {run_of(control), ir::Column::affine(VariableId(0u), 0), run_of(shared), run_of(later)},
                  {ir::DataColumn(control.size, branch)},
                  {rows},
                  std::vector<std::uint32_t>(control.size, origin)};
  model.equations.groups.push_back(ir::canonical(dag, group));
}

}  // namespace

Result<std::set<VariableId>> branch_controls(ir::FlatModel& model, double branch, Diagnostics& diagnostics) {
  for (const ir::Variable& variable : model.variables) {
    bool is_rate =
        variable.of && (variable.kind == ir::VariableKind::input || variable.kind == ir::VariableKind::derivative);
    if (is_rate && ir::variable_of(model, variable.of).kind == ir::VariableKind::input)
      return diagnostics.error(branch_of_rate, variable.span, {ir::name_of(model, variable.of)});
  }
  for (const ir::SwitchingRule& rule : model.optimization->switching)
    return diagnostics.error(branch_of_switching, rule.span);
  std::set<VariableId> later_controls;
  for (std::size_t v = 0, n = model.variables.size(); v < n; ++v) {
    if (model.variables[v].kind != ir::VariableKind::input) continue;
    ir::Variable shared = renamed(model, model.variables[v], "shared"), later = renamed(model, model.variables[v], "later");
    later_controls.insert(later.first);
    ir::Variable& control = model.variables[v];
    control.kind = ir::VariableKind::unknown;
    for (ir::Attribute bound : {ir::Attribute::min, ir::Attribute::max})
      control.attributes[static_cast<std::size_t>(bound)].terms.clear();
    add_choice(model, control, shared, later, branch);
    model.variables.push_back(std::move(shared));
    model.variables.push_back(std::move(later));
  }
  return later_controls;
}

}  // namespace bolza::passes
