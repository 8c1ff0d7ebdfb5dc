// SPDX-License-Identifier: Apache-2.0
// Pictures of many results of one model, as SVG for pages: coloured by the variables of the report's style sheet, light and
// dark; what is drawn tells its values under the pointer. No script. All texts are escaped.
#pragma once
#include <string>
#include <vector>

namespace bolza::result {

/// A value for each pair of two lists of values.
struct GridMap {
  std::string x_label, y_label, value_label;
  std::vector<std::string> x, y;  ///< what the columns and rows are called
  std::vector<double> values;     ///< [y][x]; NaN: there is none, the cell is hatched
};
std::string svg_grid_map(const GridMap& map);

/// How often values lie where.
struct Histogram {
  std::string label;
  std::vector<double> values;  ///< those that are not finite are left out
};
/// As many bars as Freedman and Diaconis say, up to 60 [FD1981]; under it median and the range of nine tenths.
std::string svg_histogram(const Histogram& histogram);

/// Many quantities side by side, a line for each point through its value of each of them.
struct ParallelCoordinates {
  struct Quantity {
    std::string label;
    std::vector<double> values;      ///< [points]; NaN: the line ends there
    std::vector<std::string> names;  ///< of whole numbers 0, 1, … where values are words; empty: numbers
  };
  std::vector<Quantity> quantities;  ///< lines are coloured by the last one
};
std::string svg_parallel_coordinates(const ParallelCoordinates& parallel);

/// Rules for what these draw; goes after `chart_style`.
extern const char* const study_style;

}  // namespace bolza::result
