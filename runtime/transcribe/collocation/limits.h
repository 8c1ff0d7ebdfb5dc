// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "runtime/transcribe/collocation/transcription.h"
#include "runtime/transcribe/limit.h"

namespace bolza::transcribe {

/// The path and point constraints of a transcription and the bounds of its variables, in the order of its numbering. Fixed
/// start values, equations and the lower bounds of times are none.
std::vector<Limit> limits_of(const Transcription& t);

/// Takes the sides and bounds of these away.
void let_go(Transcription& t, std::span<const Limit> limits);

/// Moves the sides and bounds of all limits that the start breaks by v by share · v. Evaluates the constraints once; where
/// they have no value, nothing is moved.
void widen(Transcription& t, double share);

}  // namespace bolza::transcribe
