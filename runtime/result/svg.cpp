// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "base/printable.h"
#include "runtime/result/picture.h"
#include "runtime/result/report.h"

namespace bolza::result {
namespace {

std::string coordinate(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", v);
  std::string out = text;
  while (out.ends_with('0')) out.pop_back();
  if (out.ends_with('.')) out.pop_back();
  return out == "-0" ? "0" : out;
}

std::string hex(Colour c) {
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", c.red, c.green, c.blue);
  return text;
}

class SvgPainter final : public Painter {
 public:
  std::string body;

  void line(std::span<const Point> points, Colour colour, double width) override {
    body += "<polyline fill='none' stroke-linejoin='round' stroke='" + hex(colour) + "' stroke-width='" + coordinate(width) +
            "'" + (clipped_ ? " clip-path='url(#" + frame(frames_) + ")'" : "") + " points='";
    for (std::size_t i = 0; i < points.size(); ++i)
      body += (i ? " " : "") + coordinate(points[i].x) + "," + coordinate(points[i].y);
    body += "'/>\n";
  }

  void text(Point at, std::string_view text, double size, Anchor anchor, Colour colour, LabelTurn turn) override {
    if (text.empty()) return;
    static constexpr const char* anchors[] = {"start", "middle", "end"};
    std::string place = "x='" + coordinate(at.x) + "' y='" + coordinate(at.y) + "'";
    if (turn == LabelTurn::upwards) place += " transform='rotate(-90 " + coordinate(at.x) + " " + coordinate(at.y) + ")'";
    body += "<text " + place + " font-size='" + coordinate(size) + "' text-anchor='" + anchors[static_cast<int>(anchor)] +
            "' fill='" + hex(colour) + "'>" + escaped(text) + "</text>\n";
  }

  double text_width(std::string_view text, double size) const override {
    return 0.58 * size * static_cast<double>(text.size());
  }

  void clip(Point low, Point high) override {
    clipped_ = high.x > low.x;
    if (clipped_)
      body += "<clipPath id='" + frame(++frames_) + "'><rect x='" + coordinate(low.x - 1) + "' y='" + coordinate(low.y - 1) +
              "' width='" + coordinate(high.x - low.x + 2) + "' height='" + coordinate(high.y - low.y + 2) +
              "'/></clipPath>\n";
  }

 private:
  static std::string frame(int number) { return "frame" + (number > 1 ? "-" + std::to_string(number) : ""); }
  bool clipped_ = false;
  int frames_ = 0;
};

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : printable(text)) {
    if (c == '&') out += "&amp;";
    else if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '"') out += "&quot;";
    else if (c == '\'') out += "&#39;";
    else out += c;
  }
  return out;
}

std::string svg_text(std::span<const Figure> panels, PictureSize size) {
  SvgPainter painter;
  paint(panels, size, painter);
  std::string w = std::to_string(size.width), h = std::to_string(size.height);
  return "<svg xmlns='http://www.w3.org/2000/svg' width='" + w + "' height='" + h + "' viewBox='0 0 " + w + " " + h +
         "' font-family='Helvetica, Arial, sans-serif'>\n<rect width='100%' height='100%' fill='white'/>\n" + painter.body +
         "</svg>\n";
}

}  // namespace bolza::result
