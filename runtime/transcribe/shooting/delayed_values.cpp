// Delayed values of shooting: in every segment the polynomial through values at four places, which are variables; a row says
// what each is in the segment before: between two mesh points a state is the cubic polynomial with its values and rates
// there, a control what it is anyway.
#include "runtime/transcribe/shooting/delayed_values.h"

#include <algorithm>
#include <cmath>

#include "runtime/transcribe/collocation/guess.h"
#include "runtime/transcribe/shooting/nodes_internal.h"

namespace bolza::transcribe {
namespace {

using What = NodeFunction::What;
using WeightedSum = std::vector<std::pair<NodeFunction, double>>;

constexpr double same_place = 1e-9;  // of a segment: rounding of mesh points

/// What a phase was at a time of its past.
class Past {
 public:
  Past(const ShootingPhase& phase, const std::vector<double>& parameters) : phase_(phase) {
    double t0 = parameters[phase.parameter(0)], tf = parameters[phase.parameter(1)];
    for (const AffineTime& point : phase.mesh.point) time_.push_back(point.at(t0, tf));
  }

  double time(std::size_t segment, double place) const { return (1 - place) * time_[segment] + place * time_[segment + 1]; }

  /// Adds weight · (row `source` of point)(s), at a mesh point from the right or the left.
  void add(std::size_t source, double s, bool right, double weight, WeightedSum& sum) const {
    std::size_t n_x = phase_.model->n_x, k = source - 1, e = 0;
    double place = 0;
    double room = same_place * (time_.back() - time_.front()) / static_cast<double>(phase_.N());
    if (s > time_.front() + room || (right && s >= time_.front() - room)) {
      auto after = right ? std::upper_bound(time_.begin() + 1, time_.end() - 1, s + room)
                         : std::lower_bound(time_.begin() + 1, time_.end() - 1, s - room);
      e = static_cast<std::size_t>(after - time_.begin()) - 1;
      place = std::clamp((s - time_[e]) / (time_[e + 1] - time_[e]), 0.0, 1.0);
      if (place < same_place || place > 1 - same_place) place = std::round(place);
    }
    Site begin{phase_.number, e, false}, end{phase_.number, e, true};
    auto put = [&](What what, const Site& site, std::size_t index, double share) {
      if (share != 0) sum.push_back({{what, site, index}, weight * share});
    };
    if (k >= n_x) {
      k -= n_x + phase_.model->n_z;
      put(What::control, begin, k, phase_.linear ? 1 - place : 1);
      return put(What::control, end, k, phase_.linear ? place : 0);
    }
    double h = time_[e + 1] - time_[e], rest = 1 - place;
    put(What::state, begin, k, (1 + 2 * place) * rest * rest);
    put(What::state, end, k, (1 + 2 * rest) * place * place);
    put(What::rate, begin, k, h * place * rest * rest);
    put(What::rate, end, k, -h * place * place * rest);
  }

 private:
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
  const ControlValue& c = phase.control(f.site.segment, f.index, f.site.end);
  return c.share == 0 ? c.low : c.share == 1 ? c.high : no_variable;
}

}  // namespace

std::vector<double> places_of_delayed_inputs() {
  double inner = 0.5 - 0.1 * std::sqrt(5.0);  // those of Lobatto
  return {0, inner, 1 - inner, 1};
}

DelayReading read_delays_of_shooting(bolza_problem& problem, std::size_t phase, const Horizon& horizon) {
  DelayReading reading = read_delays(problem, phase, horizon);
  const bolza_model& m = *problem.models[problem.phases[phase].model];
  for (const DelayedValue& delay : reading.delays) {
    if (delay.is_free())
      reading.refusal = "a delay that is sought: fix it, or use collocation (`--method ipopt+radau`), which finds it";
    for (auto [source, coefficient] : delay.terms)
      if (source > m.n_x && source <= m.n_x + m.n_z)
        reading.refusal = std::string("the algebraic variable `") + m.z[source - 1 - m.n_x].name +
                          "` is delayed, which has values at mesh points only: delay the states that it is made of, or use "
                          "collocation";
  }
  return reading;
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
        bool state = source <= m.n_x;
        const bolza_variable& v = state ? m.x[source - 1] : m.u[source - 1 - m.n_x - m.n_z];
        start += coefficient * (state && v.fixed ? v.start : nonlinear::guess_of(v));
        size = std::max(size, std::fabs(coefficient) * nonlinear::size_of(v));
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
        double s = past.time(k, phase.input_places[side]) - delays[d].time;
        for (auto [source, coefficient] : delays[d].terms) past.add(source, s, side == 0, coefficient, row.sum);
        if (std::size_t of = variable_alone(phase, row.sum); of != no_variable && delays[d].offset == 0)
          nlp.equal.push_back(
              {static_cast<std::int32_t>(variable), static_cast<std::int32_t>(of), static_cast<std::int32_t>(nlp.m())});
        add_row(std::move(row), -delays[d].offset, -delays[d].offset, nlp.scale[variable], nlp::RowRole::point_value,
                static_cast<std::int32_t>(k));
      }
}

}  // namespace bolza::transcribe
