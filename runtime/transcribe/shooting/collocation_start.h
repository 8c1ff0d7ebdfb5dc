// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"
#include "runtime/transcribe/options.h"

namespace bolza::transcribe {

/// The start that collocation makes of straight lines to the end values, or of a perturbed guess, as trajectories for
/// shooting: those of implicit Euler, whose points are the mesh points.
/// @return  without phases where `options` ask for neither, or where collocation cannot start
abi::Solution collocation_start(bolza_problem& problem, TranscribeOptions options, const abi::Solution* guess);

}  // namespace bolza::transcribe
