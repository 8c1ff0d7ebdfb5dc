// Variables, rows, patterns and scales of single shooting.
#include <algorithm>
#include <cmath>

#include "runtime/transcribe/collocation/guess.h"
#include "runtime/transcribe/integers.h"
#include "runtime/transcribe/mesh/interpolate.h"
#include "runtime/transcribe/plan/point_values.h"
#include "runtime/transcribe/shooting/shooting_internal.h"

namespace bolza::transcribe {
namespace {

using What = NodeFunction::What;

/// Why a model's events have no derivatives; empty when they have.
std::string events_without_derivatives(const bolza_hybrid* h) {
  if (!h) return {};
  if (h->n_delays) return "there are no derivatives through a `delay`";
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

}  // namespace

Shooting::Shooting(bolza_problem& p, const TranscribeOptions& options, const ShootingOptions& shooting,
                   const abi::Solution* guess)
    : problem(p),
      shooting_(shooting),
      point_value_(p, p.point, BOLZA_VALUE),
      point_jacobian_(p, p.point, BOLZA_JACOBIAN) {
  rtol = shooting.rtol > 0 ? shooting.rtol : std::clamp(0.01 * options.nlp.tol, 1e-11, 1e-7);
  if (p.is_static) {
    objection_ = "a static problem has nothing to integrate; use the collocation method, which treats it as a plain NLP";
    return;
  }
  if (!shooting.integrator.empty() && shooting.integrator != "cvodes") {
    method_ = integrate::find_method(shooting.integrator);
    if (!method_ || !method_->discrete()) {
      objection_ =
          "the integrator `" + shooting.integrator + "` has no derivatives: `cvodes` has those of the continuous equations";
      for (const integrate::Method* m : integrate::methods())
        if (m->discrete()) objection_ += ", `" + std::string(m->name) + "`";
      objection_ += " those of their own steps";
      return;
    }
    for (std::size_t k = 0; method_->objection && k < p.n_models && objection_.empty(); ++k)
      objection_ = method_->objection(p, *p.models[k]);
    if (objection_.empty() && shooting.method_options.steps == "smooth" && !method_->multistep)
      objection_ = "`steps=smooth` is for multistep methods: `adams`, `enright`, `enright_semi`";
    for (std::size_t k = 0; k < p.n_models && objection_.empty(); ++k)
      objection_ = method_->objection_to_derivatives(p, *p.models[k]);
    if (!objection_.empty()) {
      objection_ = "the integrator `" + std::string(method_->name) + "` does not go with this model: " + objection_;
      return;
    }
  }
  for (std::size_t k = 0; k < p.n_models; ++k) {
    bool index2 = shooting.idas && shooting.gradient != ShootingGradient::forward && p.models[k]->index == 2;
    if (p.models[k]->index > 1 && !method_ && !index2)
      objection_ = "the equations have index " + std::to_string(p.models[k]->index) +
                   " as written; without index reduction `radau5` takes them, by the adjoint of its own steps, and with "
                   "index 2 `idas`, by the continuous adjoint";
    objection_ += events_without_derivatives(p.models[k]->hybrid);
    if (!objection_.empty()) return;
  }
  if (!point_value_.available() || !point_jacobian_.available()) {
    objection_ = "the code of objective and constraints cannot be had";
    return;
  }
  std::vector<double> parameters = guessed_parameters(p, guess);
  for (std::size_t i = 0; i < p.n_parameters; ++i) {
    const bolza_variable& v = p.parameters[i];
    double value = v.fixed ? v.start : parameters[i];
    add_variable(value, v.fixed ? v.start : v.min, v.fixed ? v.start : v.max, size_of_parameter(v, value),
                 nlp::VariableRole::parameter, nlp::global);
  }
  for (std::size_t k = 0; k < p.n_phases; ++k) add_phase(k, options, parameters);
  mark_integers();
  objection_ = place_values();
  if (!objection_.empty()) return;
  set_start(guess);
  if (shooting_.constraints) add_point_rows();
  for (ShootingPhase& phase : phases) add_phase_rows(phase);
  gauss_newton_ = p.least_squares && p.n_r > 0 && std::all_of(p.models, p.models + p.n_models, [](const bolza_model* m) {
                    return m->integrand_residuals == nullptr;
                  });
  nlp.functions = this;
  set_patterns();
  if (shooting_.constraints) set_scales();
}

void Shooting::add_variable(double start, double lower, double upper, double scale, nlp::VariableRole role,
                            std::int32_t interval) {
  nlp.start.push_back(std::clamp(start, lower, std::max(lower, upper)));
  nlp.lower.push_back(lower), nlp.upper.push_back(upper), nlp.scale.push_back(scale), nlp.role.push_back(role),
      nlp.interval.push_back(interval);
}

void Shooting::add_row(ShootingRow row, double lower, double upper, double scale, nlp::RowRole role, std::int32_t interval) {
  rows.push_back(std::move(row));
  nlp.row_lower.push_back(lower), nlp.row_upper.push_back(upper), nlp.row_scale.push_back(scale),
      nlp.row_role.push_back(role);
  nlp.row_interval.push_back(interval), nlp.linear.push_back(0);
}

void Shooting::add_phase(std::size_t number, const TranscribeOptions& options, const std::vector<double>& parameters) {
  ShootingPhase& phase = phases.emplace_back();
  phase.number = number;
  phase.phase = &problem.phases[number];
  phase.model = problem.models[phase.phase->model];
  phase.linear = !options.control_constant && !has_whole_controls(problem);
  Horizon horizon = horizon_of(problem, static_cast<std::int32_t>(number), parameters);
  nlp.start[phase.parameter(0)] = horizon.t0, nlp.start[phase.parameter(1)] = horizon.tf;
  phase.mesh = make_mesh(horizon, options.mesh, options.mesh_fractions,
                         breakpoints_of(problem, static_cast<std::int32_t>(number), horizon, true));
  phase.reduced = std::make_unique<integrate::ReducedModel>(problem, *phase.model);
  for (std::size_t k = 0; k < phase.N(); ++k)
    phase.segments.emplace_back(*phase.reduced,
                                integrate::SegmentOptions{.rtol = rtol,
                                                          .linear_control = phase.linear,
                                                          .times_move = !problem.parameters[phase.parameter(0)].fixed ||
                                                                        !problem.parameters[phase.parameter(1)].fixed,
                                                          .max_steps = shooting_.max_steps,
                                                          .idas = shooting_.idas,
                                                          .method = method_,
                                                          .fixed_step = shooting_.fixed_step,
                                                          .method_options = shooting_.method_options,
                                                          .begins_phase = k == 0});
  phase.times.resize(phase.N());
  phase.x.resize((phase.N() + 1) * phase.model->n_x), phase.q.resize(phase.model->n_q);
  const bolza_model& m = *phase.model;
  phase.first_x0 = nlp.n();
  for (std::size_t i = 0; i < m.n_x; ++i) {
    const bolza_variable& v = m.x[i];
    double start = v.fixed ? v.start : nonlinear::guess_of(v);
    add_variable(start, v.fixed ? v.start : v.min, v.fixed ? v.start : v.max, nonlinear::size_of(v),
                 nlp::VariableRole::mesh_state, 0);
  }
  phase.first_u = nlp.n();
  for (std::size_t k = 0; k < phase.N() + phase.linear; ++k)
    for (std::size_t i = 0; i < m.n_u; ++i)
      add_variable(nonlinear::guess_of(m.u[i]), m.u[i].min, m.u[i].max, nonlinear::size_of(m.u[i]),
                   nlp::VariableRole::control, static_cast<std::int32_t>(std::min(k, phase.N() - 1)));
}

// Free parameters and controls that take whole numbers only.
void Shooting::mark_integers() {
  for (std::size_t p = 0; p < problem.n_parameters; ++p)
    if (is_whole(problem.parameters[p]) && !problem.parameters[p].fixed) make_whole(nlp, p);
  std::int32_t controls = 0;
  for (const ShootingPhase& phase : phases) {
    Horizon horizon = horizon_of(problem, static_cast<std::int32_t>(phase.number), nlp.start);
    for (std::size_t i = 0; i < phase.model->n_u; ++i) {
      if (!is_whole(phase.model->u[i])) continue;
      for (std::size_t k = 0; k < phase.N(); ++k)
        make_whole(nlp, phase.u_at(k, i, false), controls, share_of_horizon(phase.mesh, k, horizon));
      ++controls;
    }
  }
}

// Every point value as a node function; a mesh point inside belongs to the interval on its left.
std::string Shooting::place_values() {
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
    values_.push_back(f);
  }
  return {};
}

void Shooting::set_start(const abi::Solution* guess) {
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
    PhaseValues begin = interpolation.at(first, Side::right);
    for (std::size_t i = 0; i < m.n_x; ++i) put(phase.first_x0 + i, begin.x[i]);
    for (std::size_t k = 0; k < phase.N() + phase.linear; ++k) {
      double a = phase.mesh.point[k].at(t0, tf), b = phase.linear ? a : phase.mesh.point[k + 1].at(t0, tf);
      PhaseValues v = interpolation.at(old_time(0.5 * (a + b)), k == 0 && phase.linear ? Side::right : Side::left);
      for (std::size_t i = 0; i < m.n_u; ++i) put(phase.u_at(k, i, false), v.u[i]);
    }
  }
}

void Shooting::add_point_rows() {
  for (std::size_t k = 0; k < problem.n_k; ++k) {
    const bolza_row& r = problem.point->rows[1 + k];
    add_row({.kind = ShootingRow::Kind::point, .point_row = 1 + k, .name = r.name, .source = r.source}, r.lower, r.upper, 1,
            nlp::RowRole::point, nlp::global);
  }
}

void Shooting::add_bounds(ShootingPhase& phase, What what, const bolza_variable* variables, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const bolza_variable& v = variables[i];
    if (!std::isfinite(v.min) && !std::isfinite(v.max)) continue;
    for (std::size_t k = what == What::state ? 1 : 0; k <= phase.N(); ++k) {
      Site site = k ? Site{phase.number, k - 1, true} : Site{phase.number, 0, false};
      add_row({.kind = ShootingRow::Kind::node, .function = {what, site, i}, .name = v.name, .source = v.source}, v.min,
              v.max, nonlinear::size_of(v), nlp::RowRole::path, static_cast<std::int32_t>(site.segment));
    }
  }
}

void Shooting::add_phase_rows(ShootingPhase& phase) {
  const bolza_model& m = *phase.model;
  for (std::size_t j = 0; j < m.n_initial; ++j) {
    const bolza_row* r = m.initial->rows ? &m.initial->rows[j] : nullptr;
    add_row({.kind = ShootingRow::Kind::node,
             .function = {What::initial, {phase.number, 0, false}, j},
             .name = r ? r->name : "",
             .source = r ? r->source : bolza_source{}},
            0, 0, 1, nlp::RowRole::initial, 0);
  }
  if (!shooting_.constraints) return;
  for (std::size_t j = 0; j < m.n_g; ++j) {
    const bolza_row& r = m.residuals->rows[m.n_z + j];
    if (!std::isfinite(r.lower) && !std::isfinite(r.upper)) continue;
    for (std::size_t k = 0; k <= phase.N(); ++k) {
      Site site = k ? Site{phase.number, k - 1, true} : Site{phase.number, 0, false};
      add_row({.kind = ShootingRow::Kind::node, .function = {What::path, site, j}, .name = r.name, .source = r.source},
              r.lower, r.upper, 1, nlp::RowRole::path, static_cast<std::int32_t>(site.segment));
    }
  }
  add_bounds(phase, What::state, m.x, m.n_x);
  add_bounds(phase, What::algebraic, m.z, m.n_z);
  bool free = !problem.parameters[phase.parameter(0)].fixed || !problem.parameters[phase.parameter(1)].fixed;
  for (const AffineTime& length : phase.mesh.segment)
    if (free && (length.start != 0 || length.final != 0))
      add_row(
          {.kind = ShootingRow::Kind::length, .phase = phase.number, .length = length, .name = "the length of the horizon"},
          0, INFINITY, 1, nlp::RowRole::horizon, nlp::global);
}

// Rows reach the parameters, their phase's initial states and the controls up to their site.
void Shooting::set_patterns() {
  row_columns_.clear();
  nlp.jacobian = {}, nlp.hessian = {}, nlp.gauss_newton = {};
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::vector<std::size_t> columns;
    const ShootingRow& row = rows[r];
    std::size_t last = nlp.n();
    if (row.kind == ShootingRow::Kind::length) last = problem.n_parameters;
    for (std::size_t c = 0; c < last; ++c) {
      bool reached = c < problem.n_parameters || row.kind == ShootingRow::Kind::point;
      if (row.kind == ShootingRow::Kind::node) {
        const ShootingPhase& phase = phases[row.function.site.phase];
        std::size_t end = phase.u_at(row.function.site.segment, phase.model->n_u, true);
        reached = reached || (c >= phase.first_x0 && c < std::max(end, phase.first_u));
      }
      if (reached) columns.push_back(c);
    }
    for (std::size_t c : columns)
      nlp.jacobian.row.push_back(static_cast<std::int32_t>(r)), nlp.jacobian.col.push_back(static_cast<std::int32_t>(c));
    row_columns_.push_back(std::move(columns));
  }
  if (!shooting_.constraints) return;  // nobody solves it
  for (std::size_t r = 0; r < nlp.n(); ++r)
    for (std::size_t c = 0; c <= r; ++c)
      nlp.hessian.row.push_back(static_cast<std::int32_t>(r)), nlp.hessian.col.push_back(static_cast<std::int32_t>(c));
  if (gauss_newton_) nlp.gauss_newton = nlp.hessian;
}

void Shooting::set_scales() {
  move_to(nlp.start);
  const double *g = gradient(), *J = jacobian();
  if (!g || !J) return;
  double largest = 0;
  for (std::size_t c = 0; c < nlp.n(); ++c)
    if (nlp.lower[c] < nlp.upper[c]) largest = std::max(largest, std::fabs(g[c]) * nlp.scale[c]);
  // Moderate sizes stay: what is divided away here is also taken from the accuracy of the objective.
  if (largest > 100) nlp.objective_scale = largest / 100;
  if (largest > 0 && largest < 0.01) nlp.objective_scale = std::max(largest / 0.01, 1e-6);
  std::vector<double> size(nlp.m(), 0.0);
  for (std::size_t k = 0; k < nlp.jacobian.size(); ++k) {
    double& s = size[static_cast<std::size_t>(nlp.jacobian.row[k])];
    s = std::max(s, std::fabs(J[k]) * nlp.scale[static_cast<std::size_t>(nlp.jacobian.col[k])]);
  }
  for (std::size_t r = 0; r < nlp.m(); ++r)
    if (size[r] > 0) nlp.row_scale[r] = std::clamp(size[r], 1e-6, 1e6);
}

}  // namespace bolza::transcribe
