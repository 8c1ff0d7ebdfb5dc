// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "runtime/integrate/segment/segment.h"
#include "runtime/linalg/collocation_points.h"

namespace bolza::integrate {

/// Samples at the points of Gauss's rule in every step of a run.
class StepSamples {
 public:
  /// Forgets the samples of the run before.
  explicit StepSamples(Segment::Samples& samples)
      : samples_(samples),
        points_(linalg::gauss_points(samples.per_step)),
        weights_(linalg::gauss_weights(samples.per_step)) {
    samples.at.clear();
    samples.weight.clear();
    samples.x.clear();
    samples.by.clear();
    samples.shared.clear();
  }

  /// Those of the step between two s. `take(k, s)` fills sample k; false: it could not.
  template <class Take>
  bool add(double from, double to, const Take& take) {
    for (std::size_t j = 0; j < points_.size(); ++j) {
      double s = from + points_[j] * (to - from);
      if (!take(samples_.at.size(), s)) return false;
      samples_.at.push_back(s);
      samples_.weight.push_back(weights_[j] * (to - from));
    }
    return true;
  }

 private:
  Segment::Samples& samples_;
  std::vector<double> points_, weights_;
};

}  // namespace bolza::integrate
