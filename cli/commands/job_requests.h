// SPDX-License-Identifier: Apache-2.0
// The jobs that a command line states; hooks for progress and interrupts are whoever runs them's. Errors  E901 to E904.
#pragma once
#include "cli/arguments.h"
#include "workflow/run/jobs.h"
#include "workflow/run/run.h"

namespace bolza::cli {

Result<workflow::SolveJob> solve_job(const Arguments& arguments, Sources& sources, Diagnostics& diagnostics);
Result<workflow::SimulateJob> simulate_job(const Arguments& arguments, Sources& sources, Diagnostics& diagnostics);
/// But for many starts and profiles, see fit_search.h.
Result<workflow::FitRequest> fit_request(const Arguments& arguments, Sources& sources, Diagnostics& diagnostics);

}  // namespace bolza::cli
