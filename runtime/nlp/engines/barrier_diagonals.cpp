// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/engines/barrier_diagonals.h"

#include <algorithm>
#include <cmath>

namespace bolza::nlp {
namespace {

constexpr double least_distance = 1e-12, equality = 1e-10, most = 1e20;

/// Curvature of the barrier at a bound.
double of_bound(double distance, double multiplier) {
  return std::isfinite(distance) ? std::min(most, std::max(0.0, multiplier) / std::max(distance, least_distance)) : 0;
}

/// Its inverse at the side of a row.
double of_row(double lower, double value, double upper, double multiplier) {
  if (lower == upper) return equality;
  double distance = multiplier > 0 ? upper - value : value - lower;
  if (!std::isfinite(distance) || multiplier == 0) return most;
  return std::clamp(std::max(distance, least_distance) / std::abs(multiplier), equality, most);
}

}  // namespace

BarrierDiagonals barrier_diagonals(const Nlp& nlp, const Iterate& it, const double* g, double floor) {
  BarrierDiagonals d{std::vector<double>(nlp.n()), std::vector<double>(nlp.m())};
  for (std::size_t v = 0; v < nlp.n(); ++v)
    d.sigma[v] = floor + of_bound(it.w[v] - nlp.lower[v], it.z_lower[v]) + of_bound(nlp.upper[v] - it.w[v], it.z_upper[v]);
  for (std::size_t r = 0; r < nlp.m(); ++r) d.delta[r] = of_row(nlp.row_lower[r], g[r], nlp.row_upper[r], it.lambda[r]);
  return d;
}

}  // namespace bolza::nlp
