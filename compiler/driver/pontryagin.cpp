// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/pontryagin.h"

#include "compiler/ir/interpret.h"

namespace bolza::driver {

Result<passes::OptimalitySystem> optimality_system(const ir::Problem& problem, Diagnostics& diagnostics) {
  return passes::optimality_system(problem, diagnostics);
}

Result<passes::OptimalityText> optimality_text(passes::OptimalitySystem& system, const ir::Problem& problem,
                                               const passes::ArcSequence& sequence, passes::TextPurpose purpose,
                                               Diagnostics& diagnostics) {
  return passes::optimality_text(system, problem, sequence, purpose, diagnostics);
}

passes::ArcSequence whole_horizon(const ir::Problem& problem) {
  std::size_t n = 0;
  for (const ir::Problem* model : ir::models_of(problem)) n += model->u.size();
  return {.arcs = {{.controls = std::vector<passes::ControlArc>(n, passes::ControlArc::law)}}};
}

std::string identifier_of(const std::string& name) { return passes::identifier_of(name); }

bool is_affine_in(passes::OptimalitySystem& system, std::size_t control) { return passes::is_affine_in(system, control); }

std::vector<double> evaluate(const passes::OptimalitySystem& system, std::span<const ir::ExprId> roots,
                             std::span<const double> slots) {
  return ir::evaluate(system.expressions, roots, {.slots = slots});
}

Result<std::string> pontryagin_text(const CompileOptions& options, Sources& sources, Diagnostics& diagnostics) {
  CompileOptions in_pieces = options;
  in_pieces.cut_at_points = true;
  auto compiled = compile(in_pieces, sources, diagnostics);
  if (!compiled) return diagnostics.already_reported();
  auto system = driver::optimality_system(compiled->problem, diagnostics);
  if (!system) return diagnostics.already_reported();
  auto text = driver::optimality_text(*system, compiled->problem, whole_horizon(compiled->problem),
                                      passes::TextPurpose::reading, diagnostics);
  if (!text) return diagnostics.already_reported();
  return text->text;
}

}  // namespace bolza::driver
