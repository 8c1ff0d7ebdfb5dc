// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <utility>

#include "runtime/abi/solution.h"
#include "workflow/model.h"

namespace bolza::workflow {

/// Gives a solution of the problem as it is written the multipliers of its solution in pieces: bounds, rows and initial
/// equations phase by phase, point constraints by their place in the source, bounds of parameters by name. Nothing where a
/// piece has other variables than its phase, or a point constraint of the problem is not found in the pieces.
/// @param ranges  [phases of `model`] the pieces of each, first and behind the last
/// Requires  start and final times of `whole`.     Cost  linear in the multipliers.
void carry_multipliers(const Model& pieces, const abi::Solution& solution,
                       std::span<const std::pair<std::size_t, std::size_t>> ranges, const Model& model,
                       abi::Solution& whole);

}  // namespace bolza::workflow
