// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

#include "runtime/transcribe/mesh/scheme.h"

namespace bolza::transcribe {

/// The times at which a phase's trajectories are given: mesh points and collocation points. Where the control is one value
/// per interval (constant, or a scheme with one point) every mesh point inside comes twice, once for each interval.
class Samples {
 public:
  struct Place {
    std::size_t interval;
    double tau;  ///< in [0, 1]
  };
  Samples(const Scheme& scheme, std::size_t intervals, bool control_jumps);

  std::size_t size() const { return jumps_ ? N_ * tau_.size() : 1 + N_ * tau_.size(); }
  /// A mesh point given once belongs to the interval on its left.
  Place place(std::size_t k) const;
  /// The sample at a place that is a mesh point or a collocation point of the interval.
  std::size_t index(std::size_t interval, double tau) const;

 private:
  std::size_t N_;
  bool jumps_;
  std::vector<double> tau_;  // of one interval; without 0 unless the control jumps
};

/// Whether controls are one value per interval.
bool control_jumps(const Scheme& scheme, bool control_constant, std::size_t n_u);

}  // namespace bolza::transcribe
