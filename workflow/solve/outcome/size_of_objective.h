// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/abi/solution.h"

namespace bolza::workflow {

/// What an error of the objective is compared with: its value; where the optimum is about zero, a thousandth of what it was
/// where the engine began, 0.1 at most, and a ten-thousandth of what it was divided by, if that is below 1.
double size_of_objective(const abi::Solution& solution);

}  // namespace bolza::workflow
