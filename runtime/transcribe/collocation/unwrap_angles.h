// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "runtime/transcribe/collocation/transcription.h"

namespace bolza::transcribe {

/// Angles among the controls: the equations hold the same with a value moved by 2π at one collocation point alone, and the
/// polynomials through values that are turns apart mean nothing between the points. Every value of such a control is moved
/// by whole turns to within half a turn of the one before it (the first: of its guess), inside its bounds. A control is an
/// angle when objective and constraints at the collocation points are then what they were; other controls stay.
/// @param w  [n] the solution, physical
/// Returns  whether values were moved: extra points at the ends, where a polynomial is extrapolated, have to be solved
/// again. Cost  an evaluation of the constraints for every control that changes by more than half a turn.
bool unwrap_angles(Transcription& t, std::vector<double>& w);

}  // namespace bolza::transcribe
