// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/abi/solution.h"

namespace bolza::transcribe {

/// A guess for the calibration of a model: what the objective compares with data at given times starts on the data. Where
/// the objective is quadratic in the value v of a state or an algebraic at a time, with positive curvature, its least v is
///
///   v* = v − g / h,     g, h: first and second derivative of the objective by v,
///
/// exact for (v − data)² / σ². A variable with three such values or more runs straight from one to the next, from its
/// fixed start value, and is constant beyond them; free parameters that nothing is known of start at 1, or where the model
/// asks for a far different size at that (parameter_starts.h); all else is as without a guess. No phases when there are no
/// data. Three evaluations of the gradient of the point function. Cost linear in the number of values.
abi::Solution data_guess(bolza_problem& problem);

}  // namespace bolza::transcribe
