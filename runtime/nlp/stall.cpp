// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/stall.h"

#include <algorithm>
#include <cmath>

namespace bolza::nlp {

bool StallWatch::has_progress(double objective, double violation, double error, double barrier) const {
  constexpr double same = 1e-9, less = 0.9;
  if (!begun_ || barrier < barrier_) return true;
  if (violation_ > tol_ && violation < less * violation_) return true;
  double size = std::abs(objective_);
  if (std::abs(objective - objective_) > std::max(same * size, noise_ * (1 + size))) return true;
  return error < less * error_;
}

bool StallWatch::look(double objective, double violation, double error, double barrier) {
  if (has_progress(objective, violation, error, barrier)) {
    violation_ = begun_ ? std::min(violation_, violation) : violation;
    error_ = begun_ ? std::min(error_, error) : error;
    objective_ = objective;
    barrier_ = barrier;
    begun_ = true;
    idle_ = 0;
    return false;
  }
  return ++idle_ >= patience_;
}

}  // namespace bolza::nlp
