// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/abi/solution.h"

namespace bolza::workflow {

inline constexpr double no_horizon = 1e-6;  ///< of a guess, or of a second

/// A free final time that left less than that share of its guess between itself and the start; null: there is none.
const bolza_variable* shrunk_horizon(const bolza_problem& problem, const abi::Solution& solution, double share);

}  // namespace bolza::workflow
