// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "tests/unit/estimate/statistics/closed_form.h"

namespace bolza::estimate::testing {

/// A regression with certified results [STRD]: estimates, their standard deviations and the residual sum of squares to 11
/// digits.
struct ReferenceRegression {
  std::string name;
  Formula formula;
  std::vector<double> start, x, y, estimates, deviations;
  double sum_of_squares = 0;
};

const std::vector<ReferenceRegression>& reference_regressions();

}  // namespace bolza::estimate::testing
