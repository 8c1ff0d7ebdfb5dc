// SPDX-License-Identifier: Apache-2.0
#include "base/normal_distribution.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/numbers.h"

namespace bolza {
namespace {

/// The density at x >= 0 divided by what lies above: of a continued fraction where that is small [AS, 26.2.14].
double normal_hazard(double x) {
  constexpr double far = 3;
  constexpr int terms = 200;
  if (x < far) return std::exp(-0.5 * x * x) / std::sqrt(2 * std::acos(-1.0)) / normal_cdf(-x);
  double fraction = x;
  for (int k = terms; k > 0; --k) fraction = x + k / fraction;
  return fraction;
}

/// In the upper tail, 0 <= low: the distance d from its lower end solves
/// d (d + 2 low) / 2 + log(hazard(low + d) / hazard(low)) = -log(share above), in which nothing cancels.
double quantile_in_tail(double low, double high, double share) {
  constexpr int most_steps = 100;
  double at_low = normal_hazard(low), width = high - low;
  double above_high = std::isinf(high) ? 0 : std::exp(-0.5 * width * (width + 2 * low)) * at_low / normal_hazard(high);
  double wanted = share < 0.5 ? -std::log1p(-share * (1 - above_high)) : -std::log((1 - share) + share * above_high);
  double d = std::min(width, wanted / at_low);  // the hazard grows: the distance is at most that
  for (int k = 0; k < most_steps; ++k) {
    double hazard = normal_hazard(low + d);
    double step = (0.5 * d * (d + 2 * low) + std::log(hazard / at_low) - wanted) / hazard;
    d -= step;
    if (std::abs(step) <= 1e-15 * d) break;
  }
  return low + std::clamp(d, 0.0, width);
}

}  // namespace

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

double normal_quantile(double p) {
  if (!(p >= 0 && p <= 1)) return std::numeric_limits<double>::quiet_NaN();
  if (p == 0 || p == 1) return p == 0 ? -infinity : infinity;
  if (p > 0.5) return -normal_quantile(1 - p);
  double t = std::sqrt(-2 * std::log(p));  // a start within 5e-4 [AS, 26.2.23]
  double x = (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
  for (int k = 0; k < 3; ++k) {  // Halley's method, third order
    double step = (normal_cdf(x) - p) * std::sqrt(2 * std::acos(-1.0)) * std::exp(0.5 * x * x);
    x -= step / (1 + 0.5 * x * step);
  }
  return x;
}

double normal_quantile_between(double low, double high, double share) {
  if (low >= 0) return quantile_in_tail(low, high, share);
  if (high <= 0) return -quantile_in_tail(-high, -low, 1 - share);
  double below = normal_cdf(low), above = normal_cdf(-high), between = 1 - below - above;
  double p = below + share * between;
  return p <= 0.5 ? normal_quantile(p) : -normal_quantile(above + (1 - share) * between);
}

}  // namespace bolza
