// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/estimate/estimator.h"

namespace bolza::estimate {

/// Where a parameter lies in its box.
enum class AtBound : std::uint8_t { no, lower, upper };

/// Parameters within 1e-6 of a bound, relative to the width of the box (to max(1, |bound|) where it is open).
std::vector<AtBound> at_bounds(const Box& box, std::span<const double> theta);

/// What M leaves of the uncertainty of θ.
struct Covariance {
  Eigen::MatrixXd matrix;  ///< [parameters²] on scales; infinite variance: open; 0: at a bound
  Eigen::MatrixXd held;    ///< the same with open directions held fixed: finite, for what does not depend on them
  Eigen::MatrixXd open;    ///< [directions × parameters] on scales
};

/// (M'M)⁻¹ over the parameters within their bounds, times `factor`. Directions whose singular value is below `tolerance` of
/// the largest are open; columns are first scaled to length 1.
/// @param rows  M [m × parameters], see information.h
/// Cost  O(m × parameters²).
Covariance covariance_of(const Eigen::MatrixXd& rows, std::span<const AtBound> at_bound, double factor, double tolerance);

/// d C d' for a derivative d [parameters] of something; infinite where it changes along an open direction.
double variance_along(const Eigen::RowVectorXd& derivative, const Covariance& covariance);

/// Correlations [parameters²]: 1 on the diagonal; NaN where a variance is 0 or infinite.
Eigen::MatrixXd correlation_of(const Eigen::MatrixXd& covariance);

/// What is known of one parameter.
struct Uncertainty {
  double error = 0;             ///< standard error on the parameter's scale
  double physical_error = 0;    ///< standard error in physical units, first order
  double relative_error = 0;    ///< physical_error/|value|
  double lower = 0, upper = 0;  ///< confidence interval in physical units, transformed from the scale
};

/// θ ± quantile × error on the scale, transformed. Infinite errors give (−∞, ∞), (0, ∞) on logarithmic scales.
/// @param quantile  of the two-sided level: 1.96 for 95 % of a normal distribution
Uncertainty interval_of(const Parameter& parameter, double theta, double variance, double quantile);

}  // namespace bolza::estimate
