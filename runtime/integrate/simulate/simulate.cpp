// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>

#include "base/expects.h"
#include "base/flush_denormals.h"
#include "runtime/abi/evaluate.h"
#include "runtime/integrate/simulate/instants.h"
#include "runtime/integrate/simulate/run_internal.h"

namespace bolza::integrate {

Run::Run(const bolza_problem& p, std::size_t phase, const SimulateOptions& o)
    : problem(p),
      options(o),
      at(problem, *problem.models[problem.phases[phase].model], shared_of(problem, phase, o)),
      model(at.model()),
      t0(o.start && !o.shared.empty() ? *o.start : at.shared[0]),
      tf(o.final && !o.shared.empty() ? *o.final : at.shared[1]),
      room(1e-12 * (tf - t0)),
      own_inputs(o.inputs ? Inputs{} : default_inputs()),
      inputs(o.inputs ? *o.inputs : own_inputs),
      input_evaluator(at, inputs),
      hybrid(at, out.report),
      sizes(at, o.sizes),
      indicators(at, o.rtol, sizes),
      clock(at, indicators, t0, tf),
      chatter(t0, tf),
      state_selection(at, o.state_margin) {
  hybrid.watch(indicators);
  u.resize(model.n_u);
  rows.resize(model.n_x + model.n_q);
  outputs = o.output_times;
  for (std::size_t k = 0; outputs.size() <= o.intervals && o.output_times.empty(); ++k)
    outputs.push_back(k == o.intervals ? tf : t0 + (tf - t0) * static_cast<double>(k) / static_cast<double>(o.intervals));
  stop_times = parse_times(o.method_options.stop_times);
  for (double time : stop_times)
    if (time > t0 && time < tf) outputs.insert(std::upper_bound(outputs.begin(), outputs.end(), time), time);
  abi::Trajectories& t = out.trajectories;
  t.x.resize(model.n_x);
  t.z.resize(model.n_z);
  t.u.resize(model.n_u);
  t.rate.resize(model.n_x);
  t.discrete.resize(hybrid.size());
}

std::vector<double> Run::shared_of(const bolza_problem& problem, std::size_t phase, const SimulateOptions& o) {
  if (!o.shared.empty()) return o.shared;
  std::vector<double> shared = nonlinear::shared_of(problem, phase, o.parameters);
  if (o.start) shared[0] = *o.start;
  if (o.final) shared[1] = *o.final;
  return shared;
}

Inputs Run::default_inputs() const {
  std::vector<double> values;
  for (std::size_t i = 0; i < model.n_u; ++i) values.push_back(nonlinear::guess_of(model.u[i]));
  return constant_inputs(t0, tf, values);
}

Setup Run::setup_of() {
  Setup setup{.model = at,
              .input_evaluator = input_evaluator,
              .rtol = options.rtol,
              .options = options.method_options,
              .report = out.report};
  set_tolerances(setup);
  setup.atol_q.assign(model.n_q, options.rtol * options.atol_factor);
  return setup;
}

// Near the start, not at it: what multiplies a pulse may be zero there.
void Run::look_for_features() {
  std::vector<double> x = state.x;
  for (std::size_t i = 0; i < model.n_x; ++i) x[i] += 0.1 * x[i] + 0.5 * sizes.of_state(i);
  features = TimeFeatures(at, {state.t, x.data(), state.z.data(), u.data()}, tf);
  if (!features.any()) features = TimeFeatures(at, point(), tf);  // a root may not have a value there
}

void Run::set_tolerances(Setup& to) const {
  to.atol_x.resize(model.n_x);
  to.atol_z.resize(model.n_z);
  double share = options.rtol * options.atol_factor;
  for (std::size_t i = 0; i < model.n_x; ++i) to.atol_x[i] = share * sizes.of_state(i);
  for (std::size_t k = 0; k < model.n_z; ++k) to.atol_z[k] = share * sizes.of_algebraic(k);
}

const Method* Run::choose() {
  std::string name = !options.method.empty() ? options.method : model.index > 1 ? "radau5" : model.n_z ? "idas" : "cvodes";
  const Method* method = find_method(name);
  out.report.method = name;
  if (!method) out.report.message = "there is no integrator `" + name + "`";
  else if (model.n_z && !method->algebraics) {
    refuse_algebraics();
    method = nullptr;
  } else if (model.index > method->highest_index) {
    refuse_index();
    method = nullptr;
  } else if (model.index > 1 && hybrid.present()) {
    out.report.message = "after an event equations of index " + std::to_string(model.index) +
                         " do not determine the states to continue with; reduced equations do";
    method = nullptr;
  } else if (method->objection) {
    out.report.message = method->objection(problem, model);
    if (!out.report.message.empty()) method = nullptr;
  }
  return method;
}

// Compiles what every step needs before the clock starts: that is not integration.
void Run::compile(const Method& method) {
  for (bolza_function* f : {model.rates, model.residuals})
    for (bolza_kind kind : {BOLZA_VALUE, BOLZA_JACOBIAN})
      if (f && (kind == BOLZA_VALUE || method.stiff)) abi::ensure(problem, *f, kind);
  began = Clock::now();
}

// The iteration of an event at the state, whose inputs are those after it already.
SimulateStatus Run::handle_event(const State& before) {
  LoggedEvent logged{state.t, state.x, {}, {}, {}};
  if (options.log_events) {
    logged.before = at.shared;
    hybrid.log(&logged.firings);
  }
  SimulateStatus status = hybrid.event(before, state, u, [&](State& s) { return consistent(s); });
  hybrid.log(nullptr);
  if (options.log_events) {
    logged.after = at.shared;
    out.events.push_back(std::move(logged));
  }
  if (status != SimulateStatus::finished) return status;
  forget_dips(before.x);
  state_selection.forget();
  look_at_rank();
  return hybrid.check(state, u);
}

// Left value, event, right value.
SimulateStatus Run::boundary(bool root, double& stop) {
  bool time_event = hybrid.present() && clock.due(state.t, hybrid);
  bool jump = input_evaluator.jumps(state.t, state.x.data(), state.z.data());
  bool event = root || time_event || (jump && hybrid.present());
  out.report.state_events += root;
  out.report.time_events += time_event;
  bool ends = state.t >= tf - room;
  bool wanted = skip_outputs();
  if (event || jump || wanted || ends) record();
  std::size_t row = root ? crossed() : 0;
  State before = state;
  bool moved = event || (jump && !ends);
  if (!ends || event) {
    input_evaluator.mark(state.t, moved);
    stop = ends ? tf : next_stop();
    input_evaluator.begin(state.t, std::max(stop, state.t));
    look_up_inputs();
  }
  SimulateStatus status = event ? handle_event(before) : jump && !ends ? consistent(state) : SimulateStatus::finished;
  if (moved) {
    look_up_inputs();
    record();
  }
  if (event) returning = root && turns_back(row) ? std::optional(row) : std::nullopt;
  if (status != SimulateStatus::finished || !root) return status;
  std::erase_if(came_near, [&](const Located::Nearest& came) { return came.row == row; });
  bool still = indicators.crossed(row, point(), room);
  switch (chatter.add(state.t, row, still)) {
    case Chatter::Verdict::dense:
      return too_dense(row);
    case Chatter::Verdict::accumulating:
      warn_of_accumulation(row);
      break;
    case Chatter::Verdict::fine:
      break;
  }
  return status;
}

bool Run::turns_back(std::size_t row) {
  return model.n_x > 0 && at.value(nonlinear::ModelAt::Part::rates, point(), rows) &&
         indicators.turns_back(row, point(), rows);
}

double Run::next_stop() const {
  auto own = std::upper_bound(stop_times.begin(), stop_times.end(), state.t);
  return std::min({tf, clock.next(state.t), input_evaluator.next_break(state.t), own == stop_times.end() ? tf : *own});
}

SimulateStatus Run::first_point(double& stop) {
  input_evaluator.mark(t0, false);
  stop = tf;
  if (hybrid.present()) {
    bool tick = clock.due(t0, hybrid);
    for (std::size_t k = 0; options.continues && k < model.hybrid->n_samples; ++k) hybrid.set_sample(k, tick = false);
    if (tick) {
      record();
      ++out.report.time_events;
    }
    if (SimulateStatus s = handle_event(state); s != SimulateStatus::finished) return s;
    if (tick) {
      record();
      skip_outputs();
      return SimulateStatus::finished;
    }
  }
  record();
  skip_outputs();
  return SimulateStatus::finished;
}

SimulateStatus Run::integrate(const Method& method) {
  look_at_rank();
  if (options.measures_sizes) sizes.begin(point(), tf - t0, options.rtol * options.atol_factor);
  if (options.looks_ahead) look_for_features();
  Setup own = setup_of();
  setup = &own;
  if (!(own.options.max_step > 0) && !method.automatic && !(own.options.fixed_step > 0))
    own.options.fixed_step = (tf - t0) / static_cast<double>(std::max<std::size_t>(options.intervals, 1));
  if (options.looks_ahead && method.automatic && !(own.options.fixed_step > 0)) scan = StepScan(own, t0, tf, options.looks);
  std::unique_ptr<Integrator> integrator =
      make        ? make(own)
      : model.n_x ? method.make(own)
                  : make_instants(own, (tf - t0) / static_cast<double>(std::max<std::size_t>(options.intervals, 1)));
  double stop = tf;
  if (SimulateStatus s = first_point(stop); s != SimulateStatus::finished) return s;
  while (state.t < tf && !hybrid.terminated()) {
    bool root = false;
    if (!indicators.begin(point())) return not_finite();
    if (indicators.contradicted()) return contradicts(*indicators.contradicted());
    if (hybrid.present()) clock.look_ahead(point());
    stop = next_stop();
    input_evaluator.begin(state.t, stop);
    if (SimulateStatus s = smooth_stretch(*integrator, stop, root); s != SimulateStatus::finished) return s;
    if (hybrid.terminated()) {
      record();
      return SimulateStatus::finished;
    }
    if (SimulateStatus s = boundary(root, stop); s != SimulateStatus::finished) return s;
  }
  return finish();
}

// A run that ends where it starts: no time passes.
SimulateStatus Run::moment() {
  double stop = tf;
  if (options.intervals == 0) {
    record();
    return SimulateStatus::finished;
  }
  if (SimulateStatus s = first_point(stop); s != SimulateStatus::finished) return s;
  return finish();
}

// terminal() is true in one more event, at the end.
SimulateStatus Run::finish() {
  if (!hybrid.uses_terminal()) return SimulateStatus::finished;
  hybrid.set_terminal(true);
  SimulateStatus status = handle_event(state);
  hybrid.set_terminal(false);
  record();
  return status;
}

Simulation Run::go() {
  SimulateReport& report = out.report;
  report.time = t0;
  const Method* method = make ? find_method("cvodes") : choose();
  if (!method) {
    report.status = SimulateStatus::bad_method;
    return std::move(out);
  }
  compile(*method);
  report.status = initialise();
  if (report.finished()) report.status = tf > t0 ? integrate(*method) : moment();
  std::shared_ptr<const abi::NonfinitePlace> place = report.finding.place;
  if (report.status == SimulateStatus::nonfinite && place && hybrid.objects_to(*place))
    report.status = SimulateStatus::assertion;
  if (report.finished()) {
    report.message.clear();  // of a step that was tried again
    report.time = state.t;
    say_how_often_looked();
  }
  out.trajectories.integral = state.q;
  report.seconds = elapsed();
  return std::move(out);
}

Simulation simulate_with(const MakeIntegrator& make, const bolza_problem& problem, std::size_t phase,
                         const SimulateOptions& options) {
  expects(phase < problem.n_phases, "the phase exists");
  FlushDenormals flush;
  Run run(problem, phase, options);
  run.make = make;
  return run.go();
}

// May it be done a second time without anything being done twice?
bool Run::may_repeat() const {
  bool calls = false;
  for (std::size_t k = 0; hybrid.present() && k < model.hybrid->n_assertions; ++k)
    calls = calls || model.hybrid->assertions[k].level >= BOLZA_LEVEL_CALL;
  return options.measures_sizes && !calls;
}

bool is_numerical(SimulateStatus status) {
  return status == SimulateStatus::convergence || status == SimulateStatus::error_test ||
         status == SimulateStatus::too_many_steps;
}

// Values at the start so small that no step holds the tolerances made of them: another run with all sizes that are not
// stated at 1. Empty: it failed, too, or the tolerance of a state is more than a hundredth of what it has been. States that
// stay below a digit are named.
std::optional<Simulation> with_sizes_of_one(const bolza_problem& problem, std::size_t phase, const Run& failed,
                                            SimulateOptions options) {
  constexpr double a_digit = 0.1, nothing = 1e-12, tolerances = 100;
  const bolza_model& m = failed.model;
  bool small = false;
  for (std::size_t i = 0; i < m.n_x + m.n_z; ++i)
    small = small || (i < m.n_x ? failed.sizes.of_state(i) : failed.sizes.of_algebraic(i - m.n_x)) < 1;
  if (!small) return std::nullopt;
  options.sizes.assign(m.n_x + m.n_z, 1.0);
  Simulation found = simulate(problem, phase, options);
  if (!found.report.finished()) return std::nullopt;
  for (std::size_t i = 0; i < m.n_x; ++i) {
    double largest = 0;
    for (double value : found.trajectories.x[i]) largest = std::max(largest, std::fabs(value));
    if (m.x[i].has_nominal || largest <= nothing || largest >= a_digit) continue;
    if (largest < tolerances * options.rtol * options.atol_factor) return std::nullopt;
    found.report.guessed.push_back({m.x[i].name ? m.x[i].name : "", 1, largest});
  }
  return found;
}

Simulation simulate(const bolza_problem& problem, std::size_t phase, const SimulateOptions& options) {
  expects(phase < problem.n_phases, "the phase exists");
  FlushDenormals flush;
  Run run(problem, phase, options);
  Simulation found = run.go();
  if (!found.report.finished() && is_numerical(found.report.status) && run.may_repeat() && options.sizes.empty()) {
    std::optional<Simulation> other = with_sizes_of_one(problem, phase, run, options);
    return other ? *std::move(other) : std::move(found);
  }
  if (!options.measures_sizes || !found.report.finished()) return found;
  run.out.report.status = found.report.status;
  std::vector<VariableSizes::Mistaken> mistaken = run.sizes.mistaken(run.point());
  if (mistaken.empty()) return found;
  if (run.may_repeat() && options.sizes.empty()) {
    SimulateOptions again = options;
    again.sizes = run.sizes.shown();
    Simulation second = simulate(problem, phase, again);
    if (second.report.finished()) return second;
  }
  run.name_guessed(mistaken, found.report);
  return found;
}

}  // namespace bolza::integrate
