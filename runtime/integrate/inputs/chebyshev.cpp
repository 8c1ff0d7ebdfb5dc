// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/inputs/chebyshev.h"

#include <cmath>
#include <numbers>

namespace bolza::integrate {

double chebyshev_point(std::size_t k, std::size_t n) {
  return 0.5 - 0.5 * std::cos(std::numbers::pi * static_cast<double>(k) / static_cast<double>(n - 1));
}

// Barycentric formula; differences to the first value are interpolated.
double chebyshev_value(std::span<const double> values, double s) {
  double above = 0, below = 0, first = values[0];
  for (std::size_t k = 0; k < values.size(); ++k) {
    double distance = s - chebyshev_point(k, values.size());
    if (distance == 0) return values[k];
    double weight = (k % 2 ? -1.0 : 1.0) * (k == 0 || k + 1 == values.size() ? 0.5 : 1.0) / distance;
    above += weight * (values[k] - first);
    below += weight;
  }
  return first + above / below;
}

}  // namespace bolza::integrate
