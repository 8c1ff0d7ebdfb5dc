// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/estimate/estimator.h"

namespace bolza::estimate {

/// What a fit explains of the measurements of one observable that have a weight, on its scale.
struct Explained {
  std::size_t count = 0;
  double left = 0;   ///< Σ (simulated − measured)²
  double total = 0;  ///< Σ (measured − mean)²

  double r_squared() const;  ///< 1 − left/total; NaN where the measurements do not differ
};

/// [observables]
std::vector<Explained> explained(const Estimation& estimation, const Likelihood& at);

}  // namespace bolza::estimate
