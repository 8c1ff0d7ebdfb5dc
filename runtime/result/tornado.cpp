// SPDX-License-Identifier: Apache-2.0
#include "runtime/result/tornado.h"

#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "runtime/result/marks.h"

namespace bolza::result {
namespace {

constexpr double bar_pitch = 26, bar_height = 16, head = 6, foot = 40, value_room = 74;

double size_of_bar(const Tornado::Bar& bar) { return std::isfinite(bar.change) ? std::abs(bar.change) : -1; }

double room_for_bar_names(const std::vector<Tornado::Bar>& bars) {
  constexpr double of_letter = 7, most = 190, margin = 14;
  std::size_t longest = 1;
  for (const Tornado::Bar& bar : bars) longest = std::max(longest, bar.name.size());
  return std::min(most, of_letter * static_cast<double>(longest) + margin);
}

}  // namespace

std::string svg_tornado(const Tornado& tornado) {
  std::vector<Tornado::Bar> bars = tornado.bars;
  std::ranges::stable_sort(bars, std::greater<>(), size_of_bar);
  std::size_t left_out = bars.size() > most_bars ? bars.size() - most_bars : 0;
  bars.resize(bars.size() - left_out);
  if (bars.empty()) return "";
  double left = room_for_bar_names(bars), middle = 0.5 * (left + picture_width), reach = middle - left - value_room;
  double most = std::max(size_of_bar(bars.front()), 0.0), bottom = head + bar_pitch * static_cast<double>(bars.size());
  std::string out = svg_begin(bottom + foot) + svg_line(middle, head, middle, bottom, "axis");
  for (std::size_t k = 0; k < bars.size(); ++k) {
    const Tornado::Bar& bar = bars[k];
    double top = head + bar_pitch * static_cast<double>(k) + 0.5 * (bar_pitch - bar_height), text = top + 12;
    bool is_known = std::isfinite(bar.change), is_rise = bar.change > 0;
    double length = is_known && most > 0 ? std::max(reach * std::abs(bar.change) / most, 0.5) : 0;
    out += svg_label(left - 6, text, bar.name, "end");
    if (length > 0)
      out += svg_rectangle(is_rise ? middle : middle - length, top, length, bar_height,
                           is_rise ? "fill:var(--c1)" : "fill:var(--c0)", bar.name + ": " + shown(bar.change));
    std::string value = is_known ? (is_rise ? "+" : "") + shown(bar.change, 3) : "not known";
    out += is_rise || !is_known ? svg_label(middle + length + 6, text, value, "start")
                                : svg_label(middle - length - 6, text, value, "end");
  }
  out += svg_label(middle, bottom + 18, tornado.label, "middle");
  if (left_out > 0)
    out += svg_label(middle, bottom + 34, std::to_string(left_out) + " more parameters change less", "middle");
  return out + "</svg>";
}

}  // namespace bolza::result
