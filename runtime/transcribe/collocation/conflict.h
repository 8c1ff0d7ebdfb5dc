// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"
#include "runtime/transcribe/limit.h"
#include "runtime/transcribe/options.h"

namespace bolza::transcribe {

/// Constraints and bounds of an infeasible problem that cannot hold together, as few as possible: without any one of them
/// the others can. By the deletion filter [CD1991] on a coarse mesh: one limit after the other is let go, for good where
/// what is left has no solution either. Fixed start values and equations always hold.
///
/// Empty  where nothing can be said: the problem has a solution on that mesh, has none without any of its limits, has more
/// than 24 of them, or an engine did not end with a solution or a point of local infeasibility within `options.nlp.budget`.
/// Cost  a solve on ten intervals, and one more for every limit.
std::vector<Limit> find_conflict(bolza_problem& problem, const TranscribeOptions& options, const abi::Solution* guess);

}  // namespace bolza::transcribe
