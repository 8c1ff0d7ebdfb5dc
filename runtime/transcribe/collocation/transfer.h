// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/abi/solution.h"
#include "runtime/nlp/nlp.h"
#include "runtime/transcribe/collocation/transcription.h"

namespace bolza::transcribe {

/// Multipliers for `t` from those of a solution by the same transcription on another mesh, both solved by the NLP's
/// numbering. Multipliers of defects are values of the costates and are taken over from the interval that covers the new
/// one; those of algebraic rows, path rows and bounds are integrals over an interval and shrink with it. Only `lambda`,
/// `z_lower` and `z_upper` are filled; they stay empty when the solution has none or is of another transcription. Cost
/// linear.
nlp::Iterate transfer_multipliers(const Transcription& t, const abi::Solution& from);

}  // namespace bolza::transcribe
