// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace bolza::instance {

/// Expressions of point values such as "x(2.5) + k" within a text as a user typed it, so that mistakes are shown there.
struct Outputs {
  /// `integral(expression)` over the horizon: the final value of a state of its own, named `integral_state` and a number.
  struct Integral {
    std::uint32_t begin = 0, end = 0, inner_begin = 0, inner_end = 0;  ///< inner: without `integral(` and `)`
  };
  struct Part {
    std::uint32_t begin = 0, end = 0;  ///< bytes of the text
    bool at_end = false;               ///< a name whose value at the final time is meant
    std::vector<Integral> integrals;   ///< ascending
  };
  static constexpr const char* integral_state = "'integral of --of, ";
  std::string text;
  std::vector<Part> parts;
};

}  // namespace bolza::instance
