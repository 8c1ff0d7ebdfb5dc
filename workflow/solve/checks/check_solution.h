// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "workflow/model.h"
#include "workflow/solve/outcome/outcome.h"
#include "workflow/solver_library.h"

namespace bolza::workflow {

/// Warnings that need no function of the model: loops of functions end, and leave no number, after an interrupt.
void judge_solution(Model& model, const driver::Options& options, const SolveRequest& request, SolveOutcome& outcome);

/// What functions of the model say of a solution.
void check_solution(Model& model, const driver::Options& options, const SolverLibrary& library, SolveOutcome& outcome);

/// Integrates the model with the optimal controls: the largest deviation and violation go into the report; assertions that
/// do not hold are reported.
void check_by_simulation(Model& model, const driver::Options& options, const SolverLibrary& library, SolveOutcome& outcome);

}  // namespace bolza::workflow
