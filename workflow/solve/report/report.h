// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/result/table.h"
#include "workflow/model.h"
#include "workflow/solve/outcome/outcome.h"

namespace bolza::workflow {

/// All phases one after the other, without the pieces of modes. Requires  a solution, or a last iterate, with trajectories.
result::ResultTable result_table(const Model& model, const abi::Solution& solution);

/// Writes the result (.mat or .csv), and on request .csv and .html. Fills the outcome's file names.
Result<Done> write_files(Model& model, const SolveRequest& request, SolveOutcome& outcome);

}  // namespace bolza::workflow
