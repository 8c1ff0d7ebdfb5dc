// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/interior/quasi_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bolza::nlp::interior {
namespace {

constexpr std::size_t memory = 6;
constexpr double least_curvature = 1e-8, most_curvature = 1e8;
constexpr int most_left_out = 2;

double product(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t v = 0; v < a.size(); ++v) sum += a[v] * b[v];
  return sum;
}

}  // namespace

void QuasiNewton::update(std::span<const double> s, std::span<const double> y) {
  double ss = product(s, s), sy = product(s, y), yy = product(y, y);
  double least = std::sqrt(std::numeric_limits<double>::epsilon() * ss * yy);
  if (!(sy > least) || !std::isfinite(sy)) {
    if (++left_out_ < most_left_out) return;
    left_out_ = 0;
    pairs_.clear();
    sigma_ = 1;
    return;
  }
  left_out_ = 0;
  if (pairs_.size() < memory) pairs_.push_back({std::vector<double>(n_), std::vector<double>(n_)});
  else std::rotate(pairs_.begin(), pairs_.begin() + 1, pairs_.end());
  std::copy(s.begin(), s.end(), pairs_.back().s.begin());
  std::copy(y.begin(), y.end(), pairs_.back().y.begin());
  sigma_ = std::clamp(sy / ss, least_curvature, most_curvature);
}

void QuasiNewton::column(std::size_t j, double* to) const {
  bool is_s = j < pairs_.size();
  const std::vector<double>& from = is_s ? pairs_[j].s : pairs_[j - pairs_.size()].y;
  double factor = is_s ? sigma_ : 1;
  for (std::size_t v = 0; v < n_; ++v) to[v] = factor * from[v];
}

double QuasiNewton::s_s(std::size_t i, std::size_t j) const { return product(pairs_[i].s, pairs_[j].s); }
double QuasiNewton::s_y(std::size_t i, std::size_t j) const { return product(pairs_[i].s, pairs_[j].y); }

double QuasiNewton::middle(std::size_t i, std::size_t j) const {
  std::size_t k = pairs_.size();
  if (i > j) std::swap(i, j);
  if (j < k) return sigma_ * s_s(i, j);
  if (i < k) return i > j - k ? s_y(i, j - k) : 0;
  return i == j ? -s_y(i - k, i - k) : 0;
}

}  // namespace bolza::nlp::interior
