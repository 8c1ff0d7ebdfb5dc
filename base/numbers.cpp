// SPDX-License-Identifier: Apache-2.0
#include "base/numbers.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace bolza {

std::string shown(double value, int digits) {
  if (value != value) return "NaN";
  char text[48];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

std::string shown_at_most(double value) {
  if (!(value > 0) || std::isinf(value)) return shown(value, 1);
  constexpr double exact = 1e-9;  // 2e-6 is no more than 2e-6, however it is rounded
  double unit = std::pow(10, std::floor(std::log10(value)));
  return shown(std::ceil(value / unit - exact) * unit, 1);
}

std::string exact_text(double value) {
  std::string out;
  append_exact(out, value);
  return out;
}

void append_exact(std::string& out, double value) {
  char text[32];
  out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

}  // namespace bolza
