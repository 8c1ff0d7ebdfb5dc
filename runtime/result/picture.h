// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "runtime/result/marks.h"
#include "runtime/result/plot.h"

namespace bolza::result {

struct Point {
  double x = 0, y = 0;
};

/// Where a text stands relative to its point: begin, middle or end on its base line.
enum class Anchor : std::uint8_t { begin, middle, end };

/// What a picture is drawn on; pixels, y downwards.
class Painter {
 public:
  virtual ~Painter() = default;
  virtual void line(std::span<const Point> points, Colour colour, double width) = 0;
  virtual void text(Point at, std::string_view text, double size, Anchor anchor, Colour colour, LabelTurn turn) = 0;
  virtual double text_width(std::string_view text, double size) const = 0;
  /// Lines that follow are cut at this rectangle; an empty one ends the cutting.
  virtual void clip(Point low, Point high) = 0;
};

/// Draws frame, axes, curves and legend of a figure on a white ground; the same picture on every painter.
void paint(const Figure& figure, PictureSize size, Painter& painter);
/// Panels below each other, of equal height.
void paint(std::span<const Figure> panels, PictureSize size, Painter& painter);

}  // namespace bolza::result
