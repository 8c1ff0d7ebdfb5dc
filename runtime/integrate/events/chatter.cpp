// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/events/chatter.h"

#include <cmath>

namespace bolza::integrate {

Chatter::Verdict Chatter::add(double t, std::size_t row, bool still) {
  constexpr std::size_t intervals = 12;
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
  if (own.size() > 2 * intervals) own.erase(own.begin());
  own.push_back(t);
  // an impact is two events, the contact and its end: every second interval counts
  if (told_[row] || own.size() < 2 * intervals + 1) return Verdict::fine;
  double first = 0, last = 0;
  for (std::size_t k = 0; k + 1 < intervals; ++k) {
    double a = own[2 * k + 2] - own[2 * k], b = own[2 * k + 4] - own[2 * k + 2], ratio = b / a;
    if (!(ratio < 0.995)) return Verdict::fine;
    if (k == 0) first = ratio;
    if (std::fabs(ratio - first) > 0.02 * first) return Verdict::fine;
    last = b;
  }
  limit_ = t + last * first / (1 - first);
  if (limit_ - t > 2e-2 * horizon_) return Verdict::fine;
  told_[row] = 1;
  return Verdict::accumulating;
}

}  // namespace bolza::integrate
