// SPDX-License-Identifier: Apache-2.0
#include "runtime/result/study_charts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/numbers.h"
#include "runtime/result/marks.h"
#include "runtime/result/plot.h"
#include "runtime/result/report.h"

namespace bolza::result {
namespace {

/// Least and largest of what is finite; 0 and 1 where nothing is, never equal.
struct Extent {
  explicit Extent(const std::vector<double>& values) {
    bool any = false;
    for (double v : values) {
      if (!std::isfinite(v)) continue;
      low = any ? std::min(low, v) : v;
      high = any ? std::max(high, v) : v;
      any = true;
    }
    if (!any) high = 1;
  }
  double share(double v) const { return high > low ? (v - low) / (high - low) : 0.5; }
  double low = 0, high = 0;
};

/// Five steps from low to high; they differ in lightness, too.
std::string colour_of_share(double share) {
  constexpr std::array names{"--c0", "--c5", "--c2", "--c4", "--c1"};
  auto k = static_cast<std::size_t>(std::clamp(share * names.size(), 0.0, names.size() - 1.0));
  return std::string("var(") + names[k] + ")";
}

std::string legend_of_colours(const std::string& label, const Extent& extent) {
  constexpr int steps = 5;
  std::string out = "<div class='legend key'><span>" + escaped(label) + "</span>";
  for (int k = 0; k < steps; ++k) {
    double share = (k + 0.5) / steps, value = extent.low + share * (extent.high - extent.low);
    out += "<span><i style='background:" + colour_of_share(share) + "'></i>" + escaped(shown(value, 4)) + "</span>";
  }
  return out + "</div>";
}

std::size_t longest(const std::vector<std::string>& texts) {
  std::size_t most = 1;
  for (const std::string& text : texts) most = std::max(most, text.size());
  return most;
}

/// Which of so many labels are written when there is room for some.
std::size_t every(std::size_t count, double room, double of_one) {
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(static_cast<double>(count) * of_one / room)));
}

double quantile_of_sorted(const std::vector<double>& sorted, double share) {
  double place = share * static_cast<double>(sorted.size() - 1);
  auto k = static_cast<std::size_t>(place);
  if (k + 1 >= sorted.size()) return sorted.back();
  return sorted[k] + (place - static_cast<double>(k)) * (sorted[k + 1] - sorted[k]);
}

std::vector<double> sorted_finite(const std::vector<double>& values) {
  std::vector<double> sorted;
  for (double v : values)
    if (std::isfinite(v)) sorted.push_back(v);
  std::ranges::sort(sorted);
  return sorted;
}

std::size_t count_of_bars(const std::vector<double>& sorted) {
  constexpr double most = 60;
  double spread = quantile_of_sorted(sorted, 0.75) - quantile_of_sorted(sorted, 0.25),
         range = sorted.back() - sorted.front();
  double width = 2 * spread / std::cbrt(static_cast<double>(sorted.size()));
  return width > 0 ? static_cast<std::size_t>(std::clamp(std::ceil(range / width), 1.0, most)) : 1;
}

}  // namespace

const char* const study_style = R"css(
.chart2 .none{fill:var(--line)}.chart2 .axis{stroke:var(--soft)}.chart2 .many{fill:none;stroke-width:1.1}
.chart2 .many:hover{stroke-width:3}
)css";

std::string svg_grid_map(const GridMap& map) {
  constexpr double bottom = 52, top = 8;
  double left = std::min(160.0, 7.0 * static_cast<double>(longest(map.y)) + 34), width = picture_width - 12 - left;
  double cell = width / static_cast<double>(std::max<std::size_t>(map.x.size(), 1));
  double tall = std::clamp(300.0 / static_cast<double>(std::max<std::size_t>(map.y.size(), 1)), 4.0, 40.0);
  double height = top + tall * static_cast<double>(map.y.size());
  Extent extent(map.values);
  std::string out = svg_begin(height + bottom);
  for (std::size_t j = 0; j < map.y.size(); ++j)
    for (std::size_t i = 0; i < map.x.size(); ++i) {
      double v = map.values[j * map.x.size() + i];
      std::string style = std::isfinite(v) ? "fill:" + colour_of_share(extent.share(v)) : "fill:var(--line)";
      std::string where = map.x_label + " = " + map.x[i] + ", " + map.y_label + " = " + map.y[j] + ": ";
      double y = height - tall * static_cast<double>(j + 1);  // upwards
      out += svg_rectangle(left + cell * static_cast<double>(i), y, cell, tall, style,
                           where + (std::isfinite(v) ? shown(v, 6) : "no value"));
    }
  std::size_t step = every(map.x.size(), width, 7.0 * static_cast<double>(longest(map.x)) + 10);
  for (std::size_t i = 0; i < map.x.size(); i += step)
    out += svg_label(left + cell * (static_cast<double>(i) + 0.5), height + 16, map.x[i], "middle");
  step = every(map.y.size(), height - top, 14);
  for (std::size_t j = 0; j < map.y.size(); j += step)
    out += svg_label(left - 6, height - tall * (static_cast<double>(j) + 0.5) + 4, map.y[j], "end");
  out += svg_label(left + width / 2, height + 38, map.x_label, "middle") +
         svg_label(12, height / 2, map.y_label, "middle", LabelTurn::upwards);
  return out + "</svg>" + legend_of_colours(map.value_label, extent);
}

std::string svg_histogram(const Histogram& histogram) {
  constexpr double left = 46, top = 8, bottom = 210, whole = 250;
  std::vector<double> sorted = sorted_finite(histogram.values);
  if (sorted.empty()) return "";
  std::size_t bars = count_of_bars(sorted);
  std::vector<std::size_t> counts(bars);
  Extent extent(sorted);
  for (double v : sorted)
    ++counts[std::min(bars - 1, static_cast<std::size_t>(extent.share(v) * static_cast<double>(bars)))];
  double most = static_cast<double>(std::ranges::max(counts)),
         width = (picture_width - 12 - left) / static_cast<double>(bars);
  double step = (extent.high - extent.low) / static_cast<double>(bars);
  std::string out = svg_begin(whole);
  Axis y = make_axis(0, most, 4, AxisEnds::at_ticks);
  auto row = [&](double count) { return bottom - count / y.high * (bottom - top); };
  for (std::size_t k = 0; k < y.ticks.size(); ++k)
    out += svg_line(left, row(y.ticks[k]), picture_width - 12, row(y.ticks[k]), "grid") +
           svg_label(left - 6, row(y.ticks[k]) + 4, y.labels[k], "end");
  for (std::size_t k = 0; k < bars; ++k) {
    double low = extent.low + step * static_cast<double>(k), count = static_cast<double>(counts[k]);
    out +=
        svg_rectangle(left + width * static_cast<double>(k) + 0.5, row(count), std::max(width - 1, 0.5), bottom - row(count),
                      "fill:var(--c0)", shown(low, 5) + " to " + shown(low + step, 5) + ": " + std::to_string(counts[k]));
  }
  Axis x = make_axis(extent.low, extent.high, 6, AxisEnds::as_given);
  for (std::size_t k = 0; k < x.ticks.size(); ++k)
    out += svg_label(left + extent.share(x.ticks[k]) * (picture_width - 12 - left), bottom + 16, x.labels[k], "middle");
  out += svg_label((left + picture_width) / 2, whole - 6, histogram.label, "middle") + "</svg>";
  return out + "<div class='legend key'><span>median " + escaped(shown(quantile_of_sorted(sorted, 0.5), 6)) +
         ", nine tenths from " + escaped(shown(quantile_of_sorted(sorted, 0.05), 6)) + " to " +
         escaped(shown(quantile_of_sorted(sorted, 0.95), 6)) + "</span></div>";
}

std::string svg_parallel_coordinates(const ParallelCoordinates& parallel) {
  constexpr double top = 34, bottom = 330, whole = 356, side = 60, width = 2 * picture_width;  // as wide as the page
  const auto& quantities = parallel.quantities;
  if (quantities.size() < 2) return "";
  auto column = [&](std::size_t k) {
    return side + static_cast<double>(k) * (width - 2 * side) / static_cast<double>(quantities.size() - 1);
  };
  std::vector<Extent> extents;
  for (const auto& quantity : quantities) extents.emplace_back(quantity.values);
  std::string out = svg_begin(whole, width);
  for (std::size_t point = 0; point < quantities[0].values.size(); ++point) {
    std::string line, title;
    for (std::size_t k = 0; k < quantities.size(); ++k) {
      double v = quantities[k].values[point];
      const auto& names = quantities[k].names;
      title += (k == 0 ? "" : ", ") + quantities[k].label + " = " +
               (names.empty() ? shown(v, 5) : names[std::min(names.size() - 1, static_cast<std::size_t>(std::max(v, 0.0)))]);
      if (std::isfinite(v)) line += pixel(column(k)) + "," + pixel(bottom - extents[k].share(v) * (bottom - top)) + " ";
    }
    double last = quantities.back().values[point];
    std::string colour = std::isfinite(last) ? colour_of_share(extents.back().share(last)) : "var(--line)";
    out += "<polyline class='many' style='stroke:" + colour + "' points='" + line + "'><title>" + escaped(title) +
           "</title></polyline>";
  }
  for (std::size_t k = 0; k < quantities.size(); ++k) {
    const auto& q = quantities[k];
    auto text = [&](double v) {
      return q.names.empty() ? shown(v, 4) : q.names[static_cast<std::size_t>(std::max(v, 0.0))];
    };
    out += svg_line(column(k), top, column(k), bottom, "axis");
    out += svg_label(column(k), 12, q.label, "middle") + svg_label(column(k), 28, text(extents[k].high), "middle") +
           svg_label(column(k), bottom + 16, text(extents[k].low), "middle");
  }
  return out + "</svg>" + legend_of_colours(quantities.back().label, extents.back());
}

}  // namespace bolza::result
