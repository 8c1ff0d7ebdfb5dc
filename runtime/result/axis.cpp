// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "runtime/result/plot.h"

namespace bolza::result {
namespace {

double step_near(double raw) {
  double power = std::pow(10.0, std::floor(std::log10(raw)));
  double lead = raw / power;
  return power * (lead <= 1.0 + 1e-9 ? 1 : lead <= 2.0 + 1e-9 ? 2 : lead <= 5.0 + 1e-9 ? 5 : 10);
}

// Plain digits where they are short, else a power of ten; all ticks alike.
std::string label_of(double x, double step, double largest) {
  char text[48];
  if (largest != 0 && (largest >= 1e5 || largest < 1e-3)) {
    int digits = std::max(0, static_cast<int>(std::floor(std::log10(largest)) - std::floor(std::log10(step) + 1e-9)));
    std::snprintf(text, sizeof text, "%.*e", digits, x);
    std::string out = text;
    std::size_t e = out.find('e');
    std::string mantissa = out.substr(0, e);
    int exponent = std::atoi(out.c_str() + e + 1);
    return x == 0 ? "0" : mantissa + "e" + std::to_string(exponent);
  }
  int digits = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  std::snprintf(text, sizeof text, "%.*f", digits, x);
  return text;
}

}  // namespace

Axis make_axis(double low, double high, int wanted, AxisEnds ends) {
  if (!std::isfinite(low) || !std::isfinite(high)) {
    low = 0;
    high = 1;
  }
  constexpr double most = 1e300, least = 1e-290;  // beyond these a step or its power of ten is none
  low = std::clamp(low, -most, most);
  high = std::clamp(high, -most, most);
  if (low > high) std::swap(low, high);
  double size = std::max(std::fabs(low), std::fabs(high));
  if (high - low <= 1e-12 * size || high - low < least) {
    double room = size > 0 ? std::max(0.1 * size, least) : 1;
    low -= room;
    high += room;
  }
  double step = step_near((high - low) / std::max(1, wanted));
  Axis axis{low, high, {}, {}};
  if (ends == AxisEnds::at_ticks) {
    axis.low = std::floor(low / step + 1e-9) * step;
    axis.high = std::ceil(high / step - 1e-9) * step;
  }
  double largest = std::max(std::fabs(axis.low), std::fabs(axis.high));
  double first = std::ceil(axis.low / step - 1e-9);
  for (int k = 0; k < 200; ++k) {
    double x = (first + k) * step;
    if (x > axis.high + 1e-9 * step) break;
    if (std::fabs(x) < 1e-9 * step) x = 0;
    axis.ticks.push_back(x);
    axis.labels.push_back(label_of(x, step, largest));
  }
  return axis;
}

}  // namespace bolza::result
