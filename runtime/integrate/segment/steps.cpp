// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "runtime/integrate/index.h"
#include "runtime/integrate/segment/steps_internal.h"

namespace bolza::integrate {
namespace {

using Eigen::MatrixXd;

}  // namespace

void StepsSegment::inputs_at(double s, std::span<double> u, std::span<double> slope) const {
  for (std::size_t i = 0; i < n_u; ++i) u[i] = input(i, s);
  if (slope.empty()) return;
  for (std::size_t i = 0; i < n_u; ++i) slope[i] = input_slope(i, s);
}

std::vector<double> StepsSegment::place(std::span<const double> x) const {
  const bolza_model& m = model.model();
  std::vector<double> out;
  for (std::size_t i = 0; i < n_x; ++i) out.push_back(x[i] / nonlinear::size_of(m.x[i]));
  for (std::size_t i = 0; i < n_u; ++i)
    for (std::size_t place = 0; place < places.size(); ++place)
      out.push_back(value_at(place, i) / nonlinear::size_of(m.u[i]));
  for (std::size_t j = 0; j < n_p; ++j) {
    double value = model.at().shared[j];
    out.push_back(value / (m.shared ? nonlinear::size_of(m.shared[j]) : 1.0));
  }
  return out;
}

bool StepsSegment::near_chosen(std::span<const double> x) const {
  std::vector<double> now = place(x);
  if (now.size() != chosen_.size()) return false;
  for (std::size_t k = 0; k < now.size(); ++k)
    if (std::fabs(now[k] - chosen_[k]) > 1e-3 * std::max(1.0, std::fabs(chosen_[k]))) return false;
  return true;
}

bool StepsSegment::choose_steps(std::span<const double> x, std::size_t n_integrals, const Took& took) {
  const bolza_model& m = model.model();
  double end = times.begin + times.length;
  chosen_.clear();
  Inputs inputs;
  InputPiece piece{times.begin, end, {}, std::vector<std::vector<double>>(n_u)};
  for (std::size_t p = 0; p < places.size(); ++p) {
    piece.nodes.push_back(places[p] == 1 ? end : times.begin + places[p] * times.length);
    for (std::size_t i = 0; i < n_u; ++i) piece.values[i].push_back(value_at(p, i));
  }
  inputs.pieces.push_back(std::move(piece));
  inputs.has_delayed = true;
  State state{times.begin, {x.begin(), x.end()}, {}, std::vector<double>(n_integrals, 0.0)};
  if (!start_algebraics(state)) return false;
  InputEvaluator input_evaluator(model.at(), inputs);
  input_evaluator.begin(times.begin, end);
  SimulateReport report;
  Setup setup{model.at(), input_evaluator, options.rtol, {}, {}, {}, {}, report};
  for (std::size_t i = 0; i < m.n_x; ++i) setup.atol_x.push_back(options.rtol * nonlinear::size_of(m.x[i]));
  for (std::size_t i = 0; i < m.n_z; ++i) setup.atol_z.push_back(options.rtol * nonlinear::size_of(m.z[i]));
  setup.atol_q.assign(m.n_q, options.rtol);
  setup.keep_steps = true;
  setup.stretch = times.length;
  setup.options = options.method_options;
  setup.options.fixed_step = options.fixed_step > 0      ? options.fixed_step
                             : options.method->automatic ? 0
                                                         : times.length / 100;
  std::unique_ptr<Integrator> integrator = options.method->make(setup);
  if (integrator->start(state, end) != SimulateStatus::finished || !took(*integrator, times.begin, false)) return false;
  double reached = times.begin;
  long steps = 0;
  for (const long most = allowed_steps(); reached < end; ++steps) {
    if (steps >= most) return false;
    if (integrator->step(reached) != SimulateStatus::finished) return false;
    if (!took(*integrator, reached, reached >= end)) return false;
  }
  came_to_its_end(steps);
  chosen_ = place(x);
  return true;
}

bool StepsSegment::no_room() {
  model.at().note("a checkpoint could not be written to the temporary file", times.begin);
  return false;
}

/// z at the start; with an index above 1 the states do not determine them and they are only a guess.
bool StepsSegment::start_algebraics(State& state) {
  const bolza_model& m = model.model();
  if (m.n_z && m.index < 2) {
    std::vector<double> u(n_u);
    inputs_at(fraction_of(state.t), u, {});
    if (!guess_z.empty()) model.start_from(guess_z);
    if (!model.move_to(state.t, state.x, u)) return false;
    state.z = model.z();
    return true;
  }
  state.z = guess_z;
  for (std::size_t i = state.z.size(); i < m.n_z; ++i) state.z.push_back(nonlinear::guess_of(m.z[i]));
  return true;
}

void StepsSegment::add_point(double s, std::span<const double> by, std::span<const double> by_slope,
                             std::span<double> out) const {
  for (std::size_t place = 0; place < places.size(); ++place)
    for (std::size_t i = 0; i < n_u; ++i) out[place * n_u + i] += by[1 + i] * share_at(place, s);
  for (std::size_t j = 0; j < n_p; ++j) out[controls() + j] += by[1 + n_u + j];
  out[begin_input()] += by[0];
  out[length_input()] += s * by[0];
  for (std::size_t i = 0; places.size() > 1 && i < by_slope.size(); ++i) {
    double share = by_slope[i] / times.length;
    for (std::size_t place = 0; place < places.size(); ++place) out[place * n_u + i] += slope_share_at(place, s) * share;
    out[length_input()] -= share * input_slope(i, s);
  }
}

void StepsSegment::add_point_moves(double s, std::span<const double> by_slope, const MatrixXd& moves,
                                   const MatrixXd& slope_moves, const MatrixXd& direct, MatrixXd& out) const {
  for (std::size_t place = 0; place < places.size(); ++place)
    for (std::size_t i = 0; i < n_u; ++i) out.row(at(place * n_u + i)) += share_at(place, s) * moves.row(at(1 + i));
  out.middleRows(at(controls()), at(n_p)) += moves.bottomRows(at(n_p));
  out.row(at(begin_input())) += moves.row(0);
  out.row(at(length_input())) += s * moves.row(0);
  if (places.size() == 1 || slope_moves.size() == 0) return;
  auto by_length = direct.row(at(length_input()));
  for (std::size_t i = 0; i < n_u; ++i) {
    double share = by_slope[i] / times.length, slope = input_slope(i, s);
    Eigen::RowVectorXd share_dot = (slope_moves.row(at(i)) - share * by_length) / times.length;
    Eigen::RowVectorXd slope_dot = -slope / times.length * by_length;
    for (std::size_t place = 0; place < places.size(); ++place) {
      double by = slope_share_at(place, s);
      slope_dot += by / times.length * direct.row(at(place * n_u + i));
      out.row(at(place * n_u + i)) += by * share_dot;
    }
    out.row(at(length_input())) -= slope * share_dot + share * slope_dot;
  }
}

MatrixXd StepsSegment::point_directions(double s, const MatrixXd& direct) const {
  MatrixXd d(at(1 + n_u + n_p), direct.cols());
  d.row(0) = direct.row(at(begin_input())) + s * direct.row(at(length_input()));
  for (std::size_t i = 0; i < n_u; ++i) {
    d.row(at(1 + i)) = share_at(0, s) * direct.row(at(i));
    for (std::size_t place = 1; place < places.size(); ++place)
      d.row(at(1 + i)) += share_at(place, s) * direct.row(at(place * n_u + i));
  }
  d.bottomRows(at(n_p)) = direct.middleRows(at(controls()), at(n_p));
  return d;
}

MatrixXd StepsSegment::slope_directions(double s, const MatrixXd& direct) const {
  MatrixXd d = MatrixXd::Zero(at(n_u), direct.cols());
  for (std::size_t i = 0; places.size() > 1 && i < n_u; ++i) {
    d.row(at(i)) = -input_slope(i, s) * direct.row(at(length_input()));
    for (std::size_t place = 0; place < places.size(); ++place)
      d.row(at(i)) += slope_share_at(place, s) * direct.row(at(place * n_u + i));
    d.row(at(i)) /= times.length;
  }
  return d;
}

}  // namespace bolza::integrate
