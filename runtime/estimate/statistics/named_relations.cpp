// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/statistics/named_relations.h"

#include <algorithm>
#include <cmath>

namespace bolza::estimate {
namespace {

constexpr double moved_share = 0.05;

/// θ after a part of the way along a direction of the relation, along which what it names stays the same.
std::vector<double> moved_along(const Combination& relation, const std::vector<long>& direction,
                                const Estimation& estimation, std::span<const double> theta) {
  std::vector<double> out(theta.begin(), theta.end());
  double most = 0;  // of relative changes
  for (std::size_t i = 0; i < direction.size(); ++i) {
    std::size_t k = relation.parameters[i];
    double value = from_scale(theta[k], estimation.parameters[k].scale),
           change = static_cast<double>(std::labs(direction[i]));
    if (relation.is_sum && value != 0) change /= std::abs(value);
    most = std::max(most, change);
  }
  double step = most > 0 ? moved_share / most : 0;
  for (std::size_t i = 0; i < direction.size(); ++i) {
    std::size_t k = relation.parameters[i];
    Scale scale = estimation.parameters[k].scale;
    double value = from_scale(theta[k], scale), change = step * static_cast<double>(direction[i]);
    out[k] = to_scale(relation.is_sum ? value + change : value * std::exp(change), scale);
  }
  return out;
}

/// What the parameters of a relation would change by themselves, √ of the sum of squares.
double alone(const Likelihood& at, std::span<const double> from, std::span<const double> to) {
  double sum = 0;
  for (std::size_t k = 0; k < from.size(); ++k)
    sum += at.jacobian.col(static_cast<Eigen::Index>(k)).squaredNorm() * std::pow(to[k] - from[k], 2);
  return std::sqrt(sum);
}

/// @param room  change of the residuals that does not count
bool holds(const LikelihoodAt& likelihood, const Estimation& estimation, const Likelihood& at, std::span<const double> theta,
           const Combination& relation, double room) {
  constexpr double share = 1e-3;
  for (const std::vector<long>& direction : relation.whole) {
    std::vector<double> there = moved_along(relation, direction, estimation, theta);
    Likelihood moved;
    if (!likelihood(there, moved) || moved.residuals.size() != at.residuals.size()) continue;
    double change = 0;
    for (std::size_t r = 0; r < at.residuals.size(); ++r) change += std::pow(moved.residuals[r] - at.residuals[r], 2);
    if (std::sqrt(change) > share * alone(at, theta, there) + room) return false;
  }
  return true;
}

}  // namespace

void check_names(const LikelihoodAt& likelihood, const Estimation& estimation, const Likelihood& at,
                 std::span<const double> theta, FitStatistics& statistics) {
  double deviation = std::sqrt(statistics.noise_factor), few = 2 * moved_share * deviation;
  auto check = [&](std::vector<Combination>& relations, double room) {
    for (Combination& relation : relations) {
      if (relation.determined.empty() || holds(likelihood, estimation, at, theta, relation, room)) continue;
      relation.determined.clear();
      relation.recognised = false;
    }
  };
  check(statistics.structure.relations, 0);
  check(statistics.poor, few);
}

}  // namespace bolza::estimate
