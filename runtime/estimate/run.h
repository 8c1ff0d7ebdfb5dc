// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "runtime/estimate/growing_windows.h"

namespace bolza::estimate {

/// All that is asked of an estimation at once.
struct EstimateRequest {
  EstimatorOptions estimator;
  FitOptions fit;
  Windows windows;
  bool evaluate_only = false;      ///< the likelihood at the parameters' values, nothing is minimised
  bool information = true;         ///< false: with adjoints, no sensitivities are computed for a Fisher matrix at the end
  std::size_t repetitions = 0;     ///< of that, for `again`
  bool check_gradient = false;     ///< compares the gradient at the start with difference quotients
  std::size_t curve_points = 200;  ///< of each experiment, for pictures; 0: none
};

/// A simulated experiment at the result.
struct ExperimentCurves {
  std::size_t experiment = 0;
  std::vector<std::size_t> observables;  ///< that are measured in it
  Estimator::Curves curves;
};

struct EstimateResult {
  Fit fit;
  std::size_t windows = 0;                ///< > 0: the fit is one in growing windows, with so many halvings; see Windows
  std::optional<double> without_windows;  ///< value that a fit to all measurements at once came to
  std::vector<ExperimentCurves> curves;
  double seconds_again = 0;  ///< processor time of the fastest repetition, 0: none was asked for; the first evaluation makes
                             ///< integrators, compiles
  /// [parameters] |gradient − quotient| over the larger of them and √ of the parameter's Fisher information, which is how
  /// much noise in the data moves the entry; empty: not asked for, or it could not be had.
  std::vector<double> gradient_check;
};

/// Fits an estimation over a compiled model, or evaluates it.
EstimateResult estimate(const bolza_problem& problem, const Estimation& estimation, const EstimateRequest& request);

}  // namespace bolza::estimate
