// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/interior/cut_horizon.h"

#include "compiler/passes/interior/pieces.h"
#include "compiler/passes/interior/time_order.h"
#include "compiler/passes/parameters/evaluate_parameters.h"
#include "compiler/passes/system/codes.h"

namespace bolza::passes {
namespace {

bool has_free_parameter(const ir::FlatModel& model) {
  for (const ir::Variable& variable : model.variables)
    if (variable.kind == ir::VariableKind::parameter && is_declared_free(model, variable.first)) return true;
  return false;
}

/// What is remembered from the past would have to go through from piece to piece.
const ir::Variable* with_a_past(const ir::FlatModel& model) {
  for (const ir::Variable& variable : model.variables) switch (variable.kind) {
      case ir::VariableKind::discrete:
      case ir::VariableKind::previous:
      case ir::VariableKind::sample:
      case ir::VariableKind::delayed:
        return &variable;
      default:
        break;
    }
  return nullptr;
}

}  // namespace

Result<Done> cut_horizon(System& system, Diagnostics& diagnostics) {
  const ir::FlatModel& flat = system.flat;
  if (!flat.optimization || flat.optimization->is_static || !flat.phases.empty()) return Done{};
  bool all = system.options.cut_at_points;
  if (system.options.events == Events::keep || (!all && !has_free_parameter(flat))) return Done{};
  System evaluated(flat, system.options);
  Diagnostics ignored;  // the passes after this one say it again
  if (!evaluate_parameters(evaluated, ignored)) return Done{};
  InteriorTimes times(evaluated);
  times.collect();
  if (!times.any_is_free() && !(all && times.reads_inside())) return Done{};
  if (VariableId v = times.not_affine())
    return diagnostics.error(time_not_affine, evaluated.span_of(v), {evaluated.name(v)});
  if (const ir::Variable* past = with_a_past(flat)) {
    if (!times.reads_at_free_time()) return Done{};  // relations alone: W412 says what becomes of them
    std::string name = past->kind == ir::VariableKind::delayed ? "delay(…)" : ir::name_of(flat, past->first);
    if (name.starts_with("$when")) name = "when";
    return diagnostics.error(past_in_pieces, past->span, {times.all()[0].text, name});
  }
  if (!order_times(evaluated, times, diagnostics)) return diagnostics.already_reported();
  FixedBranches branches(evaluated.dag(), times);
  system = System(cut_into_pieces(flat, evaluated, times, branches), system.options);
  return Done{};
}

}  // namespace bolza::passes
