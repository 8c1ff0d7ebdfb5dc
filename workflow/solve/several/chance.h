// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "workflow/solve/solve.h"

namespace bolza::workflow {

/// A problem with scenarios whose constraints hold with a probability: solved with all of them, then again and again without
/// the constraints of the scenario that weighs most by its multipliers (where nothing is feasible: by its violation), from
/// the solution before, as long as the scenarios let go have no more than what is left of the probability.
///
/// @param model  with LoadRequest::scenarios; becomes the problem of the last solve, `request.scenarios.excused` tells
///               which scenarios were let go
/// Errors  as solve. Cost  a solve for each scenario let go.
Result<SolveOutcome> solve_with_chance(std::unique_ptr<Model>& model, const SolveRequest& request);

}  // namespace bolza::workflow
