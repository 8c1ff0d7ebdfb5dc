// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/abi/bolza.h"

namespace bolza::transcribe {

/// How long the horizon of a problem of one phase may have to be, by its equations: long enough for the changes between
/// start values (or guesses) and end conditions of single states (measure_horizon). For a free final time without a guess.
/// Errors  0: nothing is known.     Cost  a transcription on one interval, a Jacobian of the model.
double natural_horizon(bolza_problem& problem);

}  // namespace bolza::transcribe
