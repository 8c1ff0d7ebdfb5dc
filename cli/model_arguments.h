// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cli/arguments.h"
#include "workflow/model.h"
#include "workflow/solve/solve.h"

namespace bolza::cli {

/// The part of the command line that says which model: file, class, --set, --path, --no-cache.
workflow::LoadRequest load_request(const Arguments& arguments);

/// The solver options given on the command line, checked. Errors E901–E903 with a caret under the argument.
Result<driver::Options> solver_options(const Arguments& arguments, Sources& sources, Diagnostics& diagnostics);

/// Everything `solve` was asked for, but for the progress and interrupt hooks.
Result<workflow::SolveRequest> solve_request(const Arguments& arguments, Sources& sources, Diagnostics& diagnostics);

}  // namespace bolza::cli
