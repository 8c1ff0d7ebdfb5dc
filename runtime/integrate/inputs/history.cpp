// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/inputs/history.h"

#include <algorithm>
#include <cmath>

#include "runtime/integrate/inputs/chebyshev.h"

namespace bolza::integrate {
namespace {

constexpr double farthest = 10;  // lengths of a piece by which it is extrapolated

}  // namespace

void History::begin(double t0, std::span<const double> values) {
  start_ = end_ = t0;
  first_.assign(values.begin(), values.end());
  pieces_.clear();
}

void History::append(double b, const std::function<bool(double t, std::span<double> values)>& at) {
  if (!(b > end_)) return;
  Piece piece{end_, b, std::vector<double>(n_ * nodes)};
  std::vector<double> values(n_);
  for (std::size_t k = 0; k < nodes; ++k) {
    double t = k + 1 == nodes ? b : end_ + chebyshev_point(k, nodes) * (b - end_);
    if (!at(t, values)) std::fill(values.begin(), values.end(), std::nan(""));
    for (std::size_t i = 0; i < n_; ++i) piece.values[i * nodes + k] = values[i];
  }
  end_ = b;
  pieces_.push_back(std::move(piece));
}

double History::value(std::size_t i, double t, bool right) const {
  double room = 8e-16 * std::max(std::fabs(t), std::fabs(end_));
  if (pieces_.empty() || t < start_ - room || (t <= start_ + room && !right)) return first_[i];
  double key = right ? t + room : t - room;
  auto later = std::upper_bound(pieces_.begin(), pieces_.end(), key, [](double x, const Piece& p) { return x < p.begin; });
  const Piece& p = later == pieces_.begin() ? pieces_.front() : *std::prev(later);
  // Far outside of a short piece the weights cancel: what is beyond that is held.
  double s = std::clamp((t - p.begin) / (p.end - p.begin), -farthest, 1 + farthest);
  return chebyshev_value(std::span(p.values).subspan(i * nodes, nodes), s);
}

void History::forget_before(double t) {
  auto keep = std::find_if(pieces_.begin(), pieces_.end(), [&](const Piece& p) { return p.end >= t; });
  if (keep - pieces_.begin() > 256) pieces_.erase(pieces_.begin(), keep - 1);  // now and then, so that it costs nothing
}

}  // namespace bolza::integrate
