// SPDX-License-Identifier: Apache-2.0
#include "runtime/result/chart.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "base/numbers.h"
#include "runtime/result/marks.h"
#include "runtime/result/plot.h"
#include "runtime/result/report.h"

namespace bolza::result {
namespace {

constexpr double chart_width = picture_width;

struct Limits {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void include(double v) {
    if (std::isfinite(v)) {
      low = std::min(low, v);
      high = std::max(high, v);
    }
  }
};

class ChartPainter {
 public:
  explicit ChartPainter(const Chart& chart) : chart_(chart) {
    Limits x, y;
    for (const Chart::Curve& c : chart.curves) {
      include(c.x, x, false);
      include(c.y, y, chart.log_y);
      include_band(c, y);
    }
    for (const Chart::Points& p : chart.points) {
      include(p.x, x, false);
      include(p.y, y, chart.log_y);
      include(p.low, y, chart.log_y);
      include(p.high, y, chart.log_y);
    }
    include(chart.levels, y, chart.log_y);
    bottom_ = chart.height - (chart.x_label.empty() ? 24 : 40);
    y_ = make_axis(y.low, y.high, std::max(2, static_cast<int>((bottom_ - 10) / 50)), AxisEnds::at_ticks);
    for (std::size_t i = 0; i < y_.ticks.size(); ++i)
      left_ = std::max(left_, 7.0 * static_cast<double>(tick_label(i).size()) + 14 + (chart.y_label.empty() ? 0 : 18));
    double room = x.high > x.low ? 0.02 * (x.high - x.low) : 0;
    x_ = make_axis(x.low - room, x.high + room, static_cast<int>((chart_width - left_) / 80), AxisEnds::as_given);
  }

  std::string text() {
    frame();
    std::string frame_size = pixel(chart_width - 12 - left_) + "' height='" + pixel(bottom_ - 10);
    body_ += "<svg x='" + pixel(left_) + "' y='10' width='" + frame_size + "' viewBox='" + pixel(left_) + " 10 " +
             pixel(chart_width - 12 - left_) + " " + pixel(bottom_ - 10) + "'>";
    for (const Chart::Curve& c : chart_.curves) {
      band(c, c.outer_lower, c.outer_upper);
      band(c, c.lower, c.upper);
    }
    for (double level : chart_.levels) line({x_.low, x_.high}, {level, level}, "level");
    for (const Chart::Curve& c : chart_.curves)
      line(c.x, c.y, std::string(c.dashed ? "curve dashed" : "curve") + "' style='stroke:" + colour(c.colour));
    for (const Chart::Points& p : chart_.points) points(p);
    return svg_begin(chart_.height) + body_ + "</svg></svg>" + legend();
  }

 private:
  void include(const std::vector<double>& values, Limits& limits, bool log) const {
    for (double v : values)
      if (!log || v > 0) limits.include(log ? std::log10(v) : v);
  }

  // Bands wider than three times what they are about do not set the scale.
  void include_band(const Chart::Curve& c, Limits& y) const {
    Limits own, band;
    include(c.y, own, chart_.log_y);
    include(c.lower, band, chart_.log_y);
    include(c.upper, band, chart_.log_y);
    include(c.outer_lower, band, chart_.log_y);
    include(c.outer_upper, band, chart_.log_y);
    for (const Chart::Points& p : chart_.points) include(p.y, own, chart_.log_y);
    double room = own.high - own.low;
    y.include(std::max(band.low, own.low - room));
    y.include(std::min(band.high, own.high + room));
  }

  static std::string colour(int k) { return "var(--c" + std::to_string(k % 8) + ")"; }
  std::string tick_label(std::size_t i) const { return chart_.log_y ? shown(std::pow(10, y_.ticks[i]), 5) : y_.labels[i]; }
  double column(double v) const { return left_ + (v - x_.low) / (x_.high - x_.low) * (chart_width - 12 - left_); }
  double row(double v) const {
    double at = chart_.log_y ? (v > 0 ? std::log10(v) : std::numeric_limits<double>::quiet_NaN()) : v;
    return std::clamp(bottom_ - (at - y_.low) / (y_.high - y_.low) * (bottom_ - 10), -1000.0, 5000.0);
  }

  void label(double x, double y, const std::string& text, const char* anchor, LabelTurn turn = LabelTurn::across) {
    body_ += svg_label(x, y, text, anchor, turn);
  }

  void segment(double x1, double y1, double x2, double y2, const std::string& kind) {
    body_ += svg_line(x1, y1, x2, y2, kind);
  }

  void frame() {
    for (std::size_t i = 0; i < y_.ticks.size(); ++i) {
      double y = bottom_ - (y_.ticks[i] - y_.low) / (y_.high - y_.low) * (bottom_ - 10);
      segment(left_, y, chart_width - 12, y, "grid");
      label(left_ - 7, y + 4, tick_label(i), "end");
    }
    for (std::size_t i = 0; i < x_.ticks.size(); ++i) {
      segment(column(x_.ticks[i]), 10, column(x_.ticks[i]), bottom_, "grid");
      label(column(x_.ticks[i]), bottom_ + 16, x_.labels[i], "middle");
    }
    if (!chart_.x_label.empty()) label((left_ + chart_width - 12) / 2, chart_.height - 6.0, chart_.x_label, "middle");
    if (!chart_.y_label.empty()) label(12, (bottom_ + 10) / 2, chart_.y_label, "middle", LabelTurn::upwards);
  }

  void line(const std::vector<double>& x, const std::vector<double>& y, const std::string& kind) {
    std::string points;
    auto finish = [&] {
      if (!points.empty()) body_ += "<polyline class='" + kind + "' points='" + points + "'/>";
      points.clear();
    };
    for (std::size_t k = 0; k < x.size(); ++k) {
      double px = column(x[k]), py = row(y[k]);
      if (!std::isfinite(px) || !std::isfinite(py)) finish();
      else points += pixel(px) + "," + pixel(py) + " ";
    }
    finish();
  }

  void band(const Chart::Curve& c, const std::vector<double>& lower, const std::vector<double>& upper) {
    if (lower.size() != c.x.size()) return;
    std::string points;
    auto add = [&](std::size_t k, double v) {
      double y = std::isfinite(v) ? row(v) : v > 0 ? -1000.0 : 5000.0;
      points += pixel(column(c.x[k])) + "," + pixel(std::isfinite(y) ? y : bottom_) + " ";
    };
    for (std::size_t k = 0; k < c.x.size(); ++k) add(k, upper[k]);
    for (std::size_t k = c.x.size(); k-- > 0;) add(k, lower[k]);
    body_ += "<polygon class='band' style='fill:" + colour(c.colour) + "' points='" + points + "'/>";
  }

  void points(const Chart::Points& p) {
    for (std::size_t k = 0; k < p.x.size(); ++k) {
      double x = column(p.x[k]), y = row(p.y[k]);
      if (!std::isfinite(x) || !std::isfinite(y)) continue;
      bool bar = k < p.low.size() && std::isfinite(row(p.low[k])) && std::isfinite(row(p.high[k]));
      if (bar) segment(x, row(p.low[k]), x, row(p.high[k]), "bar' style='stroke:" + colour(p.colour));
      bool hollow = k < p.hollow.size() && p.hollow[k];
      std::string style = hollow ? "fill:var(--card);stroke:" + colour(p.colour) : "fill:" + colour(p.colour);
      body_ += "<circle cx='" + pixel(x) + "' cy='" + pixel(y) + "' r='" + (hollow ? "4" : "3") + "' style='" + style +
               "'><title>" + escaped((p.label.empty() ? "" : p.label + ": ") + shown(p.x[k], 5) + ", " + shown(p.y[k], 5)) +
               "</title></circle>";
    }
  }

  std::string legend() const {
    std::string out;
    auto entry = [&](int k, const std::string& text) {
      if (!text.empty()) out += "<span><i style='background:" + colour(k) + "'></i>" + escaped(text) + "</span>";
    };
    for (const Chart::Curve& c : chart_.curves) entry(c.colour, c.label);
    return out.empty() ? "" : "<div class='legend key'>" + out + "</div>";
  }

  const Chart& chart_;
  Axis x_, y_;
  double left_ = 40, bottom_ = 0;
  std::string body_;
};

// Blue over the page's ground to red, by opacity: the same on light and dark.
std::string cell_style(double v) {
  return std::string("fill:") + (v < 0 ? "var(--c0)" : "var(--c1)") + ";fill-opacity:" + pixel(std::min(1.0, std::fabs(v)));
}

}  // namespace

const char* const chart_style = R"css(
.chart2{display:block;width:100%;height:auto;font-size:11.5px}
.chart2 text{fill:var(--soft)}.chart2 .grid{stroke:var(--line)}.chart2 polyline{fill:none}
.chart2 .curve{stroke-width:1.8;stroke-linejoin:round}.chart2 .dashed{stroke-dasharray:5 4}
.chart2 .level{stroke:var(--soft);stroke-dasharray:4 4}.chart2 .band{opacity:.16;stroke:none}
.chart2 .bar{stroke-width:1.2;opacity:.7}.chart2 circle{stroke-width:1.5}
.chart2 .cell{stroke:var(--card);stroke-width:2}.chart2 .value{fill:var(--ink);font-size:10px}
.key{font-size:12.5px;gap:4px 16px}.key span{display:flex;gap:7px;align-items:center}
.verdict{font-size:16px;margin:18px 0 0;max-width:78ch}
)css";

std::string svg_chart(const Chart& chart) {
  std::string title = chart.title.empty() ? "" : "<h3>" + escaped(chart.title) + "</h3>";
  return title + ChartPainter(chart).text();
}

std::string svg_heat_map(const std::vector<std::string>& names, const std::vector<double>& cells) {
  std::size_t longest = 1, n = names.size();
  for (const std::string& name : names) longest = std::max(longest, name.size());
  double size = std::clamp(640.0 / static_cast<double>(std::max<std::size_t>(n, 1)), 14.0, 46.0);
  double side = 7.0 * static_cast<double>(longest) + 14, whole = side + size * static_cast<double>(n) + 4;
  std::string out = "<svg class='chart2' style='max-width:" + pixel(whole) + "px' viewBox='0 0 " + pixel(whole) + " " +
                    pixel(whole) + "'>";
  for (std::size_t i = 0; i < n; ++i) {
    double at = side + size * static_cast<double>(i), middle = at + 0.5 * size + 4;
    out += "<text x='" + pixel(side - 7) + "' y='" + pixel(middle) + "' text-anchor='end'>" + escaped(names[i]) + "</text>";
    out += "<text text-anchor='start' transform='translate(" + pixel(middle) + " " + pixel(side - 7) + ") rotate(-90)'>" +
           escaped(names[i]) + "</text>";
    for (std::size_t j = 0; j < n; ++j) {
      double v = cells[i * n + j], x = side + size * static_cast<double>(j);
      char text[16] = "–";
      if (std::isfinite(v)) std::snprintf(text, sizeof text, "%.2f", v);
      out += "<rect class='cell' x='" + pixel(x) + "' y='" + pixel(at) + "' width='" + pixel(size) + "' height='" +
             pixel(size) + "' style='" + (std::isfinite(v) ? cell_style(v) : "fill:var(--line)") + "'><title>" +
             escaped(names[i]) + ", " + escaped(names[j]) + ": " + text + "</title></rect>";
      if (size > 30)
        out += "<text class='value' x='" + pixel(x + 0.5 * size) + "' y='" + pixel(middle - 1) + "' text-anchor='middle'>" +
               text + "</text>";
    }
  }
  return out + "</svg>";
}

}  // namespace bolza::result
