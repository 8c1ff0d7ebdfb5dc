// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/delay_windows.h"

#include <algorithm>
#include <cmath>

namespace bolza::transcribe {
namespace {

constexpr double half_width = 2;  // of a window, in intervals
constexpr double worth_it = 10;   // bounds that are closer than so many intervals are kept
constexpr double side = 1e-3;     // of a window: so near to its end is at it

}  // namespace

void add_delay_windows(const bolza_problem& problem, std::size_t phase, const DelayReading& reading, double interval,
                       std::span<const double> parameters, std::vector<DelayWindow>& windows) {
  for (const DelayedValue& delay : reading.delays) {
    if (!delay.is_free() || delay.most - delay.least <= worth_it * interval) continue;
    for (auto [entry, slope] : delay.slopes) {
      if (slope == 0) continue;
      auto p = static_cast<std::size_t>(problem.phases[phase].parameter[entry]);
      const bolza_variable& own = problem.parameters[p];
      double room = half_width * interval / (std::abs(slope) * static_cast<double>(delay.slopes.size()));
      double at = std::clamp(parameters[p], own.min, own.max);
      DelayWindow window{p, std::max(own.min, at - room), std::min(own.max, at + room), own.min, own.max};
      auto same = std::find_if(windows.begin(), windows.end(), [&](const DelayWindow& w) { return w.parameter == p; });
      if (same == windows.end()) windows.push_back(window);
      else {
        same->lower = std::max(same->lower, window.lower);
        same->upper = std::min(same->upper, window.upper);
      }
    }
  }
}

void narrow_delays(const bolza_problem& problem, std::size_t phase, std::span<const DelayWindow> windows,
                   DelayReading& reading) {
  if (windows.empty()) return;
  for (DelayedValue& delay : reading.delays) {
    double least = delay.constant, most = delay.constant;
    for (auto [entry, slope] : delay.slopes) {
      auto p = static_cast<std::size_t>(problem.phases[phase].parameter[entry]);
      auto window = std::find_if(windows.begin(), windows.end(), [&](const DelayWindow& w) { return w.parameter == p; });
      double lower = window == windows.end() ? problem.parameters[p].min : window->lower;
      double upper = window == windows.end() ? problem.parameters[p].max : window->upper;
      least += slope * (slope > 0 ? lower : upper);
      most += slope * (slope > 0 ? upper : lower);
    }
    if (!delay.is_free()) continue;
    delay.least = std::max(delay.least, least);
    delay.most = std::min(delay.most, most);
  }
}

const DelayWindow* window_left(std::span<const DelayWindow> windows, std::span<const double> unknowns) {
  auto left = std::find_if(windows.begin(), windows.end(), [&](const DelayWindow& w) {
    double value = unknowns[w.parameter], room = side * (w.upper - w.lower);
    return (value < w.lower + room && w.lower > w.own_lower) || (value > w.upper - room && w.upper < w.own_upper);
  });
  return left == windows.end() ? nullptr : &*left;
}

}  // namespace bolza::transcribe
