// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

#include "compiler/driver/compile.h"
#include "compiler/passes/pontryagin/optimality_text.h"

namespace bolza::driver {

/// Pontryagin's conditions of a problem in the standard form as a class (docs/indirect.md).
/// Errors E498.
Result<passes::OptimalitySystem> optimality_system(const ir::Problem& problem, Diagnostics& diagnostics);
Result<passes::OptimalityText> optimality_text(passes::OptimalitySystem& system, const ir::Problem& problem,
                                               const passes::ArcSequence& sequence, passes::TextPurpose purpose,
                                               Diagnostics& diagnostics);

/// One arc on which every control minimises H over its bounds, and no path constraint is active.
passes::ArcSequence whole_horizon(const ir::Problem& problem);

std::string identifier_of(const std::string& name);
bool is_affine_in(passes::OptimalitySystem& system, std::size_t control);

/// Values of the slots of a system at one time or at the ends; NaN: not known.
std::vector<double> evaluate(const passes::OptimalitySystem& system, std::span<const ir::ExprId> roots,
                             std::span<const double> slots);

/// From files to the text of the conditions, one arc: what `bolza flatten --pontryagin` prints. Errors as compile, E498.
Result<std::string> pontryagin_text(const CompileOptions& options, Sources& sources, Diagnostics& diagnostics);

}  // namespace bolza::driver
