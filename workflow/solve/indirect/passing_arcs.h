// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include "workflow/solve/indirect/boundary_problem.h"

namespace bolza::workflow {

/// Where a control in which H is not affine went from one bound to the other, and ∂H/∂u says on both sides that values
/// between them are better, it passes through these on an arc of its own, however short. The arcs with such ones put in
/// between, from where ∂H/∂u changes its sign before the switch to where it does after it; none: no switch is like that.
/// @param values  of the arcs, at a solution of their conditions
std::optional<ArcStructure> with_passing_arcs(BoundaryProblem& problem, const ArcStructure& structure,
                                              const std::vector<NamedValues>& values);

}  // namespace bolza::workflow
