// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "workflow/solve/stage_run.h"

namespace bolza::workflow {

/// Refines a solved stage as its options ask for, or the last one by default, and says what its mesh is worth.
Result<Done> refine_stage(StageRun& run, bool last, abi::Solution& found, StageOutcome& told, SolveOutcome& outcome);

}  // namespace bolza::workflow
