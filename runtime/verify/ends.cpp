// SPDX-License-Identifier: Apache-2.0
// Free times and free parameters: the derivative of the Lagrangian by each is zero, or points out of its bounds.
#include <algorithm>
#include <cmath>

#include "runtime/verify/subject.h"

namespace bolza::verify {
namespace {

constexpr double of_parameters = 10;  ///< times the tolerance

/// Adds what a row of derivatives by time, states, controls, parameters does to start and final time and parameters, at a
/// fraction of the horizon that keeps its place on it when the times move.
void add_row(const Subject& s, std::size_t number, const Eigen::RowVectorXd& row, double fraction, double weight,
             Eigen::VectorXd& out) {
  const StoredPhase& phase = *s.phases[number];
  const std::int32_t* parameter = s.problem.phases[number].parameter;
  for (std::size_t p = 0; p < phase.model.n_global; ++p)
    out(parameter[p]) += weight * row(1 + phase.nx() + phase.nu() + static_cast<Eigen::Index>(p));
  out(parameter[0]) += weight * row(0) * (1 - fraction);
  out(parameter[1]) += weight * row(0) * fraction;
}

void add_stages(const Subject& s, std::size_t number, Eigen::VectorXd& out) {
  const StoredPhase& phase = *s.phases[number];
  const OwnFlow& flow = *s.flows[number];
  const std::int32_t* parameter = s.problem.phases[number].parameter;
  for (std::size_t i = 0; i < phase.pieces.size(); ++i)
    for (Eigen::Index k = 0; k < flow.stages(); ++k) {
      Eigen::Index at = static_cast<Eigen::Index>(i) * flow.stages() + k;
      Eigen::VectorXd by_row(phase.nx() + phase.nq());
      by_row << s.costates[number][i].stages.col(k), s.weights[number];
      const TotalSlopes& slopes = flow.slopes()[static_cast<std::size_t>(at)];
      double fraction = (flow.points()(0, at) - phase.stored.start_time) / phase.length(), weight = flow.weight(i, k);
      add_row(s, number, by_row.transpose() * slopes.rows.topRows(phase.nx() + phase.nq()), fraction, weight, out);
      double hamiltonian = by_row.dot(flow.rates().col(at));
      out(parameter[0]) -= weight * hamiltonian / phase.length();
      out(parameter[1]) += weight * hamiltonian / phase.length();
    }
}

/// Values of states at times that do not keep their place on the horizon move along the trajectory.
void add_moving_values(const Subject& s, Eigen::VectorXd& out) {
  for (std::size_t v = 0; v < s.problem.n_values; ++v) {
    const bolza_value_at& value = s.problem.values[v];
    if (value.quantity != BOLZA_STATE) continue;
    const bolza_place& place = s.problem.places[value.place];
    auto number = static_cast<std::size_t>(place.phase);
    const StoredPhase& phase = *s.phases[number];
    double time = time_of(s.problem, s.stored, place), fraction = (time - phase.stored.start_time) / phase.length();
    const std::int32_t* parameter = s.problem.phases[number].parameter;
    Eigen::VectorXd point = phase.point_at(time, /*left=*/time > phase.stored.start_time);
    double slope = s.point.by_value(static_cast<Eigen::Index>(v)) * phase.rates.at(point)(value.index, 0);
    out(parameter[0]) += slope * (place.on_start - (1 - fraction));
    out(parameter[1]) += slope * (place.on_final - fraction);
  }
}

/// ∂L/∂p of all parameters, times among them [n_parameters].
Eigen::VectorXd slopes_by_parameters(const Subject& s) {
  Eigen::VectorXd out = s.point.by_parameter;
  for (std::size_t number = 0; number < s.phases.size(); ++number) {
    const StoredPhase& phase = *s.phases[number];
    add_stages(s, number, out);
    for (const ActingMultiplier& m : s.acting[number])
      if (m.kind != ActingMultiplier::Kind::control)
        add_row(s, number, m.impulse.row, (m.time - phase.stored.start_time) / phase.length(), 1, out);
  }
  add_moving_values(s, out);
  return out;
}

}  // namespace

void check_ends(Subject& s, Certificate& out) {
  Worst times, parameters;
  bool any_time = false, any_parameter = false;
  s.by_parameter = slopes_by_parameters(s);
  const Eigen::VectorXd& slope = s.by_parameter;
  for (std::size_t p = 0; p < s.problem.n_parameters; ++p) {
    const bolza_variable& v = s.problem.parameters[p];
    if (v.fixed) continue;
    bool is_time = false;
    double length = 0;
    for (std::size_t number = 0; number < s.phases.size(); ++number)
      for (std::size_t end : {0, 1})
        if (static_cast<std::size_t>(s.problem.phases[number].parameter[end]) == p) {
          is_time = true;
          length = std::max(length, s.phases[number]->length());
        }
    double value = s.stored.parameters[p], own = slope(static_cast<Eigen::Index>(p));
    double size = is_time ? length : size_of_parameter(v, value), room = s.tolerance * size_of_parameter(v, value);
    bool is_held = (own > 0 && value <= v.min + room) || (own < 0 && value >= v.max - room);
    double share = is_held ? 0 : std::abs(own) * size / s.size;
    (is_time ? times : parameters).look(share, v.name ? v.name : "", NAN);
    (is_time ? any_time : any_parameter) = true;
  }
  double limit = of_parameters * s.tolerance;
  if (any_time) out.checks.push_back(times.check("free times", limit, "of the objective"));
  if (any_parameter) out.checks.push_back(parameters.check("free parameters", limit, "of the objective"));
}

}  // namespace bolza::verify
