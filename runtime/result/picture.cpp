// SPDX-License-Identifier: Apache-2.0
#include "runtime/result/picture.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bolza::result {
namespace {

constexpr Colour ink{40, 44, 52}, faint{226, 229, 234}, frame{150, 156, 166};
constexpr double small = 12, large = 15;

struct Layout {
  double left, right, top, bottom;  // of the frame
  Axis x, y;
  double column(double v) const { return left + (v - x.low) / (x.high - x.low) * (right - left); }
  double row(double v) const { return bottom - (v - y.low) / (y.high - y.low) * (bottom - top); }
};

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void include(double v) {
    if (std::isfinite(v)) {
      low = std::min(low, v);
      high = std::max(high, v);
    }
  }
};

std::string legend_text(const Figure& figure, const Series& s) {
  bool shared = !y_label(figure).empty() && figure.series.size() > 1;
  return s.unit.empty() || shared ? s.label : s.label + " [" + s.unit + "]";
}

// Draws the legend (or only measures it) and gives its height.
double legend(const Figure& figure, double left, double right, double top, Painter& painter, bool draw) {
  if (figure.series.size() < 2) return 0;
  double x = left, y = top + small;
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    std::string text = legend_text(figure, figure.series[i]);
    double width = 26 + painter.text_width(text, small) + 18;
    if (x > left && x + width - 18 > right) {
      x = left;
      y += 1.5 * small;
    }
    if (draw) {
      Point sample[] = {{x, y - 4}, {x + 20, y - 4}};
      painter.line(sample, colour_of(i), 2.4);
      painter.text({x + 26, y}, text, small, Anchor::begin, ink, LabelTurn::across);
    }
    x += width;
  }
  return y - top + 0.6 * small;
}

Layout arrange(const Figure& figure, PictureSize size, Painter& painter) {
  Range x, y;
  for (const Series& s : figure.series) {
    for (double v : s.x) x.include(v);
    for (double v : s.y) y.include(v);
  }
  Layout l{};
  l.top = figure.title.empty() ? 16 : 36;
  l.bottom = size.height - (figure.x_label.empty() ? 30 : 50);
  l.y = make_axis(y.low, y.high, std::max(2, static_cast<int>((l.bottom - l.top) / 55)), AxisEnds::at_ticks);
  double widest = 0;
  for (const std::string& label : l.y.labels) widest = std::max(widest, painter.text_width(label, small));
  l.left = widest + 18 + (y_label(figure).empty() ? 0 : 22);
  l.right = size.width - 24;
  l.top += legend(figure, l.left, l.right, l.top, painter, false);
  l.x = make_axis(x.low, x.high, std::max(2, static_cast<int>((l.right - l.left) / 90)), AxisEnds::as_given);
  return l;
}

void draw_axes(const Figure& figure, const Layout& l, PictureSize size, Painter& painter) {
  for (std::size_t i = 0; i < l.x.ticks.size(); ++i) {
    double x = l.column(l.x.ticks[i]);
    Point grid[] = {{x, l.top}, {x, l.bottom}};
    painter.line(grid, faint, 1);
    painter.text({x, l.bottom + 18}, l.x.labels[i], small, Anchor::middle, ink, LabelTurn::across);
  }
  for (std::size_t i = 0; i < l.y.ticks.size(); ++i) {
    double y = l.row(l.y.ticks[i]);
    Point grid[] = {{l.left, y}, {l.right, y}};
    painter.line(grid, faint, 1);
    painter.text({l.left - 8, y + 4}, l.y.labels[i], small, Anchor::end, ink, LabelTurn::across);
  }
  Point box[] = {{l.left, l.top}, {l.right, l.top}, {l.right, l.bottom}, {l.left, l.bottom}, {l.left, l.top}};
  painter.line(box, frame, 1);
  painter.text({(l.left + l.right) / 2, size.height - 12.0}, figure.x_label, small, Anchor::middle, ink, LabelTurn::across);
  painter.text({16, (l.top + l.bottom) / 2}, y_label(figure), small, Anchor::middle, ink, LabelTurn::upwards);
  painter.text({(l.left + l.right) / 2, 24}, figure.title, large, Anchor::middle, ink, LabelTurn::across);
}

// Points of one unbroken piece; more than a few per pixel column are reduced to the column's first, lowest, highest and
// last.
void reduce(std::vector<Point>& points) {
  if (points.size() < 4000) return;
  std::vector<Point> out;
  for (std::size_t i = 0; i < points.size();) {
    std::size_t end = i;
    double column = std::floor(points[i].x);
    while (end < points.size() && std::floor(points[end].x) == column) ++end;
    auto [low, high] =
        std::minmax_element(points.begin() + i, points.begin() + end, [](Point a, Point b) { return a.y < b.y; });
    out.push_back(points[i]);
    if (low < high) {
      out.push_back(*low);
      out.push_back(*high);
    } else {
      out.push_back(*high);
      out.push_back(*low);
    }
    out.push_back(points[end - 1]);
    i = end;
  }
  points = std::move(out);
}

// A small diamond at each point.
void draw_marks(const Series& s, Colour colour, const Layout& l, Painter& painter) {
  constexpr double r = 3;
  for (std::size_t k = 0; k < s.x.size(); ++k) {
    if (!std::isfinite(s.y[k])) continue;
    double x = l.column(s.x[k]), y = l.row(s.y[k]);
    Point diamond[] = {{x - r, y}, {x, y - r}, {x + r, y}, {x, y + r}, {x - r, y}};
    painter.line(diamond, colour, 1.4);
  }
}

void draw_series(const Series& s, Colour colour, const Layout& l, Painter& painter) {
  if (s.marks) return draw_marks(s, colour, l, painter);
  std::vector<Point> piece;
  auto finish = [&] {
    if (piece.size() == 1) piece.push_back(piece[0]);
    reduce(piece);
    if (!piece.empty()) painter.line(piece, colour, 1.9);
    piece.clear();
  };
  for (std::size_t k = 0; k < s.x.size(); ++k) {
    if (!std::isfinite(s.y[k])) finish();
    else piece.push_back({l.column(s.x[k]), l.row(s.y[k])});
  }
  finish();
}

/// The same painter, further down.
class Lowered final : public Painter {
 public:
  Lowered(Painter& painter, double by) : painter_(painter), by_(by) {}

  void line(std::span<const Point> points, Colour colour, double width) override {
    lowered_.assign(points.begin(), points.end());
    for (Point& p : lowered_) p.y += by_;
    painter_.line(lowered_, colour, width);
  }
  void text(Point at, std::string_view text, double size, Anchor anchor, Colour colour, LabelTurn turn) override {
    painter_.text({at.x, at.y + by_}, text, size, anchor, colour, turn);
  }
  double text_width(std::string_view text, double size) const override { return painter_.text_width(text, size); }
  void clip(Point low, Point high) override {
    bool ends = !(high.x > low.x);
    painter_.clip({low.x, low.y + (ends ? 0 : by_)}, {high.x, high.y + (ends ? 0 : by_)});
  }

 private:
  Painter& painter_;
  double by_;
  std::vector<Point> lowered_;
};

}  // namespace

void paint(const Figure& figure, PictureSize size, Painter& painter) {
  Layout l = arrange(figure, size, painter);
  draw_axes(figure, l, size, painter);
  legend(figure, l.left, l.right, figure.title.empty() ? 12 : 32, painter, true);
  painter.clip({l.left, l.top}, {l.right, l.bottom});
  for (std::size_t i = 0; i < figure.series.size(); ++i) draw_series(figure.series[i], colour_of(i), l, painter);
  painter.clip({}, {});
}

void paint(std::span<const Figure> panels, PictureSize size, Painter& painter) {
  int n = std::max(1, static_cast<int>(panels.size()));
  for (int i = 0; i < static_cast<int>(panels.size()); ++i) {
    Lowered part(painter, static_cast<double>(size.height) * i / n);
    paint(panels[static_cast<std::size_t>(i)], {size.width, size.height / n}, part);
  }
}

}  // namespace bolza::result
