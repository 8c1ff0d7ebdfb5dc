// SPDX-License-Identifier: Apache-2.0
#include "kernel_call.h"

#include <cmath>

namespace bolza::codegen::test {

double ulps(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) == std::isnan(b) ? 0 : INFINITY;
  if (a == b) return 0;
  double size = std::fmax(std::fabs(a), std::fabs(b));
  return std::fabs(a - b) / (std::nextafter(size, INFINITY) - size);
}

}  // namespace bolza::codegen::test
