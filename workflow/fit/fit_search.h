// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "workflow/fit/fit.h"
#include "workflow/solver_library.h"

namespace bolza::workflow {

/// Where a search has an option of its own, the fit starts from the best that it has found: its parameters become the values
/// of the estimation.     Errors  E943 a journal that does not belong to this search
Result<Done> search(const SolverLibrary& library, const Model& model, const FitRequest& request,
                    const estimate::EstimateRequest& run, estimate::Estimation& estimation, FitOutcome& outcome,
                    Diagnostics& diagnostics);

/// Profiles of the parameters that the request names.     Errors  E938 there is no such parameter
Result<Done> profile(const SolverLibrary& library, const Model& model, const FitRequest& request,
                     const estimate::EstimateRequest& run, FitOutcome& outcome, Diagnostics& diagnostics);

}  // namespace bolza::workflow
