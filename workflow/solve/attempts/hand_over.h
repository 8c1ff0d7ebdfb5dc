// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "compiler/driver/option_table.h"
#include "runtime/abi/solution.h"
#include "runtime/transcribe/options.h"

namespace bolza::workflow {

/// What a stage of a chain gives to the next: the option `hand-over` of the stage that gives.
struct HandOver {
  bool states = true;       ///< with algebraic variables and free parameters
  bool controls = true;     ///< trajectories
  bool costates = true;     ///< which multipliers of dynamics are made of
  bool multipliers = true;  ///< of bounds, path and point constraints, parameters
  bool active_sets = true;  ///< what is at its limit starts there: a small barrier; else as far from it as a cold start
};

HandOver hand_over_of(const driver::Options& options);

/// The solution with what is not handed over taken out: trajectories at the problem's own guesses, multipliers none.
abi::Solution handed_over(const bolza_problem& problem, const abi::Solution& solution, const HandOver& what);

/// Whether a solution has what starts another method with multipliers: costates at least.
bool has_costates(const bolza_problem& problem, const abi::Solution& solution);

/// The barrier that an interior-point engine starts with, with multipliers of another method or mesh.
double barrier_of_hand_over(const HandOver& what);

inline constexpr const char* nothing_handed_over = "nothing";

/// "states, controls, costates", "nothing".
std::string text_of(const HandOver& what);

}  // namespace bolza::workflow
