// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/events/time_scan.h"

#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "runtime/abi/evaluate.h"

namespace bolza::integrate {
namespace {

constexpr std::size_t places_at_once = 512, usual_places = 65536, most_times = std::size_t{1} << 22;
constexpr std::size_t most_looked_at = 40000000;  // of all rows together
constexpr std::size_t each_turn = 12;             // places that a turn wants
constexpr std::size_t probe_count = 32, most_scans = 50;
constexpr double golden = 0.6180339887498949;

}  // namespace

TimeScan::TimeScan(nonlinear::ModelAt& model, Indicators& indicators, std::vector<std::size_t> rows, double end)
    : model_(model),
      indicators_(indicators),
      rows_(std::move(rows)),
      end_(end) {}

bool TimeScan::evaluate(const nonlinear::ModelAt::Point& point, std::span<const double> times) {
  const bolza_function& f = *model_.model().hybrid->indicators;
  const bolza_model& m = model_.model();
  if (ld_ == 0) {
    if (!abi::ensure(model_.problem(), *model_.model().hybrid->indicators, BOLZA_VALUE)) return false;
    ld_ = abi::padded(places_at_once);
    points_ = abi::AlignedDoubles(f.n_point * ld_);
    out_ = abi::AlignedDoubles(f.kernels[BOLZA_VALUE]->n_out * ld_);
  }
  auto fill = [&](std::size_t first, const double* values, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) std::fill_n(points_.data() + (first + i) * ld_, times.size(), values[i]);
  };
  std::copy(times.begin(), times.end(), points_.data());
  fill(1, point.x, m.n_x);
  fill(1 + m.n_x, point.z, m.n_z);
  fill(1 + m.n_x + m.n_z, point.u, m.n_u);
  abi::evaluate(f, BOLZA_VALUE,
                {.n = times.size(), .ld = ld_, .point = points_.data(), .shared = model_.shared.data(), .out = out_.data()});
  for (std::size_t k = 0; k < rows_.size(); ++k)
    for (std::size_t i = 0; i < times.size(); ++i)
      if (!std::isfinite(value(k, i))) return false;
  return true;
}

double TimeScan::value(std::size_t k, std::size_t i) const { return out_[rows_[k] * ld_ + i]; }

bool TimeScan::is_true(std::size_t k, double g) const { return indicators_.holds(rows_[k], g); }

double TimeScan::at(std::size_t k, nonlinear::ModelAt::Point& point, double t) {
  point.t = t;
  return indicators_.raw(point) ? indicators_.raw_values()[rows_[k]] : std::nan("");
}

bool TimeScan::hold(const nonlinear::ModelAt::Point& point) {
  if (scans_ > most_scans) return false;
  if (scans_ > 0) {
    if (!evaluate(point, probes_)) return false;
    bool same = true;
    for (std::size_t k = 0; k < rows_.size(); ++k)
      for (std::size_t i = 0; i < probes_.size(); ++i) same = same && value(k, i) == known_[i * rows_.size() + k];
    if (same) return true;
  }
  ++scans_;
  return scan(point);
}

bool TimeScan::scan(const nonlinear::ModelAt::Point& point) {
  probes_.clear();
  known_.clear();
  for (std::size_t i = 0; i < probe_count; ++i)
    probes_.push_back(point.t + (end_ - point.t) * std::fmod(golden * static_cast<double>(i + 1), 1.0));
  if (!evaluate(point, probes_)) return false;
  for (std::size_t i = 0; i < probes_.size(); ++i)
    for (std::size_t k = 0; k < rows_.size(); ++k) known_.push_back(value(k, i));
  std::size_t rows = std::max<std::size_t>(model_.model().hybrid->n_indicators, 1), limit = most_looked_at / rows;
  for (std::size_t count = std::clamp(limit, places_at_once, usual_places);; count *= 8) {
    std::size_t turns = look(point, count);
    if (turns == static_cast<std::size_t>(-1)) return false;
    if (turns * each_turn <= count || 8 * count > std::min(most_times, limit)) return true;
  }
}

// Finds the changes by `count` places; how often the row that does so most_times turns, npos when a value is not finite.
std::size_t TimeScan::look(const nonlinear::ModelAt::Point& point, std::size_t count) {
  changes_.assign(rows_.size(), {});
  std::vector<std::size_t> turns(rows_.size(), 0);
  std::vector<double> times, t(2, point.t), g(2 * rows_.size(), std::nan(""));  // of the two places before, the last second
  auto place = [&](std::size_t j) {
    return point.t + (end_ - point.t) * static_cast<double>(j) / static_cast<double>(count);
  };
  for (std::size_t first = 0; first <= count; first += places_at_once) {
    times.clear();
    for (std::size_t j = first; j <= count && j < first + places_at_once; ++j) times.push_back(place(j));
    if (!evaluate(point, times)) return static_cast<std::size_t>(-1);
    std::vector<double> values(times.size() * rows_.size());
    for (std::size_t k = 0; k < rows_.size(); ++k)
      for (std::size_t i = 0; i < times.size(); ++i) values[i * rows_.size() + k] = value(k, i);
    for (std::size_t i = 0; i < times.size(); ++i) {
      for (std::size_t k = 0; k < rows_.size(); ++k) {
        double g0 = g[2 * k], g1 = g[2 * k + 1], g2 = values[i * rows_.size() + k];
        bool changes = !std::isnan(g1) && is_true(k, g1) != is_true(k, g2);
        if (changes) add_between(k, point, t[1], times[i]);
        turns[k] += !std::isnan(g0) && (g1 - g0) * (g2 - g1) < 0;
        double sign = g1 < 0 ? -1 : 1, low = std::min(sign * g0, sign * g2);
        bool dips = !changes && !std::isnan(g0) && is_true(k, g0) == is_true(k, g1) && sign * g1 <= low &&
                    sign * g1 < 2 * (std::max(sign * g0, sign * g2) - sign * g1);
        if (dips && !(g0 == g1 && g1 == g2)) {
          double lowest = least(k, point, t[0], times[i], sign);
          nonlinear::ModelAt::Point there = point;
          if (is_true(k, at(k, there, lowest)) != is_true(k, g1)) {
            add_between(k, point, t[0], lowest);
            add_between(k, point, lowest, times[i]);
          }
        }
        g[2 * k] = g1;
        g[2 * k + 1] = g2;
      }
      t[0] = t[1];
      t[1] = times[i];
    }
  }
  for (std::vector<double>& changes : changes_) {
    std::sort(changes.begin(), changes.end());
    changes.erase(std::unique(changes.begin(), changes.end()), changes.end());
  }
  return *std::max_element(turns.begin(), turns.end());
}

// Between two times at which the relation differs: the first number at which it is as at the second.
void TimeScan::add_between(std::size_t k, nonlinear::ModelAt::Point point, double from, double to) {
  bool end = is_true(k, at(k, point, to));
  while (std::nextafter(from, to) < to) {
    double middle = from + 0.5 * (to - from);
    if (!(middle > from && middle < to)) break;
    (is_true(k, at(k, point, middle)) == end ? to : from) = middle;
  }
  changes_[k].push_back(to);
}

// Where an indicator is nearest to zero, by golden sections.
double TimeScan::least(std::size_t k, nonlinear::ModelAt::Point point, double from, double to, double sign) {
  double a = to - golden * (to - from), b = from + golden * (to - from);
  double ga = sign * at(k, point, a), gb = sign * at(k, point, b);
  for (int n = 0; n < 80 && to - from > 2 * rounding * std::max(std::fabs(from), std::fabs(to)); ++n) {
    if (ga <= gb) {
      if (ga <= 0) return a;
      to = b;
      b = a;
      gb = ga;
      a = to - golden * (to - from);
      ga = sign * at(k, point, a);
    } else {
      if (gb <= 0) return b;
      from = a;
      a = b;
      ga = gb;
      b = from + golden * (to - from);
      gb = sign * at(k, point, b);
    }
  }
  return ga <= gb ? a : b;
}

double TimeScan::next(std::size_t k, double t) const {
  auto at = std::upper_bound(changes_[k].begin(), changes_[k].end(), t);
  return at == changes_[k].end() ? infinity : *at;
}

}  // namespace bolza::integrate
