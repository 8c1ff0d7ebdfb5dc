// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "runtime/nonlinear/model_at.h"

namespace bolza::integrate {

/// Short features of what equations read of time: a pulse of a hundredth of a second in an hour, which no step of minutes
/// would see. The rows are looked at before they are integrated, at 16,384 times (fewer where there are very many), with the
/// variables near their starts. What counts is how their slopes change, in averages over 1, 8, 64 and 512 of these times: a
/// step may pass a sixteenth of the difference between the least and the greatest slope, so that the next one begins where
/// the feature does.
class TimeFeatures {
 public:
  TimeFeatures() = default;
  /// @param end  seconds        @param x  [n_x] near which the equations are looked at, likewise z, u of `point`
  TimeFeatures(nonlinear::ModelAt& model, const nonlinear::ModelAt::Point& point, double end);

  /// Are there any? Not where time is not read, nor where what it does is as dense everywhere: error tests see that.
  bool any() const { return any_; }
  /// Seconds that a step from t may take; infinity when nothing is in the way.
  double longest_step(double t) const;

 private:
  struct Level {
    double length;               ///< seconds of one average
    std::vector<double> change;  ///< up to the end of each average, in differences of the extreme slopes
  };
  using Samples = std::vector<std::vector<double>>;  // [rows][times]
  bool sample(nonlinear::ModelAt& model, const nonlinear::ModelAt::Point& point, Samples& samples) const;
  void add_level(const Samples& samples, std::size_t stride);

  double begin_ = 0, end_ = 0;
  std::size_t count_ = 0;
  std::vector<Level> levels_;
  bool any_ = false;
};

}  // namespace bolza::integrate
