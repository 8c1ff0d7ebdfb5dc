// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/transcribe/collocation/transcription.h"
#include "runtime/transcribe/mesh/delay_reading.h"

namespace bolza::transcribe {

/// Adds the rows of the delayed values of the phase laid out last: w at a point − the polynomial of the interval that holds
/// t − time, at that time (of a free delay by a term of its own); before t0 the value at t0. States have the polynomial
/// through their nodes, algebraics and controls that through the collocation points, and controls that are constant their
/// value. Linear.
void add_delay_rows(Transcription& t, std::size_t phase, const DelayReading& reading);

}  // namespace bolza::transcribe
