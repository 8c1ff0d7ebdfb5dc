// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>

#include "workflow/solve/attempts/climb.h"

namespace bolza::workflow {

/// Whether a solution was hard to find, or does nothing: there may be another one that usual guesses do not lead to.
bool may_be_one_of_several(const Climb& climb);

/// Whether a solution does nothing, or nothing is left of its horizon: leaving it takes longer.
bool is_nothing(const Climb& climb);

using LookFrom = std::function<void(const char* what, const abi::Solution& guess)>;

/// Simulations from which it may be found, made when their turn has come: until a later final time, where that is free
/// and has no guess; until the one that was found with controls near either bound; as the model is guessed, where the
/// solution does nothing.
void simulations_elsewhere(Climb& climb, const LookFrom& look);

}  // namespace bolza::workflow
