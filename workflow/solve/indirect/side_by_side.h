// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/driver/pontryagin.h"
#include "runtime/abi/solution.h"

namespace bolza::workflow {

/// The phases of a solution on the common horizon 0 … 1 of the system, as one phase: states, algebraics, controls and
/// costates at the times of all phases, linear between their own; the mesh has the points of all meshes. What limits weigh
/// is summed up over each phase.
abi::Solution phases_side_by_side(const passes::OptimalitySystem& system, const abi::Solution& solution);

/// The times of all phases as shares of them, ascending, each once.
std::vector<double> shares_of_times(const abi::Solution& solution);

}  // namespace bolza::workflow
