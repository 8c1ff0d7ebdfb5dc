// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "runtime/result/picture.h"

namespace bolza::result {

/// A picture of RGB pixels on white; lines and texts are smoothed by their coverage of each pixel.
class Canvas final : public Painter {
 public:
  explicit Canvas(PictureSize size);
  void line(std::span<const Point> points, Colour colour, double width) override;
  void text(Point at, std::string_view text, double size, Anchor anchor, Colour colour, LabelTurn turn) override;
  double text_width(std::string_view text, double size) const override;
  void clip(Point low, Point high) override;

  int width() const { return width_; }
  int height() const { return height_; }
  const std::vector<std::uint8_t>& pixels() const { return pixels_; }  ///< [height × width × 3]

 private:
  void cover(Point a, Point b, double half_width);
  void blend(Colour colour);
  int width_, height_;
  int first_column_, last_column_, first_row_, last_row_;  ///< of the clip, last exclusive
  std::vector<std::uint8_t> pixels_;
  std::vector<float> coverage_;  ///< of the stroke being drawn
  std::vector<std::uint32_t> touched_;
};

}  // namespace bolza::result
