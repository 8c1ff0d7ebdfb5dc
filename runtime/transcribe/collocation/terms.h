// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "runtime/transcribe/collocation/transcription.h"

namespace bolza::transcribe {

/// Writes the nonlinear parts of all phases, of the point values given by rates, and of the point function.
void add_terms(Transcription& t, const std::vector<RateRow>& rate_rows);

}  // namespace bolza::transcribe
