// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/transcribe/collocation/transcription.h"

namespace bolza::transcribe {

/// Moves the NLP's start by smooth random functions of time, the same for the same seed: each trajectory by
/// `amount` · size · Σ c_k sin(kπτ) / k, k = 1 … 3, controls by a constant as well, free parameters and times by a
/// share of their sizes; then into their bounds. The size of a bounded control is half the distance of its bounds, that of
/// all else the NLP's scale. In a static problem every variable goes by `amount` of the way to a value of a sequence that
/// spreads evenly between its bounds, or within ten of its sizes where it has none. Running sums and point values follow.
/// Asks for `set_scales` before.
void perturb_start(Transcription& t, double amount, std::uint32_t seed);

}  // namespace bolza::transcribe
