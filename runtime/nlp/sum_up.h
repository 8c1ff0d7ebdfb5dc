// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/nlp/nlp.h"

namespace bolza::nlp {

/// A point whose whole-number variables have whole values.
struct RoundedPoint {
  std::vector<double> w;       ///< [n] other variables as they were
  double deviation = 0;        ///< largest |∫(whole − relaxed)| over a control and the ends of its intervals, horizon = 1
  double deviation_bound = 0;  ///< what theory promises of it
};

/// Sum-up rounding [SBD] of a relaxed point. A control that is a whole number takes, interval by interval, the value that
/// brings its integral closest to that of the relaxed one: they never differ by more than half the longest interval. Of
/// controls between 0 and 1 whose sum is one by a constraint, the one whose integral lags most is 1: by no more than
/// (controls − 1) · longest interval. Every other variable of `nlp.integer` takes the nearest whole number within its
/// bounds.
///
/// Controls with rules of switching take what comes closest among what these allow; theory promises nothing then.
///
/// Requires  w is feasible: constraints that say that controls sum to one are recognised by their derivatives at w.
/// Cost      linear in variables and entries; evaluates the Jacobian once.
RoundedPoint sum_up(const Nlp& nlp, const std::vector<double>& w);

}  // namespace bolza::nlp
