// SPDX-License-Identifier: Apache-2.0
// What the pictures of pages are put together of, as SVG. Places and lengths are in pixels of the picture; texts are
// escaped.
#pragma once
#include <cstdint>
#include <string>

namespace bolza::result {

inline constexpr double picture_width = 560;  ///< of a picture in a column of a page

/// A place or length with one digit after the point.
std::string pixel(double v);

std::string svg_begin(double height, double width = picture_width);

enum class LabelTurn : std::uint8_t { across, upwards };
/// @param anchor  "start", "middle" or "end"
std::string svg_label(double x, double y, const std::string& text, const char* anchor, LabelTurn turn = LabelTurn::across);

/// @param title  what it tells under the pointer
std::string svg_rectangle(double x, double y, double width, double height, const std::string& style,
                          const std::string& title);

/// @param kind  of the style sheet: "grid", "axis", …
std::string svg_line(double x1, double y1, double x2, double y2, const std::string& kind);

}  // namespace bolza::result
