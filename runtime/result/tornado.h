// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace bolza::result {

/// What each of several parameters changes: bars to both sides of zero, the longest on top.
struct Tornado {
  struct Bar {
    std::string name;
    double change = 0;  ///< NaN: not known, there is a dash
  };
  std::string label;
  std::vector<Bar> bars;
};

/// As SVG, coloured by the variables of the report's style sheet: the longest `most_bars`, and how many others there are. ""
/// without bars.
std::string svg_tornado(const Tornado& tornado);

inline constexpr std::size_t most_bars = 20;

}  // namespace bolza::result
