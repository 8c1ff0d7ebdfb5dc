// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cli/arguments.h"
#include "workflow/solve/outcome/sensitivity.h"

namespace bolza::cli {

/// What `--sensitivity` and `--trajectories` ask for.
workflow::SensitivityRequest sensitivity_request(const Arguments& arguments);

/// A table of parameters; nothing where it was not asked for.
void print_sensitivity(const workflow::OptimumSensitivity& sensitivity);

}  // namespace bolza::cli
