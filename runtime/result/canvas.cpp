// SPDX-License-Identifier: Apache-2.0
#include "runtime/result/canvas.h"

#include <algorithm>
#include <cmath>

#include "runtime/result/stroke_font.h"

namespace bolza::result {
namespace {

// Liang–Barsky: the part of a segment inside a rectangle; false when there is none.
bool cut(Point& a, Point& b, double x0, double x1, double y0, double y1) {
  double begin = 0, end = 1, dx = b.x - a.x, dy = b.y - a.y;
  const double p[] = {-dx, dx, -dy, dy}, q[] = {a.x - x0, x1 - a.x, a.y - y0, y1 - a.y};
  for (int i = 0; i < 4; ++i) {
    if (p[i] == 0) {
      if (q[i] < 0) return false;
    } else if (p[i] < 0) {
      begin = std::max(begin, q[i] / p[i]);
    } else {
      end = std::min(end, q[i] / p[i]);
    }
  }
  if (begin > end) return false;
  Point from = a;
  a = {from.x + begin * dx, from.y + begin * dy};
  b = {from.x + end * dx, from.y + end * dy};
  return true;
}

double distance(Point p, Point a, Point b) {
  double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
  double s = length > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0.0, 1.0) : 0;
  return std::hypot(p.x - a.x - s * dx, p.y - a.y - s * dy);
}

double unit_of(double size) { return 0.72 * size / stroke_height; }

}  // namespace

Canvas::Canvas(PictureSize size)
    : width_(size.width),
      height_(size.height),
      first_column_(0),
      last_column_(width_),
      first_row_(0),
      last_row_(height_),
      pixels_(3 * static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), 255),
      coverage_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), 0.0f) {}

void Canvas::clip(Point low, Point high) {
  bool all = !(high.x > low.x);
  first_column_ = all ? 0 : std::clamp(static_cast<int>(low.x) - 1, 0, width_);
  last_column_ = all ? width_ : std::clamp(static_cast<int>(high.x) + 2, 0, width_);
  first_row_ = all ? 0 : std::clamp(static_cast<int>(low.y) - 1, 0, height_);
  last_row_ = all ? height_ : std::clamp(static_cast<int>(high.y) + 2, 0, height_);
}

// Marks the pixels of one segment, in pieces of a few pixels so that slanted lines do not visit their whole bounding box.
void Canvas::cover(Point a, Point b, double half) {
  double room = half + 1;
  if (!cut(a, b, first_column_ - room, last_column_ + room, first_row_ - room, last_row_ + room)) return;
  int pieces = std::max(1, static_cast<int>(std::max(std::fabs(b.x - a.x), std::fabs(b.y - a.y)) / 8));
  for (int k = 0; k < pieces; ++k) {
    Point p{a.x + (b.x - a.x) * k / pieces, a.y + (b.y - a.y) * k / pieces};
    Point q{a.x + (b.x - a.x) * (k + 1) / pieces, a.y + (b.y - a.y) * (k + 1) / pieces};
    int c0 = std::max(first_column_, static_cast<int>(std::floor(std::min(p.x, q.x) - room)));
    int c1 = std::min(last_column_ - 1, static_cast<int>(std::ceil(std::max(p.x, q.x) + room)));
    int r0 = std::max(first_row_, static_cast<int>(std::floor(std::min(p.y, q.y) - room)));
    int r1 = std::min(last_row_ - 1, static_cast<int>(std::ceil(std::max(p.y, q.y) + room)));
    for (int r = r0; r <= r1; ++r)
      for (int c = c0; c <= c1; ++c) {
        float covered = static_cast<float>(std::clamp(half + 0.5 - distance({c + 0.5, r + 0.5}, p, q), 0.0, 1.0));
        std::size_t at = static_cast<std::size_t>(r) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(c);
        if (covered <= coverage_[at]) continue;
        if (coverage_[at] == 0) touched_.push_back(static_cast<std::uint32_t>(at));
        coverage_[at] = covered;
      }
  }
}

void Canvas::blend(Colour colour) {
  const std::uint8_t ink[] = {colour.red, colour.green, colour.blue};
  for (std::uint32_t at : touched_) {
    for (std::size_t k = 0; k < 3; ++k) {
      std::uint8_t& p = pixels_[3 * std::size_t{at} + k];
      p = static_cast<std::uint8_t>(std::lround(p + (ink[k] - p) * coverage_[at]));
    }
    coverage_[at] = 0;
  }
  touched_.clear();
}

void Canvas::line(std::span<const Point> points, Colour colour, double width) {
  bool straight = width <= 1;  // thin straight lines sit on pixels
  auto snapped = [&](Point p) { return straight ? Point{std::floor(p.x) + 0.5, std::floor(p.y) + 0.5} : p; };
  for (std::size_t i = 0; i + 1 < points.size(); ++i) cover(snapped(points[i]), snapped(points[i + 1]), width / 2);
  blend(colour);
}

double Canvas::text_width(std::string_view text, double size) const {
  int n = 0;
  while (!text.empty()) {
    take_character(text);
    ++n;
  }
  return n * stroke_advance * unit_of(size);
}

void Canvas::text(Point at, std::string_view text, double size, Anchor anchor, Colour colour, LabelTurn turn) {
  double unit = unit_of(size), x = 0;
  if (anchor != Anchor::begin) x = -text_width(text, size) * (anchor == Anchor::middle ? 0.5 : 1);
  while (!text.empty()) {
    std::string_view strokes = strokes_of(take_character(text));
    Point last{};
    bool joined = false;
    for (std::size_t i = 0; i + 1 < strokes.size(); i += 2) {
      if (strokes[i] == ' ') {
        joined = false;
        ++i;
      }
      double dx = x + (strokes[i] - '0' + 0.4) * unit, dy = (strokes[i + 1] - '0' - stroke_height) * unit;
      Point p = turn == LabelTurn::upwards ? Point{at.x + dy, at.y - dx} : Point{at.x + dx, at.y + dy};
      if (joined) cover(last, p, size >= 15 ? 0.72 : 0.58);
      last = p;
      joined = true;
    }
    x += stroke_advance * unit;
  }
  blend(colour);
}

}  // namespace bolza::result
