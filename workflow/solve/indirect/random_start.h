// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "base/budget.h"
#include "workflow/model.h"
#include "workflow/solver_library.h"

namespace bolza::workflow {

/// A start of the conditions without a direct solution, as one had it before there were any: the model simulated with its
/// controls in the middle of their bounds, and constant costates and multipliers between -1 and 1, drawn from a seed.
/// No phases where the simulation fails.      @param intervals  of the mesh
abi::Solution random_start(Model& model, const SolverLibrary& library, const Budget& budget, std::uint32_t seed,
                           std::size_t intervals);

}  // namespace bolza::workflow
