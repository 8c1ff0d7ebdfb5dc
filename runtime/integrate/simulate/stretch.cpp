// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/integrate/events/locate.h"
#include "runtime/integrate/simulate/run_internal.h"

namespace bolza::integrate {

SimulateStatus Run::after_steps(double t, std::size_t steps) {
  out.report.time = t;
  if (options.progress) options.progress(t);
  if (options.budget.interrupted()) {
    out.report.message = "it was interrupted";
    return SimulateStatus::interrupted;
  }
  if (options.budget.over()) {
    out.report.message = "the time limit was reached";
    return SimulateStatus::time_limit;
  }
  return (out.report.steps += steps) <= most_steps() ? SimulateStatus::finished : too_many_steps();
}

// Larger values make larger tolerances.
void Run::look_at_sizes(Integrator& integrator) {
  if (!options.measures_sizes || !sizes.grow(state)) return;
  set_tolerances(*setup);
  integrator.tolerances_changed();
}

std::size_t Run::most_steps() const {
  return options.method_options.max_steps > 0 ? static_cast<std::size_t>(options.method_options.max_steps)
                                              : options.max_steps;
}

// Is there nothing to look after when a step ends but outputs?
bool Run::may_run_free() const {
  return !indicators.any_to_search() && !input_evaluator.delays() && !features.any() && !hybrid.checks() &&
         !(options.watch_states && state_selection.watches()) && !accumulated &&
         !(options.method_options.one_step_output > 0);
}

// What has to be known of the past, and what must not be passed over.
void Run::limit_step(Integrator& integrator) {
  double longest = scan.longest_step(state.t);
  if (features.any()) longest = std::min(longest, features.longest_step(state.t));
  if (input_evaluator.delays())
    longest = std::min(longest,
                       std::max(1e-6 * (tf - t0), input_evaluator.longest_step(state.t, state.x.data(), state.z.data(), u)));
  integrator.limit_step(longest);
}

// One step, or some when nobody looks at each: those before the last are too short to be looked at.
SimulateStatus Run::advance(Integrator& integrator, bool free, double stop, double& reached, std::size_t& steps) {
  constexpr std::size_t at_once = 32;  // then progress is shown and interrupts are seen
  double until = std::min(next < outputs.size() ? std::min(outputs[next], stop) : stop, state.t + scan.together());
  if (!free || until <= state.t) {
    steps = 1;
    return integrator.step(reached);
  }
  return integrator.advance(until, std::min(at_once, most_steps() + 1 - out.report.steps), reached, steps);
}

// Shortens a step to what its error test did not see.
bool Run::passed_over(Integrator& integrator, double begin, double& reached) {
  if (!scan.looks_at(reached - begin)) return false;
  std::optional<double> where = scan.passed(integrator, begin, reached);
  if (!where) return false;
  reached = *where;
  return true;
}

SimulateStatus Run::begin_again(Integrator& integrator, double stop, std::vector<double>& g) {
  if (!indicators.values(point(), g)) return not_finite();
  return integrator.start(state, stop);
}

// u is that of the state's time already.
void Run::record() {
  abi::Trajectories& t = out.trajectories;
  t.time.push_back(state.t);
  for (std::size_t i = 0; i < model.n_x; ++i) t.x[i].push_back(state.x[i]);
  for (std::size_t i = 0; i < model.n_z; ++i) t.z[i].push_back(state.z[i]);
  for (std::size_t i = 0; i < model.n_u; ++i) t.u[i].push_back(u[i]);
  for (std::size_t i = 0; i < hybrid.size(); ++i) t.discrete[i].push_back(hybrid.value(i));
  std::fill(rows.begin(), rows.end(), std::nan(""));
  if (model.rates && model.n_x) at.value(nonlinear::ModelAt::Part::rates, point(), rows);
  for (std::size_t i = 0; i < model.n_x; ++i) t.rate[i].push_back(rows[i]);
}

// Output times before t, from the last step.
SimulateStatus Run::record_until(Integrator& integrator, double t) {
  for (; next < outputs.size() && outputs[next] < t - room; ++next) {
    if (SimulateStatus s = integrator.at(outputs[next], state); s != SimulateStatus::finished) return s;
    integrator.settle(state);
    look_up_inputs();
    record();
  }
  return SimulateStatus::finished;
}

// Output times that the state's own time stands for.
bool Run::skip_outputs() {
  bool any = false;
  while (next < outputs.size() && outputs[next] <= state.t + room) {
    ++next;
    any = true;
  }
  return any;
}

// Shortens a step to the first root in it, by the method's dense output. Methods that look for roots themselves compare the
// ends of steps, between which there may be others.
SimulateStatus Run::find_root(Integrator& integrator, bool is_young, std::vector<double>& g, double begin, double& reached,
                              bool& root) {
  State probe;
  std::vector<double> inputs_there(model.n_u);
  auto values = [&](double t, std::span<double> out_values) {
    if (integrator.at(t, probe) != SimulateStatus::finished) return false;
    input_evaluator.at(t, probe.x.data(), probe.z.data(), inputs_there);
    return indicators.values({t, probe.x.data(), probe.z.data(), inputs_there.data()}, out_values);
  };
  constexpr double inside[] = {0.23, 0.5, 0.77, 1};
  Looking looking{.curved = indicators.curved(), .longest = looks_every * (tf - t0)};
  if (!is_young) looking.shares = inside;
  std::vector<double> at_begin = g;
  Located located = locate_root(values, begin, reached, g, looking);
  if (located.found && crossed_by_rounding(integrator, located)) {
    g = at_begin;
    located = locate_root(values, begin, reached, g, looking);
  }
  if (!located.finite) return not_finite();
  if (!located.found) note_undecided(located.nearest, g);
  root = located.found;
  reached = located.t;
  return SimulateStatus::finished;
}

bool Run::crossed_by_rounding(Integrator& integrator, const Located& located) {
  State there;
  if (model.n_x == 0 || integrator.at(located.t, there) != SimulateStatus::finished) return false;
  std::vector<double> inputs_there(model.n_u);
  input_evaluator.at(located.t, there.x.data(), there.z.data(), inputs_there);
  nonlinear::ModelAt::Point where{located.t, there.x.data(), there.z.data(), inputs_there.data()};
  return at.value(nonlinear::ModelAt::Part::rates, where, rows) && indicators.is_rounding(located.row, where, rows);
}

// The indicator that crossed zero, for messages.
std::size_t Run::crossed() {
  std::vector<double> g(indicators.size());
  if (!indicators.values(point(), g)) return 0;
  std::size_t row = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < g.size(); ++k) {
    if (indicators.is_ahead(k)) continue;
    double margin = g[k] * indicators.side(k) / std::max(indicators.width(k), 1e-15);
    if (margin < least) {
      row = k;
      least = margin;
    }
    if (margin <= 0) break;
  }
  return row;
}

// What delays need to know of the step.
SimulateStatus Run::remember_delayed(Integrator& integrator, double reached) {
  input_evaluator.append(reached, [&](double t, std::span<double> x, std::span<double> z) {
    State there;
    if (integrator.at(t, there) != SimulateStatus::finished) return false;
    std::copy(there.x.begin(), there.x.end(), x.begin());
    std::copy(there.z.begin(), there.z.end(), z.begin());
    return true;
  });
  return input_evaluator.bad_delay() ? bad_delay() : SimulateStatus::finished;
}

// From the state to `stop` or the first root, recording outputs on the way.
SimulateStatus Run::smooth_stretch(Integrator& integrator, double stop, bool& root) {
  if (stop - state.t <= 1e-15 * std::max(std::fabs(stop), tf - t0)) {  // an event just after the start: no room for a step
    state.t = stop;
    look_up_inputs();
    return after_steps(stop, 1);
  }
  if (SimulateStatus s = integrator.start(state, stop); s != SimulateStatus::finished) return s;
  ++out.report.restarts;
  std::vector<double> g(indicators.size());
  if (!indicators.values(point(), g)) return not_finite();
  bool searches = indicators.any_to_search(), free = may_run_free();
  slope_z.clear();
  State before;
  std::size_t stuck = 0;  // steps in a row that did not move t
  double longest = 0;     // step so far
  for (std::size_t step = 0; state.t < stop && !root; ++step) {
    double begin = state.t, reached = begin;
    std::size_t taken = 1;
    if (model.n_z && options.looks_ahead) before = state;
    if (input_evaluator.delays() || features.any() || scan.any()) limit_step(integrator);
    if (SimulateStatus s = advance(integrator, free, stop, reached, taken); s != SimulateStatus::finished)
      return unless_states_failed(s);
    stuck = reached > begin ? 0 : stuck + taken;
    if (stuck > 100) return unless_states_failed(too_short());
    longest = std::max(longest, reached - begin);
    if (searches && reached > begin)
      if (SimulateStatus s = find_root(integrator, step < 4, g, begin, reached, root); s != SimulateStatus::finished)
        return s;
    bool passed = passed_over(integrator, begin, reached);
    if (passed) root = false;
    if (input_evaluator.delays() && reached > begin)
      if (SimulateStatus s = remember_delayed(integrator, reached); s != SimulateStatus::finished) return s;
    if (SimulateStatus s = record_until(integrator, reached); s != SimulateStatus::finished) return s;
    if (SimulateStatus s = integrator.at(reached, state); s != SimulateStatus::finished) return s;
    if (model.n_z && options.looks_ahead) look_for_jump(integrator, before);
    look_at_sizes(integrator);
    look_up_inputs();
    look_for_dips();
    bool wanted = options.method_options.one_step_output > 0;
    if (!root && state.t < stop && (skip_outputs() || wanted)) record();
    if (SimulateStatus s = after_steps(state.t, taken); s != SimulateStatus::finished) return s;
    if (SimulateStatus s = hybrid.check(state, u); s != SimulateStatus::finished || hybrid.terminated()) return s;
    if (accumulated && state.t > chatter.limit() && fell_through(*accumulated, g)) return lost_events();
    if (returning && !root && fell_through(*returning, g)) return accumulated ? lost_events() : lost_return();
    if (passed || (input_evaluator.left_by_break() && stop - state.t > room && !root))
      if (SimulateStatus s = begin_again(integrator, stop, g); s != SimulateStatus::finished) return s;
    if (options.watch_states && (step % 10 == 9 || state.t >= stop) &&
        state_selection.failed(state, u, reached - begin < 1e-3 * longest))
      return states_failed();
  }
  return SimulateStatus::finished;
}

// Events shorter than the width of their indicator are not seen: did the indicator go on as if there were none?
bool Run::fell_through(std::size_t row, std::vector<double>& g) {
  double side = indicators.side(row), width = indicators.width(row);
  return indicators.values(point(), g) && side * g[row] > 1e4 * width;
}

SimulateStatus Run::unless_states_failed(SimulateStatus status) {
  bool numerical =
      status == SimulateStatus::convergence || status == SimulateStatus::error_test || status == SimulateStatus::nonfinite;
  return numerical && options.watch_states && state_selection.failed(state, u, true) ? states_failed() : status;
}

}  // namespace bolza::integrate
