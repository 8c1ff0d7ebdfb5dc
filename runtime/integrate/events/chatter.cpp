// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/events/chatter.h"

#include <cmath>

namespace bolza::integrate {

namespace {

constexpr std::size_t many_intervals = 12, few_intervals = 3;
constexpr double shrunk = 1.0 / 500;  // few intervals that shrink so far are as many

// Do the last intervals shrink by one factor? An impact is two events, the contact and its end: every second one counts.
bool shrinks(const std::vector<double>& times, double& ratio) {
  std::size_t n = 0;
  double last = 0, interval = 0;
  for (std::size_t end = times.size() - 1; end >= 4; end -= 2, ++n) {
    double b = times[end] - times[end - 2], a = times[end - 2] - times[end - 4], own = b / a;
    if (n == 0) ratio = own;
    if (n == 0) last = b;
    if (!(own < 0.995) || std::fabs(own - ratio) > 0.02 * ratio) break;
    interval = a;
    if (n + 2 >= many_intervals || (n + 2 >= few_intervals && last <= shrunk * interval)) return true;
  }
  return false;
}

}  // namespace

Chatter::Verdict Chatter::add(double t, std::size_t row, bool still) {
  if (!still) still_ /= 2;
  else if (still_++ == 0) first_ = t;
  if (still_ >= many) {
    span_ = t - first_;
    return Verdict::dense;
  }
  if (row >= by_row_.size()) {
    by_row_.resize(row + 1);
    told_.resize(row + 1, 0);
  }
  std::vector<double>& own = by_row_[row];
  if (own.size() > 2 * many_intervals) own.erase(own.begin());
  own.push_back(t);
  if (told_[row]) return Verdict::fine;
  double ratio = 0;
  if (!shrinks(own, ratio)) return Verdict::fine;
  limit_ = t + (own[own.size() - 1] - own[own.size() - 3]) * ratio / (1 - ratio);
  if (limit_ - t > 2e-2 * horizon_ || limit_ >= end_) return Verdict::fine;
  told_[row] = 1;
  return Verdict::accumulating;
}

}  // namespace bolza::integrate
