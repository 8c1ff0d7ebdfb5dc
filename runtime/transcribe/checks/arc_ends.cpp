// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/checks/arc_ends.h"

#include <algorithm>
#include <cmath>

namespace bolza::transcribe {
namespace {

constexpr double clear = 0.1;  // of what a neighbour has by length: less is no arc

// Distances of (τ − θ)₊ᵏ/k! from polynomials of degree n on [0, 1] in the mean square, for the θ where they are largest.
// [n][k]
constexpr std::array<std::array<double, 4>, 4> distances{{{0.5, 0.289, 0.146, 0.0455},
                                                          {0.289, 0.0721, 0.0373, 0.0185},
                                                          {0.25, 0.0258, 0.007, 0.00315},
                                                          {0.206, 0.018, 0.00194, 0.00049}}};

}  // namespace

ArcEnd arc_end(std::span<const double> amount, std::span<const double> mesh, std::size_t interval) {
  auto density = [&](std::size_t i) { return amount[i] / (mesh[i + 1] - mesh[i]); };
  double own = amount[interval], length = mesh[interval + 1] - mesh[interval];
  double left = interval > 0 ? density(interval - 1) : density(interval);
  double right = interval + 1 < amount.size() ? density(interval + 1) : density(interval);
  double most = std::max(left, right), least = std::min(left, right);
  bool within = least > clear * most && density(interval) > clear * most && density(interval) < most / clear;
  if (within || !(own > 0)) return {};
  double smooth = std::min(own, most * length);
  return {own - smooth, smooth};
}

std::vector<double> costate_doubt(const ArcEnd& end, std::span<const double> g, double h, std::size_t points,
                                  integrate::ReducedModel& model) {
  const std::array<double, 4>& rho = distances[std::clamp<std::size_t>(points, 1, distances.size()) - 1];
  std::vector<double> sum(g.size(), 0), power(g.begin(), g.end()), rows(model.rate_rows()), entries;
  const std::vector<integrate::ReducedModel::Place>& places = model.rate_places();
  bool has_jacobian = model.rate_entries(rows, entries);
  for (std::size_t k = 0; k + 1 < rho.size(); ++k) {
    for (std::size_t a = 0; a < g.size(); ++a) {
      double part = (end.at_once * rho[k] + end.spread * rho[k + 1]) * power[a];
      sum[a] = std::hypot(sum[a], part);
    }
    if (!has_jacobian) break;
    std::vector<double> next(g.size(), 0);
    for (std::size_t e = 0; e < places.size(); ++e) {
      auto row = static_cast<std::size_t>(places[e].row), column = static_cast<std::size_t>(places[e].col);
      if (row < g.size() && column >= 1 && column <= g.size()) next[column - 1] += h * entries[e] * power[row];
    }
    power = std::move(next);
  }
  for (std::size_t a = 0; a < g.size(); ++a)
    if (!std::isfinite(sum[a])) sum[a] = 0;
  return sum;
}

}  // namespace bolza::transcribe
