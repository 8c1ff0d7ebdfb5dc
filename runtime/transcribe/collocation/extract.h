// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/transcribe/collocation/transcription.h"

namespace bolza::transcribe {

/// Trajectories, integrals, parameters and multipliers of an iterate, in physical units with the signs of docs/notation.md.
/// Status, findings and statistics are left to the caller. Evaluates first derivatives once.
abi::Solution extract(Transcription& t, const nlp::Iterate& iterate);

}  // namespace bolza::transcribe
