// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "workflow/solve/solve.h"

namespace bolza::workflow {

/// Writes the result (.mat or .csv), and on request .csv and .html. Fills the outcome's file names.
Result<Done> write_files(Model& model, const SolveRequest& request, SolveOutcome& outcome);

}  // namespace bolza::workflow
