// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "runtime/abi/bolza.h"
#include "runtime/abi/neighbours.h"
#include "runtime/abi/solution.h"

namespace bolza::verify {

/// dJ*/dp with the user's sign, by the envelope theorem [BH1975]: the difference quotient of the Lagrangian over problems
/// with a parameter moved, states, controls, costates and multipliers as they are stored. So everything that depends on the
/// parameter counts: equations, bounds, limits, starts, times, the objective. NaN: the neighbour has another structure, or
/// cannot be evaluated.
/// Requires  a solution with costates and multipliers.     Cost  two evaluations of all functions for each parameter.
std::vector<double> objective_slopes(bolza_problem& problem, const abi::Solution& stored,
                                     std::span<const abi::NeighbourProblems> neighbours);

}  // namespace bolza::verify
