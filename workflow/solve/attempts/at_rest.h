// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"

namespace bolza::workflow {

/// Whether every state and control of a simulation stays at the constant that it is guessed to be: a solve from there is
/// the one from the usual guess once more. False where there are algebraics, which a simulation solves for.
bool is_at_rest(const bolza_problem& problem, const abi::Solution& simulated);

}  // namespace bolza::workflow
