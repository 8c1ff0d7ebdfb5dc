// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/events/time_events.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/numbers.h"

namespace bolza::integrate {

TimeEvents::TimeEvents(nonlinear::ModelAt& model, Indicators& indicators, double t0, double tf)
    : indicators_(indicators),
      hybrid_(model.model().hybrid),
      t0_(t0),
      tf_(tf),
      count_(hybrid_ ? hybrid_->n_samples : 0, 0) {
  for (std::size_t k = 0; k < count_.size(); ++k) {
    const bolza_sample& s = hybrid_->samples[k];
    if (s.interval > 0 && t0 > s.start)
      count_[k] = static_cast<std::size_t>(std::ceil((t0 - room(t0) - s.start) / s.interval));
  }
  std::vector<std::size_t> curved;
  for (std::size_t k = 0; k < indicators.size(); ++k)
    if (indicators.time_only(k) && indicators.is_relation(k) && !indicators.is_linear_in_time(k)) curved.push_back(k);
  if (!curved.empty()) scan_.emplace(model, indicators, std::move(curved), tf);
}

double TimeEvents::room(double t) const { return 1e-15 * std::max({std::fabs(t), std::fabs(tf_), std::fabs(t0_)}); }

double TimeEvents::tick(std::size_t k) const {
  const bolza_sample& s = hybrid_->samples[k];
  if (!(s.interval > 0)) return count_[k] == 0 && s.start >= t0_ ? s.start : infinity;
  return s.start + static_cast<double>(count_[k]) * s.interval;
}

void TimeEvents::look_ahead(const nonlinear::ModelAt::Point& point) {
  crossing_.clear();
  for (std::size_t k = 0; k < indicators_.size(); ++k)
    if (indicators_.time_only(k) && indicators_.is_linear_in_time(k)) crossing_.push_back(crossing(k, point));
  if (!scan_) return;
  bool known = scan_->hold(point);
  for (std::size_t k = 0; k < scan_->rows().size(); ++k) {
    indicators_.ahead(scan_->rows()[k], known);
    if (known) crossing_.push_back(scan_->next(k, point.t));
  }
}

// Where the indicator leaves its side; infinity when it does not before the end.
double TimeEvents::crossing(std::size_t row, nonlinear::ModelAt::Point p) {
  double begin = p.t, length = tf_ - begin;
  auto at = [&](double t) {
    p.t = t;
    return indicators_.raw(p) ? indicators_.raw_values()[row] : std::nan("");
  };
  indicators_.ahead(row, false);
  double g0 = at(begin), g1 = at(tf_), size = std::fabs(g0) + std::fabs(g1), side = indicators_.side(row);
  for (double s : {0.3819660112501051, 0.7236067977499790})
    if (!(std::fabs(at(begin + s * length) - (g0 + s * (g1 - g0))) <= 1e-10 * size)) return infinity;  // not linear
  indicators_.ahead(row, true);
  bool leaves_at_zero = indicators_.leaves_at_zero(row);
  auto left = [&](double g) { return leaves_at_zero ? side * g <= 0 : side * g < 0; };
  if (!(length > 0) || g0 == g1 || left(g0) || !left(g1)) return infinity;
  double t = begin + length * g0 / (g0 - g1);
  for (int k = 0; k < 4; ++k) t -= at(t) * length / (g1 - g0);  // linear but for rounding
  t = std::clamp(t, begin, tf_);
  constexpr double least = std::numeric_limits<double>::min();  // what is smaller counts as zero here
  for (int k = 0; k < 64 && t < tf_ && !left(at(t)); ++k)
    t += std::ldexp(std::max(std::nextafter(t, infinity) - t, least), k / 4);
  for (double earlier; t > begin && left(at(earlier = std::nextafter(t, begin))); t = earlier)
    if (at(t) == at(earlier)) break;
  return t;
}

double TimeEvents::next(double t) const {
  double first = infinity;
  auto each = [&](auto&& take) {
    for (std::size_t k = 0; k < count_.size(); ++k) take(tick(k));
    for (double c : crossing_) take(c);
  };
  each([&](double e) {
    if (e > t) first = std::min(first, e);
  });
  double last = first;
  each([&](double e) {
    if (e > first && e <= first + room(first)) last = std::max(last, e);
  });
  return last;
}

bool TimeEvents::due(double t, Hybrid& hybrid) {
  bool any = false;
  for (std::size_t k = 0; k < count_.size(); ++k) {
    if (!(tick(k) <= t + room(t))) continue;
    hybrid.set_sample(k, true);
    ++count_[k];
    any = true;
  }
  for (double c : crossing_) any = any || (c <= t + room(t));
  return any;
}

}  // namespace bolza::integrate
