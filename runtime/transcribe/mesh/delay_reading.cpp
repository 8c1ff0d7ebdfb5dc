// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/mesh/delay_reading.h"

#include <algorithm>
#include <cmath>

#include "runtime/abi/aligned.h"
#include "runtime/abi/evaluate.h"

namespace bolza::transcribe {
namespace {

constexpr double same_fraction = 1e-9;  // of an interval: rounding of mesh points

/// Why derivatives of a row are not the same everywhere, by what it reads; empty when they are.
std::string why_not(const bolza_function& f, std::size_t e, bool of_time) {
  auto column = static_cast<std::size_t>(f.jac_col[e]);
  if (column >= f.n_point)
    return of_time ? "the time of a delay is not linear in free parameters"
                   : "a delayed expression depends on free parameters: delay a variable instead";
  if (of_time) return "the time of a delay varies";
  if (column == 0 || !f.jac_constant || !f.jac_constant[e])
    return "a delayed expression is not linear: delay the variables that it is made of";
  return {};
}

/// The bounds of a free delay, from those of its parameters; why it cannot be transcribed.
std::string bound_free(const bolza_problem& problem, std::size_t phase, double length, DelayedValue& delay) {
  const bolza_phase& p = problem.phases[phase];
  const bolza_model& model = *problem.models[p.model];
  delay.constant = delay.time;
  double least = 0, most = 0;
  for (auto [entry, slope] : delay.slopes) {
    const bolza_variable& parameter = problem.parameters[p.parameter[entry]];
    delay.constant -= slope * p.shared_values[entry];
    least += slope * (slope > 0 ? parameter.min : parameter.max);
    most += slope * (slope > 0 ? parameter.max : parameter.min);
  }
  delay.least = std::max(0.0, delay.constant + least);
  delay.most = std::min(length, delay.constant + most);
  if (!(delay.constant + least >= -same_fraction * length))
    return "a free delay may become negative: give its parameter a `min`";
  if (!(delay.least < length)) return "a free delay is longer than the horizon";
  for (auto [source, coefficient] : delay.terms)
    if (source > model.n_x) return "a free delay is one of states: controls and algebraic variables jump at mesh points";
  return {};
}

}  // namespace

DelayReading read_delays(bolza_problem& problem, std::size_t phase, const Horizon& horizon) {
  DelayReading reading;
  const bolza_model& model = *problem.models[problem.phases[phase].model];
  std::size_t n = model.hybrid ? model.hybrid->n_delays : 0;
  if (n == 0) return reading;
  if (horizon.start_free || horizon.final_free) {
    reading.refusal = "a problem with a `delay` has a fixed start and final time";
    return reading;
  }
  bolza_function& f = *model.hybrid->delays;
  if (!abi::ensure(problem, f, BOLZA_JACOBIAN)) {
    reading.refusal = "there are no derivatives of `delay`";
    return reading;
  }
  std::size_t ld = abi::padded(1);
  abi::AlignedDoubles point(f.n_point * ld), out(f.kernels[BOLZA_JACOBIAN]->n_out * ld);
  std::fill_n(point.data(), f.n_point * ld, 0.0);
  abi::evaluate(f, BOLZA_JACOBIAN,
                {.n = 1, .ld = ld, .point = point.data(), .shared = problem.phases[phase].shared_values, .out = out.data()});
  reading.delays.resize(n);
  for (std::size_t d = 0; d < n; ++d) {
    reading.delays[d].offset = out.data()[d * ld];
    reading.delays[d].time = out.data()[(n + d) * ld];
    if (!(reading.delays[d].time >= 0) || !std::isfinite(reading.delays[d].offset)) {
      reading.refusal = "the time of a delay is negative or not a number";
      return reading;
    }
  }
  for (std::size_t e = 0; e < f.jac_nnz; ++e) {
    auto row = static_cast<std::size_t>(f.jac_row[e]);
    if (row >= 2 * n) continue;
    double slope = out.data()[(f.n_rows + e) * ld];
    auto column = static_cast<std::size_t>(f.jac_col[e]);
    bool fixed = column >= f.n_point && problem.parameters[problem.phases[phase].parameter[column - f.n_point]].fixed;
    if (fixed) continue;
    bool of_parameter = row >= n && column >= f.n_point && f.jac_constant && f.jac_constant[e];
    if (of_parameter) {
      reading.delays[row - n].slopes.emplace_back(static_cast<std::int32_t>(column - f.n_point), slope);
      continue;
    }
    if (std::string text = why_not(f, e, row >= n); !text.empty()) {
      reading.refusal = text;
      return reading;
    }
    reading.delays[row].terms.emplace_back(column, slope);
  }
  for (DelayedValue& delay : reading.delays) {
    if (!delay.is_free()) continue;
    std::sort(delay.slopes.begin(), delay.slopes.end());
    reading.refusal = bound_free(problem, phase, horizon.tf - horizon.t0, delay);
    if (!reading.refusal.empty()) return reading;
  }
  return reading;
}

void add_delay_breakpoints(const DelayReading& reading, const Horizon& horizon, std::size_t mesh,
                           std::vector<AffineTime>& breakpoints) {
  double length = horizon.tf - horizon.t0;
  std::size_t room = mesh / 2;
  for (const DelayedValue& delay : reading.delays) {
    if (delay.is_free() || !(delay.time > 0) || length / delay.time > static_cast<double>(room)) continue;
    for (std::size_t k = 1; static_cast<double>(k) * delay.time < length; ++k) {
      double fraction = static_cast<double>(k) * delay.time / length;
      breakpoints.push_back({1 - fraction, fraction, 0});
    }
    room -= std::min(room, static_cast<std::size_t>(length / delay.time));
  }
}

namespace {

/// The longest time of which all fixed delays are multiples, a small part of the shortest at least; 0: there is none.
double common_step(const DelayReading& reading) {
  constexpr int most_parts = 8;
  double least = 0;
  for (const DelayedValue& delay : reading.delays)
    if (delay.time > 0 && !delay.is_free()) least = least > 0 ? std::min(least, delay.time) : delay.time;
  for (int parts = 1; parts <= most_parts; ++parts) {
    auto is_multiple = [&](const DelayedValue& delay) {
      double ratio = delay.time * parts / least;
      return delay.is_free() || std::abs(ratio - std::round(ratio)) <= same_fraction;
    };
    if (least > 0 && std::all_of(reading.delays.begin(), reading.delays.end(), is_multiple)) return least / parts;
  }
  return 0;
}

constexpr std::size_t most_growth = 4;  // of a mesh by the points that belong to its own

}  // namespace

std::vector<double> shifted_fractions(const DelayReading& reading, const Horizon& horizon, std::size_t mesh,
                                      const std::vector<double>& fractions) {
  double length = horizon.tf - horizon.t0, step = common_step(reading) / length;
  if (!(step > 0 && step < 1) || step * static_cast<double>(mesh) < 1 - same_fraction) return fractions;
  std::vector<double> places{0}, all;  // within one delay
  auto count = static_cast<std::size_t>(std::ceil(step * static_cast<double>(mesh) - same_fraction));
  for (std::size_t i = 1; i < count && fractions.empty(); ++i)
    places.push_back(step * static_cast<double>(i) / static_cast<double>(count));
  for (double f : fractions) places.push_back(f - step * std::floor(f / step + same_fraction));
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end(), [](double a, double b) { return b - a < same_fraction; }),
               places.end());
  for (std::size_t k = 0; static_cast<double>(k) * step < 1 - same_fraction; ++k)
    for (double place : places)
      if (double f = place + static_cast<double>(k) * step; f > same_fraction && f < 1 - same_fraction) all.push_back(f);
  all.insert(all.begin(), 0);
  all.push_back(1);
  if (!fractions.empty() && all.size() > most_growth * fractions.size()) return fractions;
  return all;
}

}  // namespace bolza::transcribe
