// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "runtime/result/table.h"

namespace bolza::result {

/// One line of a picture. Where a time stands twice the line jumps there.
struct Series {
  std::string label, unit;
  std::vector<double> x, y;  ///< same length; a NaN interrupts the line
  bool marks = false;        ///< a mark at every point instead of a line: measurements (in SVG and PNG)
};

struct Figure {
  std::string title, x_label = "time [s]";
  std::vector<Series> series;
};

/// A figure of the named variables. Errors E953 with the nearest names.
Result<Figure> make_figure(const ResultTable& table, std::span<const std::string> names, const std::string& file,
                           Diagnostics& diagnostics);

/// One figure for each unit, in the order of the series: what has different units shares no axis. The first has the title,
/// the last the label of x; one panel where all share a unit.
std::vector<Figure> panels_of(const Figure& figure);

struct Axis {
  double low = 0, high = 1;   ///< range shown, low < high
  std::vector<double> ticks;  ///< within the range
  std::vector<std::string> labels;
};

enum class AxisEnds : std::uint8_t { as_given, at_ticks };

/// About `wanted` ticks at 1, 2 or 5 times a power of ten over [low, high], whose ends stay or move out to ticks. A range
/// that is empty or not finite gets a sensible one.
Axis make_axis(double low, double high, int wanted, AxisEnds ends);

/// "y [unit]" when all series share one unit.
std::string y_label(const Figure& figure);

struct PictureSize {
  int width = 900, height = 520;
};

/// Panels stand below each other, of equal height.
std::string svg_text(std::span<const Figure> panels, PictureSize size = {});
inline std::string svg_text(const Figure& figure, PictureSize size = {}) { return svg_text({&figure, 1}, size); }
/// A PNG file, 8 bits RGB, lines and text smoothed. Cost O(width × height × 9) for the pixels of lines.
std::string png_bytes(std::span<const Figure> panels, PictureSize size = {});
inline std::string png_bytes(const Figure& figure, PictureSize size = {}) { return png_bytes({&figure, 1}, size); }

/// A self-contained page with the panels in the report's viewer (zoom, values under the pointer, curves switched in the
/// legend). Requires  all series on the same x.
std::string html_figure(std::span<const Figure> panels);

/// Writes the picture that the ending names: .svg, .png or .html. Errors E951, E954.
Result<Done> write_picture(std::span<const Figure> panels, const std::string& path, PictureSize size,
                           Diagnostics& diagnostics);

struct TerminalStyle {
  int width = 80, height = 20;  ///< characters, frame and labels included
  bool unicode = true;          ///< braille dots; else letters
  bool colour = false;          ///< ANSI colours
};

/// Lines of text with line ends.
std::string terminal_plot(const Figure& figure, const TerminalStyle& style);
/// Panels below each other, which share the height as far as it goes: none has less than 10 lines.
std::string terminal_plot(std::span<const Figure> panels, TerminalStyle style);

/// The curves' colour, the same in every picture.
struct Colour {
  std::uint8_t red, green, blue;
};
Colour colour_of(std::size_t series);

}  // namespace bolza::result
