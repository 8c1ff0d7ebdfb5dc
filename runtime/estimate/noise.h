// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>

#include "runtime/estimate/estimation.h"

namespace bolza::estimate {

/// What one measurement adds to −log likelihood, by the simulated value s and the standard deviation σ, both on the
/// observable's scale.
struct NoiseTerm {
  double residual = 0;  ///< (s − measured)/σ
  double value = 0;     ///< −log density of the measurement, in its physical units
  double by_simulated = 0, by_sigma = 0;
  double information = 0;        ///< expected, of s; that of s and σ together is zero
  double sigma_information = 0;  ///< expected, of σ
};

/// Normal: ½ r² + log σ + ½ log 2π; Laplace: |r| + log 2σ; beyond Observable::huber linear in r. On logarithmic scales the
/// density is that of the measurement itself, which adds log m (+ log log 10).
/// @param measured  physical units; > 0 on logarithmic scales
/// @param rounded   of Laplace noise: |r| is r²/(2 rounded) + rounded/2 where it is smaller, and the information that of the
///                  parabola through |r|, which lies above it (iteratively reweighted least squares); 0: as it is
NoiseTerm noise_term(const Observable& observable, double simulated, double sigma, double measured, double rounded = 0);

}  // namespace bolza::estimate
