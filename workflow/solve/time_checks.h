// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "workflow/model.h"
#include "workflow/solve/outcome/outcome.h"

namespace bolza::workflow {

/// Notes where the re-simulation is to look at limits, and warns of what depends on time alone and is not resolved by the
/// mesh of the solution (`time_not_resolved`). Cost: nothing without such terms; else some milliseconds.
void look_at_time(Model& model, const driver::Options& options, SolveOutcome& outcome);

}  // namespace bolza::workflow
