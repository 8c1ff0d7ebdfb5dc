// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

namespace bolza::integrate {

/// Watches the times of state events for two ways in which a run never ends.
class Chatter {
 public:
  /// @param begin, end  seconds, of the run
  Chatter(double begin, double end) : horizon_(end - begin), end_(end) {}
  static constexpr std::size_t many = 1000;

  enum class Verdict { fine, dense, accumulating };
  /// An event at t by indicator `row`. dense: after 1,000 events between which nothing moved by more than the error that the
  /// solution may have, whatever time they took; a switch that swings between two thresholds is none. accumulating, once a
  /// row: its last twelve intervals shrink by one factor, or fewer of them to a five hundredth, towards a time that is near
  /// and in the run.
  /// @param still  since its last event the indicator has not left zero by more than that error
  Verdict add(double t, std::size_t row, bool still);
  /// Seconds that the events of the last `dense` took.
  double span() const { return span_; }
  /// When the events of the last `accumulating` would end.
  double limit() const { return limit_; }

 private:
  double horizon_, end_, limit_ = 0, first_ = 0, span_ = 0;
  std::size_t still_ = 0;  // events in a row
  std::vector<std::vector<double>> by_row_;
  std::vector<char> told_;
};

}  // namespace bolza::integrate
