// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace bolza::result {

/// A drawing of measurements and curves, for pages. All x and y in data units; NaN interrupts a line and leaves out a
/// point.
struct Chart {
  struct Curve {
    std::string label;
    std::vector<double> x, y;                      ///< same length
    std::vector<double> lower, upper;              ///< of a band about it, as long as x; empty: none
    std::vector<double> outer_lower, outer_upper;  ///< of a second, lighter band; empty: none
    int colour = 0;                                ///< of the page's eight
    bool dashed = false;
  };
  struct Points {
    std::string label;
    std::vector<double> x, y;       ///< same length
    std::vector<double> low, high;  ///< error bars; empty: none
    std::vector<bool> hollow;       ///< drawn as rings: outliers, or what was not fitted; empty: none
    int colour = 0;
  };
  std::string title, x_label, y_label;
  std::vector<Curve> curves;
  std::vector<Points> points;
  std::vector<double> levels;  ///< horizontal dashed lines
  bool log_y = false;          ///< what is not positive is left out
  int height = 270;
};

/// As SVG, coloured by the variables of the report's style sheet; points tell their values under the pointer. No script.
std::string svg_chart(const Chart& chart);

/// A square of colours from −1 (blue) over 0 to 1 (red) with a value in each cell; names along both sides. `cells` row by
/// row, [names²]; NaN is a dash.
std::string svg_heat_map(const std::vector<std::string>& names, const std::vector<double>& cells);

/// Rules for what these two draw; goes after the report's style sheet.
extern const char* const chart_style;

}  // namespace bolza::result
