// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "workflow/solve/outcome/timing.h"

namespace bolza::cli {

/// A line for each nonlinear program, and for each other part.
void print_timing(const workflow::Timing& timing);

}  // namespace bolza::cli
