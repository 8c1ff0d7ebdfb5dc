// SPDX-License-Identifier: Apache-2.0
// Variables of shooting, and where they start.
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "runtime/integrate/model/written_point.h"
#include "runtime/nlp/engine_table.h"
#include "runtime/nonlinear/initialise.h"
#include "runtime/transcribe/collocation/guess.h"
#include "runtime/transcribe/collocation/integral_guess.h"
#include "runtime/transcribe/integers.h"
#include "runtime/transcribe/mesh/interpolate.h"
#include "runtime/transcribe/mesh_choice.h"
#include "runtime/transcribe/plan/point_values.h"
#include "runtime/transcribe/shooting/delayed_values.h"
#include "runtime/transcribe/shooting/nodes_internal.h"

namespace bolza::transcribe {
namespace {

using What = NodeFunction::What;

/// Why a model's events have no derivatives; empty when they have.
std::string events_without_derivatives(const bolza_hybrid* h) {
  if (!h) return {};
  for (std::size_t i = 0; i < h->n_m; ++i)
    if (h->discrete[i].role == BOLZA_DISCRETE_VARIABLE && h->discrete[i].type == 0)
      return std::string("the Real discrete variable `") +
             (h->discrete[i].variable.name ? h->discrete[i].variable.name : "") +
             "` carries a value from event to event, through which there are no derivatives; a state that `reinit` sets has "
             "them";
  return h->n_previous ? "there are no derivatives through `pre` of what is not a state" : "";
}

double size_of_parameter(const bolza_variable& p, double value) {
  if (p.has_nominal) return nonlinear::size_of(p);
  double size = std::fabs(value);
  return size > 0 && std::isfinite(size) ? size : 1;
}

/// Gives the nodes of integrals that the guess knows nothing of their values along it.
void start_integrals(const bolza_problem& problem, const ShootingPhase& phase, const abi::Solution* guess, nlp::Nlp& nlp) {
  bool given = guess && phase.number < guess->phases.size() && !guess->phases[phase.number].trajectories.time.empty();
  std::optional<Interpolation> along;
  if (given) along.emplace(guess->phases[phase.number]);
  const bolza_model& m = *phase.model;
  auto at = [&](double share) {
    const std::vector<double>& time = guess->phases[phase.number].trajectories.time;
    return along->at(time.front() + share * (time.back() - time.front()), Side::left);
  };
  IntegralGuess integrals(problem, phase.number, std::span(nlp.start).first(problem.n_parameters),
                          given ? IntegralGuess::Along(at) : IntegralGuess::Along());
  double t0 = nlp.start[phase.parameter(0)], tf = nlp.start[phase.parameter(1)];
  for (std::size_t k = 0; k <= phase.N() && tf > t0; ++k)
    for (std::size_t i = 0; i < m.n_x; ++i)
      if (auto value = integrals.at(i, (phase.mesh.point[k].at(t0, tf) - t0) / (tf - t0))) {
        std::size_t variable = phase.x_at(k, i);
        nlp.start[variable] = std::clamp(*value, nlp.lower[variable], nlp.upper[variable]);
      }
}

}  // namespace

double integration_tolerance(const ShootingOptions& shooting, double tol) {
  return shooting.rtol > 0 ? shooting.rtol : std::clamp(0.01 * tol, 1e-11, 1e-7);
}

ShootingNodes::ShootingNodes(bolza_problem& p, const TranscribeOptions& transcription, const ShootingOptions& shooting,
                             const abi::Solution* guess, bool states_at_nodes)
    : problem(p),
      options(shooting),
      states_at_nodes_(states_at_nodes),
      point_value_(p, p.point, BOLZA_VALUE),
      point_jacobian_(p, p.point, BOLZA_JACOBIAN) {
  rtol = integration_tolerance(shooting, transcription.nlp.tol);
  set_method();
  if (!objection_.empty()) return;
  std::vector<double> parameters = guessed_parameters(p, guess);
  for (std::size_t i = 0; i < p.n_parameters; ++i) {
    const bolza_variable& v = p.parameters[i];
    double value = v.fixed ? v.start : parameters[i];
    add_variable(value, v.fixed ? v.start : v.min, v.fixed ? v.start : v.max, size_of_parameter(v, value),
                 nlp::VariableRole::parameter, nlp::global);
  }
  for (std::size_t k = 0; k < p.n_phases && objection_.empty(); ++k) {
    Horizon horizon = horizon_of(p, static_cast<std::int32_t>(k), parameters);
    objection_ = objection_to_horizon(horizon, mesh_choice(transcription, k, p.phases[k].name).intervals, p.phases[k].name);
    if (objection_.empty()) objection_ = delays_.emplace_back(read_delays(p, k, horizon)).refusal;
  }
  if (!objection_.empty()) return;
  for (std::size_t k = 0; k < p.n_phases; ++k) add_phase(k, transcription, parameters);
  mark_integers();
  objection_ = place_values();
  if (!objection_.empty()) return;
  if (states_at_nodes_)
    for (ShootingPhase& phase : phases) add_integrals(phase);
  set_start(guess);
  if (options.written && !guess) start_consistently();
  row_of_point_.assign(1 + p.n_k, no_variable);
  add_point_rows();
  for (ShootingPhase& phase : phases) add_phase_rows(phase);
  for (ShootingPhase& phase : phases) add_delay_rows(phase);
  auto has_integral = [](const ShootingPhase& phase) { return phase.model->integrand_residuals != nullptr; };
  bool integrals = std::ranges::any_of(phases, has_integral);
  gauss_newton = p.least_squares && p.n_r > 0 && !integrals;
  integral_squares = p.least_squares && integrals && std::ranges::all_of(phases, [&](const ShootingPhase& phase) {
                       return !has_integral(phase) || (phase.input_places.empty() && phase.segments[0].takes_samples());
                     });
}

// The integrator, or why it does not go with the problem.
void ShootingNodes::set_method() {
  const bolza_problem& p = problem;
  if (p.is_static) {
    objection_ = "a static problem has nothing to integrate; use the collocation method, which treats it as a plain NLP";
    return;
  }
  if (!options.integrator.empty() && options.integrator != "cvodes") {
    method_ = integrate::find_method(options.integrator);
    if (!method_ || !method_->discrete()) {
      objection_ =
          "the integrator `" + options.integrator + "` has no derivatives: `cvodes` has those of the continuous equations";
      for (const integrate::Method* m : integrate::methods())
        if (m->discrete()) objection_ += ", `" + std::string(m->name) + "`";
      objection_ += " those of their own steps";
      return;
    }
    for (std::size_t k = 0; method_->objection && k < p.n_models && objection_.empty(); ++k)
      objection_ = method_->objection(p, *p.models[k]);
    if (objection_.empty() && options.method_options.steps == "smooth" && !method_->multistep)
      objection_ = "`steps=smooth` is for multistep methods: `adams`, `enright`, `enright_semi`";
    for (std::size_t k = 0; k < p.n_models && objection_.empty(); ++k)
      objection_ = method_->objection_to_derivatives(p, *p.models[k]);
    if (!objection_.empty()) {
      objection_ = "the integrator `" + std::string(method_->name) + "` does not go with this model: " + objection_;
      return;
    }
  }
  for (std::size_t k = 0; k < p.n_models; ++k) {
    bool index2 = options.idas && options.gradient != ShootingGradient::forward && p.models[k]->index == 2;
    if (p.models[k]->index > 1 && !method_ && !index2)
      objection_ = "the equations have index " + std::to_string(p.models[k]->index) +
                   " as written; without index reduction `radau5` takes them, by the adjoint of its own steps, and with "
                   "index 2 `idas`, by the continuous adjoint";
    objection_ += events_without_derivatives(p.models[k]->hybrid);
    objection_ += objection_to_delays(*p.models[k], options);
    if (!objection_.empty()) return;
  }
  bool maxima = options.path_constraints == PathConstraints::maxima;
  for (std::size_t k = 0; k < p.n_models && maxima; ++k)
    if (p.models[k]->hybrid)
      objection_ =
          "path constraints are kept at their maxima in models without events; `sampled` keeps them at the mesh points";
  if (!objection_.empty()) return;
  if (objection_ = objection_to_written(); !objection_.empty()) return;
  if (!point_value_.available() || !point_jacobian_.available())
    objection_ = "the code of objective and constraints cannot be had";
}

std::string ShootingNodes::objection_to_written() const {
  const bolza_problem* written = options.written;
  if (!written) return {};
  if (states_at_nodes_ && !options.lift)
    return "multiple shooting integrates the equations with their index reduced; single shooting takes them as written";
  if (written->n_phases != problem.n_phases) return "the equations as written have other phases than the reduced ones";
  for (std::size_t k = 0; k < problem.n_phases; ++k) {
    const bolza_model& model = *problem.models[problem.phases[k].model];
    const bolza_model& own = *written->models[written->phases[k].model];
    int highest = method_ ? method_->highest_index : 1;
    std::string index = std::to_string(own.index);
    if (own.index > highest && highest >= 3)
      return "the equations have index " + index + " as written; no integrator takes them";
    if (own.index > highest)
      return "the equations have index " + index + " as written, which `" +
             std::string(method_        ? method_->name
                         : options.idas ? "idas"
                                        : "cvodes") +
             "` does not take; `radau5` takes an index up to 3";
    if (model.hybrid && !model.hybrid->is_literal) return "equations as written are integrated without events only";
    if (std::string why = integrate::objection_to_written(model, own); !why.empty()) return why;
  }
  return {};
}

std::string ShootingNodes::objection_to_squares(const nlp::EngineOptions& engine) const {
  bool wanted = nlp::hessian_for(engine) == nlp::Hessian::gauss_newton && problem.least_squares;
  if (!wanted || !nlp.gauss_newton.row.empty()) return {};
  std::string of_integrals = "for an integral of squares Gauss-Newton needs the states between the mesh points, which ";
  if (states_at_nodes_)
    return of_integrals + "multiple shooting does not keep; single shooting on CVODES and collocation do";
  if (!phases.empty() && !phases[0].input_places.empty()) return of_integrals + "are not known in models with delays";
  std::string integrator(method_ ? method_->name : options.idas ? "idas" : "cvodes");
  return of_integrals + "`" + integrator + "` does not give; `cvodes` does, for equations with their index reduced";
}

void ShootingNodes::add_variable(double start, double lower, double upper, double scale, nlp::VariableRole role,
                                 std::int32_t interval) {
  nlp.start.push_back(std::clamp(start, lower, std::max(lower, upper)));
  nlp.lower.push_back(lower);
  nlp.upper.push_back(upper);
  nlp.scale.push_back(scale);
  nlp.role.push_back(role);
  nlp.interval.push_back(interval);
}

void ShootingNodes::add_phase(std::size_t number, const TranscribeOptions& transcription,
                              const std::vector<double>& parameters) {
  ShootingPhase& phase = phases.emplace_back();
  phase.number = number;
  phase.phase = &problem.phases[number];
  phase.model = problem.models[phase.phase->model];
  phase.n_given = phase.model->n_u - delays_[number].delays.size();
  if (phase.n_given < phase.model->n_u) phase.input_places = places_of_delayed_inputs();
  phase.linear = !control_is_constant(transcription, phase.phase->name) && !has_whole_controls(problem);
  Horizon horizon = horizon_of(problem, static_cast<std::int32_t>(number), parameters);
  nlp.start[phase.parameter(0)] = horizon.t0;
  nlp.start[phase.parameter(1)] = horizon.tf;
  set_mesh(phase, transcription, horizon);
  add_segments(phase, transcription);
  const bolza_model& m = *phase.model;
  phase.first_x0 = nlp.n();
  phase.grid_variable.resize(phase.n_given);
  phase.integral_variable.assign(m.n_q, no_variable);
  for (std::size_t k = 0; k <= phase.N(); ++k) {
    phase.first_state.push_back(k == 0 || states_at_nodes_ ? nlp.n() : no_variable);
    if (k == 0 || states_at_nodes_) add_states(phase, k);
    add_controls(phase, k);
    if (k < phase.N()) add_delayed(phase, k);
  }
  set_control_values(phase, nlp.start);
}

// Segments that belong to different models can be integrated at the same time; one with events goes on with the discrete
// values of the one before.
void ShootingNodes::add_segments(ShootingPhase& phase, const TranscribeOptions& transcription) {
  unsigned threads = states_at_nodes_ ? transcription.threads : 1;
  const bolza_hybrid* events = phase.model->hybrid;
  std::size_t n = events && !events->is_literal ? 1 : std::clamp<std::size_t>(threads, 1, phase.N());
  for (std::size_t k = 0; k < n; ++k)
    phase.models.push_back(std::make_unique<integrate::ReducedModel>(problem, *phase.model));
  for (std::size_t k = 0; k < phase.N(); ++k)
    phase.segments.emplace_back(phase.reduced(k),
                                integrate::SegmentOptions{.rtol = rtol,
                                                          .linear_control = phase.linear,
                                                          .input_places = phase.input_places,
                                                          .times_move = !problem.parameters[phase.parameter(0)].fixed ||
                                                                        !problem.parameters[phase.parameter(1)].fixed,
                                                          .max_steps = options.max_steps,
                                                          .idas = options.idas,
                                                          .method = method_,
                                                          .fixed_step = options.fixed_step,
                                                          .method_options = options.method_options,
                                                          .written = options.written,
                                                          .phase = phase.number,
                                                          .begins_phase = k == 0,
                                                          .budget = transcription.nlp.budget});
  phase.times.resize(phase.N());
  phase.x.resize((phase.N() + 1) * phase.model->n_x);
  phase.q.resize(phase.model->n_q);
  if (!states_at_nodes_) return;
  phase.x_end.resize(phase.N() * phase.model->n_x);
  phase.q_of.resize(phase.N() * phase.model->n_q);
  phase.by_inputs.resize(phase.N());
}

void ShootingNodes::add_states(ShootingPhase& phase, std::size_t node) {
  for (std::size_t i = 0; i < phase.model->n_x; ++i) {
    const bolza_variable& v = phase.model->x[i];
    bool fixed = v.fixed && node == 0;
    double start = v.fixed ? v.start : nonlinear::guess_of(v);
    add_variable(start, fixed ? v.start : v.min, fixed ? v.start : v.max, nonlinear::size_of(v),
                 nlp::VariableRole::mesh_state, static_cast<std::int32_t>(std::min(node, phase.N() - 1)));
  }
}

// An integral that only the objective uses, and linearly, needs no variable.
void ShootingNodes::add_integrals(ShootingPhase& phase) {
  const bolza_function& f = *problem.point;
  for (std::size_t c = 0; c < values.size(); ++c) {
    if (values[c].what != What::integral || values[c].site.phase != phase.number) continue;
    bool needed = false;
    for (std::size_t e = 0; e < f.jac_nnz; ++e)
      needed = needed || (static_cast<std::size_t>(f.jac_col[e]) == c && (f.jac_row[e] != 0 || !f.jac_constant[e]));
    for (std::size_t e = 0; e < f.hess_nnz; ++e)
      needed = needed || static_cast<std::size_t>(f.hess_row[e]) == c || static_cast<std::size_t>(f.hess_col[e]) == c;
    std::size_t& variable = phase.integral_variable[values[c].index];
    if (!needed || variable != no_variable) continue;
    variable = nlp.n();
    add_variable(0, -INFINITY, INFINITY, 1, nlp::VariableRole::integral, nlp::global);
  }
}

// Free initial values that fulfil the initial equations, hidden constraints among them: the nearest to the guesses. Where
// there are none the engine finds out.
void ShootingNodes::start_consistently() {
  for (ShootingPhase& phase : phases) {
    const bolza_model& m = *phase.model;
    if (m.n_initial == 0) continue;
    auto at_guess = nlp.start.begin() + static_cast<std::ptrdiff_t>(phase.first_x0);
    std::vector<double> x(at_guess, at_guess + static_cast<std::ptrdiff_t>(m.n_x)), u;
    for (std::size_t i = 0; i < m.n_u; ++i) u.push_back(phase.control(0, i, SegmentPart::begin, nlp.start));
    nonlinear::ModelAt at(problem, m, nonlinear::shared_of(problem, phase.number, nlp.start));
    nonlinear::InitialPoint point = nonlinear::initialise(at, nlp.start[phase.parameter(0)], u, x);
    for (std::size_t i = 0; i < m.n_x && point.converged(); ++i) {
      std::size_t v = phase.first_x0 + i;
      nlp.start[v] = std::clamp(point.x[i], nlp.lower[v], nlp.upper[v]);
    }
  }
}

// Every point value as a node function; a mesh point inside belongs to the interval on its left.
std::string ShootingNodes::place_values() {
  for (std::size_t k = 0; k < problem.n_values; ++k) {
    const bolza_value_at& v = problem.values[k];
    std::size_t number = static_cast<std::size_t>(v.quantity == BOLZA_INTEGRAL ? v.place : problem.places[v.place].phase);
    ShootingPhase& phase = phases[number];
    NodeFunction f{What::integral, {number, 0, false}, static_cast<std::size_t>(v.index)};
    if (v.quantity != BOLZA_INTEGRAL) {
      Horizon horizon = horizon_of(problem, static_cast<std::int32_t>(number), nlp.start);
      Location at = locate(problem, static_cast<std::size_t>(v.place), phase.mesh, horizon);
      if (at.outside || (at.tau != 0 && at.tau != 1)) return "a value is asked at a time outside the horizon";
      f.site = {number, at.interval, at.tau == 1};
      static constexpr What whats[] = {What::state, What::algebraic, What::control, What::rate};
      f.what = whats[v.quantity];
    }
    values.push_back(f);
  }
  return {};
}

void ShootingNodes::set_start(const abi::Solution* guess) {
  for (ShootingPhase& phase : phases) {
    if (!guess || phase.number >= guess->phases.size() || guess->phases[phase.number].trajectories.time.empty()) continue;
    const abi::PhaseSolution& from = guess->phases[phase.number];
    const bolza_model& m = *phase.model;
    if (from.trajectories.x.size() != m.n_x || from.trajectories.u.size() != m.n_u) continue;
    Interpolation interpolation(from);
    double t0 = nlp.start[phase.parameter(0)], tf = nlp.start[phase.parameter(1)];
    double first = from.trajectories.time.front(), last = from.trajectories.time.back();
    auto old_time = [&](double t) { return tf > t0 ? first + (t - t0) / (tf - t0) * (last - first) : first; };
    auto put = [&](std::size_t variable, double value) {
      if (std::isfinite(value)) nlp.start[variable] = std::clamp(value, nlp.lower[variable], nlp.upper[variable]);
    };
    for (std::size_t k = 0; k <= (states_at_nodes_ ? phase.N() : 0); ++k) {
      PhaseValues at = interpolation.at(old_time(phase.mesh.point[k].at(t0, tf)), k == 0 ? Side::right : Side::left);
      for (std::size_t i = 0; i < m.n_x; ++i) put(phase.x_at(k, i), at.x[i]);
      if (k < phase.N() && m.n_z && at.z.size() == m.n_z) phase.z_guess.push_back(at.z);
    }
    if (phase.z_guess.size() != phase.N()) phase.z_guess.clear();
    for (std::size_t i = 0; i < phase.n_given; ++i)
      for (std::size_t k = 0; k < phase.grid_variable[i].size(); ++k) {
        double left = phase.mesh.point[phase.grid[i][k]].at(t0, tf);
        double right = phase.linear ? left : phase.mesh.point[phase.grid[i][k + 1]].at(t0, tf);
        Side side = k == 0 && phase.linear ? Side::right : Side::left;
        put(phase.grid_variable[i][k], interpolation.at(old_time(0.5 * (left + right)), side).u[i]);
      }
    std::size_t n_delays = m.n_u - phase.n_given;
    for (std::size_t c = 0; c < phase.delayed_value.size(); ++c) {
      std::size_t k = c / (phase.sides() * n_delays), side = c / n_delays % phase.sides();
      double left = phase.mesh.point[k].at(t0, tf), right = phase.mesh.point[k + 1].at(t0, tf),
             place = phase.input_places[side];
      PhaseValues at = interpolation.at(old_time((1 - place) * left + place * right), side == 0 ? Side::right : Side::left);
      put(phase.delayed_value[c], at.u[phase.n_given + c % n_delays]);
    }
  }
  for (ShootingPhase& phase : phases)
    if (states_at_nodes_) start_integrals(problem, phase, guess, nlp);
}

}  // namespace bolza::transcribe
