// SPDX-License-Identifier: Apache-2.0
#include "base/normal_distribution.h"

#include <cmath>
#include <limits>

#include "base/numbers.h"

namespace bolza {

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

}  // namespace bolza
