// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "workflow/model.h"
#include "workflow/solve/outcome/outcome.h"

namespace bolza::workflow {

/// Runs the stages one after another, each from the solution before it, re-simulates the last, and writes the files.
/// A stage that fails ends the chain with its status and findings; the solution of the stage before it, if there is one, is
/// kept and written, else what it found.
/// Errors  only of the input (options, unreadable guess, unwritable result); numerical failure is a status in the solution.
Result<SolveOutcome> solve(Model& model, const SolveRequest& request);

}  // namespace bolza::workflow
