// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/search/draws.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "base/normal_distribution.h"


namespace bolza::estimate {
namespace {

/// In [0, 1), 53 bits. The distributions of the standard library differ from one to another.
double unit(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

/// The value below which a share p of the draws lies.
double quantile(const Draw& draw, double p) {
  if (!draw.normal) return std::clamp(draw.lower + p * (draw.upper - draw.lower), draw.lower, draw.upper);
  double low = normal_cdf((draw.lower - draw.mean) / draw.deviation);
  double high = normal_cdf((draw.upper - draw.mean) / draw.deviation);
  constexpr double edge = 1e-12;
  double share = std::clamp(low + p * (high - low), edge, 1 - edge);
  return std::clamp(draw.mean + draw.deviation * normal_quantile(share), draw.lower, draw.upper);
}

}  // namespace

std::vector<std::vector<double>> latin_hypercube(const std::vector<Draw>& draws, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<double>> points(count, std::vector<double>(draws.size()));
  std::vector<std::size_t> slice(count);
  for (std::size_t k = 0; k < draws.size(); ++k) {
    for (std::size_t i = 0; i < count; ++i) slice[i] = i;
    for (std::size_t i = count; i > 1; --i)
      std::swap(slice[i - 1], slice[static_cast<std::size_t>(unit(random) * static_cast<double>(i))]);
    for (std::size_t i = 0; i < count; ++i)
      points[i][k] = quantile(draws[k], (static_cast<double>(slice[i]) + unit(random)) / static_cast<double>(count));
  }
  return points;
}

std::vector<double> redraw(const std::vector<Draw>& draws, std::uint64_t seed, std::size_t index, std::size_t attempt) {
  std::seed_seq mixed{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                      static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(attempt)};
  std::mt19937_64 random(mixed);
  std::vector<double> point;
  for (const Draw& draw : draws) point.push_back(quantile(draw, unit(random)));
  return point;
}

}  // namespace bolza::estimate
