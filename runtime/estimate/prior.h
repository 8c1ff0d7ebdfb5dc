// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/estimate/estimation.h"

namespace bolza::estimate {

/// What a prior adds at θ: −log density of the parameter (`on_scale`: of θ), for uniform ones without its constant unless
/// they are truncated; the curvature is not negative. Infinite where the density is zero, NaN where the bounds of a
/// truncated one leave nothing of it.
struct PriorTerm {
  double value = 0, slope = 0, curvature = 0;  ///< by θ
};
PriorTerm prior_term(const Parameter& parameter, double theta);

/// The probability that a prior gives to values between two bounds, in physical units; of what is distributed, without
/// `is_truncated`.
double probability_between(const Parameter& parameter, double lower, double upper);

}  // namespace bolza::estimate
