// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

namespace bolza::integrate {

/// Watches the times of state events for two ways in which a run never ends.
class Chatter {
 public:
  /// @param horizon  seconds, length of the run
  explicit Chatter(double horizon) : horizon_(horizon) {}

  enum class Verdict { fine, dense, accumulating };
  /// An event at t by indicator `row`. dense: the last 1,000 events fell within a millionth of the horizon. accumulating,
  /// once a row: its last twelve intervals shrink by one factor, towards a time that is near.
  Verdict add(double t, std::size_t row);
  /// When the events of the last `accumulating` would end.
  double limit() const { return limit_; }

 private:
  double horizon_, limit_ = 0;
  std::vector<double> times_;
  std::vector<std::vector<double>> by_row_;
  std::vector<char> told_;
};

}  // namespace bolza::integrate
