// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

#include "runtime/integrate/steps/bdf_steps.h"

namespace bolza::integrate {

/// The steps of a run, and what is known of y between their ends: for those who go back over them.
class BdfRecord {
 public:
  void clear(std::size_t count) {
    count_ = count;
    steps_.clear();
    rows_.clear();
  }
  /// The last step, of the first `count` numbers.
  void add(const BdfSteps& steps);
  /// Every s becomes `by` s.
  void stretch(double by);
  /// y [count] at s, within the run. Cost: O(order count) where s is near that of the call before.
  void at(double s, double* y) const;
  std::size_t bytes() const { return rows_.size() * sizeof(double) + steps_.size() * sizeof(Step); }

 private:
  struct Step {
    double begin, end, h;
    int order;
    std::size_t row;  // the first of its rows
  };
  std::size_t count_ = 0;
  std::vector<Step> steps_;
  std::vector<double> rows_;
  mutable std::size_t last_ = 0;  // step of the call before
};

}  // namespace bolza::integrate
