// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/abi/solution.h"
#include "workflow/model.h"
#include "workflow/solver_library.h"

namespace bolza::workflow {

/// Adds findings that name the constraints and bounds that an infeasible problem cannot hold together (find_conflict), where
/// that can be said in `max_seconds`.
void name_conflict(Model& model, const SolverLibrary& library, const transcribe::TranscribeOptions& options,
                   abi::Solution& solution);

}  // namespace bolza::workflow
