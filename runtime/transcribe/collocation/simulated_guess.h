// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/budget.h"
#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"

namespace bolza::transcribe {

/// A guess that obeys the model: every phase integrated from the guessed initial states, or from where links say that it
/// goes on from the phases before, with guessed controls (where there is not a guess, the middle of finite bounds, or
/// another place between them) and parameters. Where the integration stops, or a state leaves its bounds by more than their
/// distance, the values reached are held to the end.
///
/// @param own  the problem's own guess where it varies with time, null: it does not; its controls are followed; without
///             trajectories, parameters and times to take in the place of the guessed ones
/// @param sized  a solution or failed attempt whose sizes stand for nominal values that are not there, null: none
/// @param place  where between finite bounds a control without a guess is: 0 the lower, 1 the upper one
/// Cost  one simulation with a relative tolerance of 1e-4, `max_seconds` at most.
abi::Solution simulated_guess(bolza_problem& problem, const Budget& budget, const abi::Solution* own = nullptr,
                              const abi::Solution* sized = nullptr, double place = 0.5);

}  // namespace bolza::transcribe
