// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>

#include "runtime/integrate/sundials/sundials_internal.h"

namespace bolza::integrate {

/// What IDAS predicts of a step that ends at s: with a correction e the unknowns are y + e, their slopes y' + c e.
struct Prediction {
  double s = 0, c = 0;
  const double *unknowns = nullptr, *slopes = nullptr;  ///< y, y'
  const double* weights = nullptr;                      ///< of its norm, sqrt(Σ (w v)² / n)
  double tolerance = 0;                                 ///< in this norm: what may be left of e's error
};

enum class Correction : std::uint8_t { found, not_finite, diverged };

/// Finds e [n] for a prediction; what e holds at first has no meaning. Unless found IDAS tries a shorter step.
using Correct = std::function<Correction(const Prediction&, double* e)>;

/// A nonlinear solver for IDASetNonlinearSolver that leaves the equations of the steps to `correct`; IDAS then asks neither
/// for residuals nor for a linear solver. `ida` is its memory. Null when there is no memory.
Iteration make_step_corrector(void* ida, Correct correct, SUNContext context);

}  // namespace bolza::integrate
