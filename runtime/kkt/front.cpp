// SPDX-License-Identifier: Apache-2.0
#include "runtime/kkt/front.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/kkt/dense_kernels.h"

namespace bolza::kkt {
namespace {
constexpr double rounding_of_pivots = 1e-14;  // relative to what the row had
constexpr int scalings = 2;
}  // namespace

void Front::reset(std::size_t n, std::size_t full) {
  n_ = n;
  full_ = full;
  pivots_ = negative_ = 0;
  a_.assign(n * n, 0.0);
  scale_.assign(n, 1.0);
  limit_.assign(n, INFINITY);
  order_.resize(n);
  for (std::size_t i = 0; i < n; ++i) order_[i] = static_cast<std::int32_t>(i);
  is_pair_.clear();
}

/// Of the entries among rows that are no pivots the diagonal counts: where the matrix is definite, no pivot is then small
/// beside its column. The others play no part in the choice.
void Front::scale() {
  for (int k = 0; k < scalings; ++k) {
    most_.assign(n_, 0.0);
    for (std::size_t j = 0; j < full_; ++j)
      for (std::size_t i = j; i < n_; ++i) {
        double size = std::fabs(at(i, j)) * scale_[i] * scale_[j];
        most_[i] = std::max(most_[i], size);
        most_[j] = std::max(most_[j], size);
      }
    for (std::size_t i = full_; i < n_; ++i) most_[i] = std::max(most_[i], std::fabs(at(i, i)) * scale_[i] * scale_[i]);
    for (std::size_t i = 0; i < n_; ++i)
      if (most_[i] > 0 && std::isfinite(most_[i])) scale_[i] = std::min(scale_[i] / std::sqrt(most_[i]), limit_[i]);
  }
  for (std::size_t j = 0; j < n_; ++j)
    for (std::size_t i = j; i < n_; ++i) at(i, j) *= scale_[i] * scale_[j];
}

/// Of a column of the whole symmetric matrix that is left, without its diagonal and one more row.
double Front::largest_in(std::size_t column, std::size_t besides) const {
  double most = 0;
  for (std::size_t t = pivots_; t < column; ++t)
    if (t != besides) most = std::max(most, std::fabs(a_[t * n_ + column]));
  for (std::size_t i = column + 1; i < n_; ++i)
    if (i != besides) most = std::max(most, std::fabs(a_[column * n_ + i]));
  return most;
}

Front::Choice Front::choose(double threshold) const {
  for (std::size_t c = pivots_; c < full_; ++c) {
    std::size_t r = c;
    double across = 0;
    for (std::size_t t = pivots_; t < full_; ++t)
      if (t != c && std::fabs(left(t, c)) > across) {
        across = std::fabs(left(t, c));
        r = t;
      }
    double d = std::fabs(left(c, c)), others = largest_in(c, r);
    if (d > rounding_of_pivots && d >= threshold * std::max(across, others)) return {c, c, true};
    if (r == c) continue;
    double e = std::fabs(left(r, r)), of_r = largest_in(r, c);
    double det = std::fabs(left(c, c) * left(r, r) - across * across);
    double growth = std::max(e * others + across * of_r, across * others + d * of_r);
    if (across > rounding_of_pivots && det > rounding_of_pivots * across * across && growth * threshold <= det)
      return {std::min(c, r), std::max(c, r), true};
    if (e > rounding_of_pivots && e >= threshold * std::max(across, of_r)) return {r, r, true};
  }
  return {};
}

void Front::swap(std::size_t i, std::size_t j) {
  if (i == j) return;
  if (i > j) std::swap(i, j);
  for (std::size_t t = 0; t < i; ++t) std::swap(at(i, t), at(j, t));
  std::swap(at(i, i), at(j, j));
  for (std::size_t t = i + 1; t < j; ++t) std::swap(at(t, i), at(j, t));
  for (std::size_t t = j + 1; t < n_; ++t) std::swap(at(t, i), at(t, j));
  std::swap(scale_[i], scale_[j]);
  std::swap(order_[i], order_[j]);
}

void Front::single() {
  std::size_t k = pivots_;
  double d = at(k, k);
  negative_ += d < 0;
  at(k, k) = 1 / d;
  subtract_single(a_.data(), n_, k, work_);
  is_pair_.push_back(0);
  ++pivots_;
}

void Front::pair() {
  std::size_t k = pivots_;
  double a = at(k, k), b = at(k + 1, k), c = at(k + 1, k + 1), det = a * c - b * b;
  negative_ += det < 0 ? 1 : a + c < 0 ? 2 : 0;
  at(k, k) = c / det;
  at(k + 1, k) = -b / det;
  at(k + 1, k + 1) = a / det;
  subtract_pair(a_.data(), n_, k, work_);
  is_pair_.push_back(1);
  is_pair_.push_back(0);
  pivots_ += 2;
}

void Front::eliminate(double threshold, bool to_the_end) {
  scale();
  while (pivots_ < full_) {
    Choice choice = choose(threshold);
    if (!choice.found) {
      if (!to_the_end || threshold <= rounding_of_pivots) break;
      threshold *= 1e-3;
      continue;
    }
    swap(pivots_, choice.first);
    if (choice.second == choice.first) {
      single();
    } else {
      swap(pivots_ + 1, choice.second);
      pair();
    }
  }
  for (std::size_t j = pivots_; j < n_; ++j)
    for (std::size_t i = j; i < n_; ++i) at(i, j) /= scale_[i] * scale_[j];
}

void Front::store(std::vector<double>& numbers, std::vector<std::uint8_t>& is_pair) const {
  numbers.insert(numbers.end(), a_.begin(), a_.begin() + static_cast<std::ptrdiff_t>(pivots_ * n_));
  numbers.insert(numbers.end(), scale_.begin(), scale_.end());
  is_pair.insert(is_pair.end(), is_pair_.begin(), is_pair_.end());
}

void FrontFactors::forward(double* x) const {
  const double* scale = numbers + pivots * n;
  for (std::size_t i = 0; i < n; ++i) x[i] *= scale[i];
  for (std::size_t k = 0; k < pivots;) {
    const double* l = numbers + k * n;
    if (is_pair[k]) {
      const double* r = l + n;
      for (std::size_t i = k + 2; i < n; ++i) x[i] -= l[i] * x[k] + r[i] * x[k + 1];
      k += 2;
    } else {
      for (std::size_t i = k + 1; i < n; ++i) x[i] -= l[i] * x[k];
      ++k;
    }
  }
  for (std::size_t i = pivots; i < n; ++i) x[i] /= scale[i];
}

void FrontFactors::backward(double* x) const {
  const double* scale = numbers + pivots * n;
  for (std::size_t i = pivots; i < n; ++i) x[i] /= scale[i];
  for (std::size_t k = pivots; k > 0;) {
    if (k > 1 && is_pair[k - 2]) {
      k -= 2;
      const double* l = numbers + k * n;
      const double* r = l + n;
      double p = l[k] * x[k] + l[k + 1] * x[k + 1], q = l[k + 1] * x[k] + r[k + 1] * x[k + 1];
      for (std::size_t i = k + 2; i < n; ++i) {
        p -= l[i] * x[i];
        q -= r[i] * x[i];
      }
      x[k] = p;
      x[k + 1] = q;
    } else {
      --k;
      const double* l = numbers + k * n;
      double p = l[k] * x[k];
      for (std::size_t i = k + 1; i < n; ++i) p -= l[i] * x[i];
      x[k] = p;
    }
  }
  for (std::size_t i = 0; i < n; ++i) x[i] *= scale[i];
}

}  // namespace bolza::kkt
