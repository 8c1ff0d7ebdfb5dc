// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/transcribe/collocation/transcription.h"

namespace bolza::transcribe {

/// A guess whose states run straight from their values at t0 to those that end conditions on one state each ask for at tf;
/// all else keeps the values of nlp.start. Evaluates the constraints and their derivatives once.
abi::Solution linear_guess(Transcription& t);

}  // namespace bolza::transcribe
