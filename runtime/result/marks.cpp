// SPDX-License-Identifier: Apache-2.0
#include "runtime/result/marks.h"

#include <cstdio>

#include "runtime/result/report.h"

namespace bolza::result {

std::string pixel(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", v);
  return text;
}

std::string svg_begin(double height, double width) {
  return "<svg class='chart2' viewBox='0 0 " + pixel(width) + " " + pixel(height) + "' role='img'>";
}

std::string svg_label(double x, double y, const std::string& text, const char* anchor, LabelTurn turn) {
  std::string place = pixel(x) + " " + pixel(y);
  std::string attribute = turn == LabelTurn::upwards ? " transform='rotate(-90 " + place + ")'" : "";
  return "<text x='" + pixel(x) + "' y='" + pixel(y) + "' text-anchor='" + anchor + "'" + attribute + ">" + escaped(text) +
         "</text>";
}

std::string svg_rectangle(double x, double y, double width, double height, const std::string& style,
                          const std::string& title) {
  return "<rect x='" + pixel(x) + "' y='" + pixel(y) + "' width='" + pixel(width) + "' height='" + pixel(height) +
         "' style='" + style + "'><title>" + escaped(title) + "</title></rect>";
}

std::string svg_line(double x1, double y1, double x2, double y2, const std::string& kind) {
  return "<line class='" + kind + "' x1='" + pixel(x1) + "' y1='" + pixel(y1) + "' x2='" + pixel(x2) + "' y2='" + pixel(y2) +
         "'/>";
}

}  // namespace bolza::result
