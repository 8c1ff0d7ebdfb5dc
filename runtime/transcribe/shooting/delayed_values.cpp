// SPDX-License-Identifier: Apache-2.0
// Delayed values of shooting: in every segment the polynomial through values at four places, which are variables; a row says
// what each is in the past: between two mesh points a state is the cubic polynomial with its values and rates there, a
// control what it is anyway, an algebraic variable the polynomial through its values at four mesh points.
#include "runtime/transcribe/shooting/delayed_values.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/linalg/lagrange.h"
#include "runtime/transcribe/collocation/guess.h"
#include "runtime/transcribe/shooting/nodes_internal.h"

namespace bolza::transcribe {
namespace {

using What = NodeFunction::What;
using WeightedSum = std::vector<std::pair<NodeFunction, double>>;

constexpr double same_place = 1e-9;  // of a segment: rounding of mesh points

std::vector<double> times_of_points(const ShootingPhase& phase, const std::vector<double>& w) {
  std::vector<double> out;
  for (const AffineTime& point : phase.mesh.point) out.push_back(point.at(w[phase.parameter(0)], w[phase.parameter(1)]));
  return out;
}

/// The weights of state and rate at the start of a segment and at its end in the cubic polynomial between them, at a place
/// in it; and their first and second derivatives by a delay of the time there.
struct CubicWeights {
  std::array<double, 4> value, first, second;

  CubicWeights(double p, double h) {
    double rest = 1 - p;
    value = {(1 + 2 * p) * rest * rest, (1 + 2 * rest) * p * p, h * p * rest * rest, -h * p * p * rest};
    first = {6 * p * rest / h, -6 * p * rest / h, -(1 - p * (4 - 3 * p)), -p * (3 * p - 2)};
    second = {(12 * p - 6) / (h * h), (6 - 12 * p) / (h * h), (6 * p - 4) / h, (6 * p - 2) / h};
  }
  static std::array<NodeFunction, 4> functions(std::size_t phase, std::size_t segment, std::size_t state) {
    Site begin{phase, segment, false}, end{phase, segment, true};
    return {{{What::state, begin, state}, {What::state, end, state}, {What::rate, begin, state}, {What::rate, end, state}}};
  }
};

/// What a phase was at a time of its past.
class Past {
 public:
  Past(const ShootingPhase& phase, const std::vector<double>& parameters)
      : phase_(phase),
        time_(times_of_points(phase, parameters)) {}

  double time(std::size_t segment, double place) const { return (1 - place) * time_[segment] + place * time_[segment + 1]; }

  /// Adds weight · (row `source` of point)(s), at a mesh point from the right or the left.
  void add(std::size_t source, double s, bool right, double weight, WeightedSum& sum) const {
    std::size_t n_x = phase_.model->n_x, n_xz = n_x + phase_.model->n_z, k = source - 1, e = 0;
    double place = 0;
    double room = same_place * (time_.back() - time_.front()) / static_cast<double>(phase_.N());
    if (s > time_.front() + room || (right && s >= time_.front() - room)) {
      auto after = right ? std::upper_bound(time_.begin() + 1, time_.end() - 1, s + room)
                         : std::lower_bound(time_.begin() + 1, time_.end() - 1, s - room);
      e = static_cast<std::size_t>(after - time_.begin()) - 1;
      place = std::clamp((s - time_[e]) / (time_[e + 1] - time_[e]), 0.0, 1.0);
      if (place < same_place || place > 1 - same_place) place = std::round(place);
    }
    auto put = [&](const NodeFunction& f, double share) {
      if (share != 0) sum.emplace_back(f, weight * share);
    };
    if (k >= n_xz) {
      put({What::control, {phase_.number, e, false}, k - n_xz}, phase_.linear ? 1 - place : 1);
      return put({What::control, {phase_.number, e, true}, k - n_xz}, phase_.linear ? place : 0);
    }
    if (k >= n_x) return add_algebraic(k - n_x, e, place, put);
    CubicWeights weights(place, time_[e + 1] - time_[e]);
    std::array<NodeFunction, 4> functions = CubicWeights::functions(phase_.number, e, k);
    for (std::size_t f = 0; f < functions.size(); ++f) put(functions[f], weights.value[f]);
  }

 private:
  // Through the values at the start of the interval, at the places that cut it, and at its end.
  template <class Put>
  void add_algebraic(std::size_t index, std::size_t segment, double place, Put put) const {
    auto after = std::upper_bound(phase_.smooth.begin(), phase_.smooth.end(), segment,
                                  [](std::size_t k, const auto& nodes) { return k < nodes.front(); });
    const std::vector<std::size_t>& nodes = *(after - 1);
    std::vector<double> at;
    for (std::size_t node : nodes) at.push_back(time_[node]);
    std::vector<double> weight = linalg::lagrange_values(at, time(segment, place));
    for (std::size_t j = 0; j < nodes.size(); ++j) {
      Site site = j == 0 ? Site{phase_.number, nodes[0], false} : Site{phase_.number, nodes[j] - 1, true};
      put({What::algebraic, site, index}, std::fabs(weight[j]) < same_place ? 0 : weight[j]);
    }
  }

  const ShootingPhase& phase_;
  std::vector<double> time_;  // [N + 1]
};

/// The variable that a sum is, or none.
std::size_t variable_alone(const ShootingPhase& phase, const WeightedSum& sum) {
  if (sum.size() != 1 || sum[0].second != 1) return no_variable;
  const NodeFunction& f = sum[0].first;
  if (f.what == What::state)
    return phase.first_state[f.site.node()] == no_variable ? no_variable : phase.x_at(f.site.node(), f.index);
  if (f.what != What::control || f.index >= phase.n_given) return no_variable;
  const ControlValue& c = phase.control(f.site.segment, f.index, f.site.part());
  return c.share == 0 ? c.low : c.share == 1 ? c.high : no_variable;
}

/// Values of a variable of the model: where they start, and their size.
struct Typical {
  double start, size;
};
Typical typical_of(const bolza_model& m, std::size_t source) {
  std::size_t k = source - 1;
  bool state = k < m.n_x;
  const bolza_variable& v = state ? m.x[k] : k < m.n_x + m.n_z ? m.z[k - m.n_x] : m.u[k - m.n_x - m.n_z];
  return {state && v.fixed ? v.start : nonlinear::guess_of(v), nonlinear::size_of(v)};
}

/// All that a free delay may read: states of the segments between its bounds.
void add_window(const ShootingPhase& phase, const DelayedValue& delay, const std::vector<double>& time, double t,
                ShootingRow& row) {
  auto segment = [&](double s) {
    return static_cast<std::size_t>(std::upper_bound(time.begin() + 1, time.end() - 1, s) - time.begin()) - 1;
  };
  auto moving = std::make_shared<MovingDelay>();
  moving->time = t;
  moving->constant = delay.constant;
  moving->first_segment = segment(t - delay.most);
  moving->last_segment = segment(t - delay.least);
  for (auto [entry, slope] : delay.slopes)
    moving->slopes.emplace_back(phase.parameter(static_cast<std::size_t>(entry)), slope);
  for (auto [source, coefficient] : delay.terms) {
    moving->coefficients.push_back(coefficient);
    for (std::size_t e = moving->first_segment; e <= moving->last_segment; ++e)
      for (const NodeFunction& f : CubicWeights::functions(phase.number, e, source - 1)) row.sum.emplace_back(f, 0);
  }
  row.moving = std::move(moving);
}

}  // namespace

std::vector<double> places_of_delayed_inputs() {
  double inner = 0.5 - 0.1 * std::sqrt(5.0);  // those of Lobatto
  return {0, inner, 1 - inner, 1};
}

bool reads_algebraics(const DelayReading& reading, const bolza_model& m) {
  return std::ranges::any_of(reading.delays, [&](const DelayedValue& delay) {
    return std::ranges::any_of(delay.terms,
                               [&](const auto& term) { return term.first > m.n_x && term.first <= m.n_x + m.n_z; });
  });
}

std::string objection_to_delays(const bolza_model& model, const ShootingOptions& options) {
  if (!model.hybrid || model.hybrid->n_delays == 0) return {};
  if (!options.constraints) return "there are no derivatives through a `delay`";
  if (!model.hybrid->is_literal) return "a `delay` goes with equations that make no events";
  if (options.idas || options.written) return "a `delay` is integrated by `cvodes` or by a method of our own";
  if (options.method_options.steps == "smooth") return "a `delay` does not go with `steps=smooth`";
  return {};
}

void ShootingNodes::add_delayed(ShootingPhase& phase, std::size_t segment) {
  const std::vector<DelayedValue>& delays = delays_[phase.number].delays;
  const bolza_model& m = *phase.model;
  for (std::size_t side = 0; side < phase.sides() && !delays.empty(); ++side)
    for (const DelayedValue& delay : delays) {
      double start = delay.offset, size = 0;
      for (auto [source, coefficient] : delay.terms) {
        Typical typical = typical_of(m, source);
        start += coefficient * typical.start;
        size = std::max(size, std::fabs(coefficient) * typical.size);
      }
      phase.delayed_value.push_back(nlp.n());
      add_variable(start, -INFINITY, INFINITY, size > 0 ? size : 1, nlp::VariableRole::control,
                   static_cast<std::int32_t>(segment));
    }
}

void ShootingNodes::add_delay_rows(ShootingPhase& phase) {
  const std::vector<DelayedValue>& delays = delays_[phase.number].delays;
  if (delays.empty()) return;
  Past past(phase, nlp.start);
  std::vector<double> times = times_of_points(phase, nlp.start);
  for (std::size_t k = 0; k < phase.N(); ++k)
    for (std::size_t d = 0; d < delays.size(); ++d)
      for (std::size_t side = 0; side < phase.sides(); ++side) {
        std::size_t i = phase.n_given + d, variable = phase.control_at(k, i, side).low;
        bool end = side + 1 == phase.sides();
        ShootingRow row{.kind = ShootingRow::Kind::delay,
                        .function = {What::control, {phase.number, k, end}, i},
                        .name = "delay",
                        .source = phase.model->u[i].source,
                        .variable = variable,
                        .place = side};
        double t = past.time(k, phase.input_places[side]);
        if (delays[d].is_free()) add_window(phase, delays[d], times, t, row);
        for (auto [source, coefficient] : delays[d].terms)
          if (!delays[d].is_free()) past.add(source, t - delays[d].time, side == 0, coefficient, row.sum);
        if (std::size_t of = variable_alone(phase, row.sum); of != no_variable && delays[d].offset == 0)
          nlp.equal.push_back(
              {static_cast<std::int32_t>(variable), static_cast<std::int32_t>(of), static_cast<std::int32_t>(nlp.m())});
        add_row(std::move(row), -delays[d].offset, -delays[d].offset, nlp.scale[variable], nlp::RowRole::point_value,
                static_cast<std::int32_t>(k));
      }
}

// Weights of the states that a free delay reads, and how they move with it. Beyond the segments between its bounds the
// polynomial of the last one goes on; before the start there is the value at the start.
void ShootingNodes::move_delays() {
  for (ShootingRow& row : rows) {
    if (!row.moving) continue;
    MovingDelay& moving = *row.moving;
    const ShootingPhase& phase = phases[row.function.site.phase];
    double s = moving.time - moving.constant;
    for (auto [variable, slope] : moving.slopes) s -= slope * w[variable];
    auto time = [&](std::size_t node) { return phase.mesh.point[node].at(w[phase.parameter(0)], w[phase.parameter(1)]); };
    std::size_t e = moving.first_segment;
    while (e < moving.last_segment && time(e + 1) <= s) ++e;
    bool before = e == 0 && s <= time(0);
    double h = time(e + 1) - time(e);
    CubicWeights weights(before ? 0 : (s - time(e)) / h, h);
    if (before) weights.first = weights.second = {};
    for (auto& f : row.sum) f.second = 0;
    moving.first.assign(row.sum.size(), 0);
    moving.second.assign(row.sum.size(), 0);
    std::size_t segments = moving.last_segment - moving.first_segment + 1;
    for (std::size_t c = 0; c < moving.coefficients.size(); ++c)
      for (std::size_t j = 0; j < 4; ++j) {
        std::size_t f = 4 * (c * segments + e - moving.first_segment) + j;
        row.sum[f].second = moving.coefficients[c] * weights.value[j];
        moving.first[f] = moving.coefficients[c] * weights.first[j];
        moving.second[f] = moving.coefficients[c] * weights.second[j];
      }
  }
}

bool ShootingNodes::weighted_sum(const ShootingRow& row, std::span<const double> weights, double& value) {
  value = 0;
  for (std::size_t f = 0; f < row.sum.size(); ++f) {
    double weight = weights.empty() ? row.sum[f].second : weights[f], of_part = 0;
    if (weight == 0) continue;
    if (!node_value(row.sum[f].first, of_part)) return false;
    value += weight * of_part;
  }
  return true;
}

}  // namespace bolza::transcribe
