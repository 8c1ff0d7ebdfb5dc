#include "runtime/integrate/simulate.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>

#include "base/expects.h"
#include "runtime/abi/evaluate.h"
#include "runtime/integrate/chatter.h"
#include "runtime/integrate/failure.h"
#include "runtime/integrate/ida_start.h"
#include "runtime/integrate/instants.h"
#include "runtime/integrate/locate.h"
#include "runtime/integrate/method_table.h"
#include "runtime/integrate/state_choice.h"
#include "runtime/integrate/time_events.h"
#include "runtime/nonlinear/initialise.h"

namespace bolza::integrate {
namespace {

using Clock = std::chrono::steady_clock;

// One run: the recipe is `go`, everything else is one step of it.
struct Run {
  const bolza_problem& problem;
  const SimulateOptions& options;
  nonlinear::ModelAt at;
  const bolza_model& model;
  double t0, tf, room;
  Inputs inputs;
  Simulation out;
  Feed feed;
  Hybrid hybrid;
  Indicators indicators;
  TimeEvents clock;
  Chatter chatter;
  StateChoice choice;
  std::optional<std::size_t> accumulated;  // indicator whose events do
  std::vector<double> outputs, stop_times;
  std::size_t next = 0;  // output
  State state;
  std::vector<double> u, rows;
  Clock::time_point began = Clock::now();

  Run(const bolza_problem& p, std::size_t phase, const SimulateOptions& o)
      : problem(p),
        options(o),
        at(problem, *problem.models[problem.phases[phase].model], shared_of(problem, phase, o)),
        model(at.model()),
        t0(o.start && !o.shared.empty() ? *o.start : at.shared[0]),
        tf(o.final && !o.shared.empty() ? *o.final : at.shared[1]),
        room(1e-12 * (tf - t0)),
        inputs(o.inputs ? *o.inputs : default_inputs()),
        feed(at, inputs),
        hybrid(at, out.report),
        indicators(at, o.rtol),
        clock(at, indicators, t0, tf),
        chatter(tf - t0),
        choice(at, o.state_margin) {
    hybrid.watch(indicators);
    u.resize(model.n_u), rows.resize(model.n_x + model.n_q);
    outputs = o.output_times;
    for (std::size_t k = 0; outputs.size() <= o.intervals && o.output_times.empty(); ++k)
      outputs.push_back(k == o.intervals ? tf : t0 + (tf - t0) * static_cast<double>(k) / static_cast<double>(o.intervals));
    stop_times = parse_times(o.method_options.stop_times);
    for (double time : stop_times)
      if (time > t0 && time < tf) outputs.insert(std::upper_bound(outputs.begin(), outputs.end(), time), time);
    abi::Trajectories& t = out.trajectories;
    t.x.resize(model.n_x), t.z.resize(model.n_z), t.u.resize(model.n_u), t.rate.resize(model.n_x);
    t.discrete.resize(hybrid.size());
  }

  static std::vector<double> shared_of(const bolza_problem& problem, std::size_t phase, const SimulateOptions& o) {
    if (!o.shared.empty()) return o.shared;
    std::vector<double> shared = nonlinear::shared_of(problem, phase, o.parameters);
    if (o.start) shared[0] = *o.start;
    if (o.final) shared[1] = *o.final;
    return shared;
  }

  Inputs default_inputs() const {
    std::vector<double> values;
    for (std::size_t i = 0; i < model.n_u; ++i) values.push_back(nonlinear::guess_of(model.u[i]));
    return constant_inputs(t0, tf, values);
  }

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - began).count(); }
  nonlinear::ModelAt::Point point() const { return {state.t, state.x.data(), state.z.data(), u.data()}; }
  void look_up_inputs() { feed.at(state.t, state.x.data(), state.z.data(), u); }

  SimulateStatus after_step(double t) {
    out.report.time = t;
    if (options.progress) options.progress(t);
    if (options.interrupt && *options.interrupt)
      return out.report.message = "it was interrupted", SimulateStatus::interrupted;
    if (options.max_seconds > 0 && elapsed() > options.max_seconds)
      return out.report.message = "the time limit was reached", SimulateStatus::time_limit;
    std::size_t most = options.method_options.max_steps > 0 ? static_cast<std::size_t>(options.method_options.max_steps)
                                                            : options.max_steps;
    return ++out.report.steps <= most ? SimulateStatus::finished : too_many_steps();
  }

  SimulateStatus too_many_steps() {
    out.report.message = "too many steps; what changes fastest is `" + name_fastest() + "`";
    return SimulateStatus::too_many_steps;
  }

  // Steps below the precision of t would go on for ever.
  SimulateStatus too_short() {
    out.report.message =
        std::string(name_of(SimulateStatus::error_test)) + "; what changes fastest is `" + name_fastest() + "`";
    return SimulateStatus::error_test;
  }

  // Puts the state that changes fastest for its size into the finding.
  const std::string& name_fastest() {
    double fastest = -1;
    std::size_t worst = 0;
    if (at.value(nonlinear::ModelAt::Part::rates, point(), rows))
      for (std::size_t i = 0; i < model.n_x; ++i)
        if (double s = std::fabs(rows[i]) / std::max(nonlinear::size_of(model.x[i]), std::fabs(state.x[i])); s > fastest)
          fastest = s, worst = i;
    abi::Finding& f = out.report.finding;
    f = {};
    f.time = state.t;
    if (fastest >= 0) {
      const bolza_variable& v = model.x[worst];
      f.name = v.name ? v.name : "", f.value = state.x[worst];
      if (v.source.file) f.file = v.source.file, f.line = v.source.line, f.column = v.source.column;
    }
    return f.name;
  }

  SimulateStatus initialise() {
    state = {t0, options.x, options.z, std::vector<double>(model.n_q)};
    if (state.x.empty())
      for (std::size_t i = 0; i < model.n_x; ++i) state.x.push_back(nonlinear::guess_of(model.x[i]));
    for (std::size_t i = state.z.size(); i < model.n_z; ++i) state.z.push_back(nonlinear::guess_of(model.z[i]));
    feed.begin(t0, tf);
    evaluate(inputs.pieces.front(), t0, std::span(u).first(model.n_u - feed.delays()));
    SimulateStatus status = SimulateStatus::finished;
    for (int pass = 0; pass < (feed.delays() ? 20 : 1) && status == SimulateStatus::finished; ++pass) {
      std::vector<double> before = u;
      if (!feed.start_history(t0, state.x.data(), state.z.data(), u)) return not_finite();
      if (pass && before == u) break;
      if (!options.discrete.empty()) hybrid.resume(options.discrete), status = consistent(state);
      else
        status = hybrid.initialise(state, u, [&](State& s) { return options.x.empty() ? start_values(s) : consistent(s); });
    }
    return status == SimulateStatus::finished ? hybrid.begin(state, u, options) : status;
  }

  SimulateStatus start_values(State& s) {
    if (options.start_mode != StartMode::equations) return start_by_idas(s);
    nonlinear::InitialPoint p = nonlinear::initialise(at, t0, u, s.x, s.z, options.start_options);
    s.x = std::move(p.x), s.z = std::move(p.z);
    if (p.converged()) return SimulateStatus::finished;
    out.report.finding = std::move(p.finding);
    out.report.message = "no consistent initial values: `" + out.report.finding.name + "`: " + out.report.finding.text;
    return SimulateStatus::initialisation;
  }

  SimulateStatus start_by_idas(State& s) {
    bool at_rest = options.start_mode == StartMode::at_rest;
    if (!at_rest && model.n_initial) {
      const bolza_row& row = model.initial->rows[0];
      abi::Finding& f = out.report.finding;
      f = {};
      f.time = t0, f.name = row.name ? row.name : "", f.kind = abi::Finding::Kind::nonfinite;
      f.text = "`" + f.name + "` would not be looked at: IDAS takes the states as they start";
      if (row.source.file) f.file = row.source.file, f.line = row.source.line, f.column = row.source.column;
      out.report.message = f.text;
      return SimulateStatus::initialisation;
    }
    Setup setup = setup_of();
    setup.indicators = nullptr;
    if (initial_by_idas(setup, tf, at_rest, s)) return consistent(s);
    if (!at_rest) return consistent(s);
    nonlinear::InitialPoint p =
        nonlinear::initialise(at, t0, u, s.x, s.z, {nonlinear::StartSolver::newton, options.start_options.optimiser, true});
    s.x = std::move(p.x), s.z = std::move(p.z);
    if (p.converged()) return SimulateStatus::finished;
    out.report.finding = std::move(p.finding);
    out.report.message = "no state of rest: `" + out.report.finding.name + "`: " + out.report.finding.text;
    return SimulateStatus::initialisation;
  }

  // Algebraics that fit the states and the present inputs.
  SimulateStatus consistent(State& s) {
    if (!model.n_z) return SimulateStatus::finished;
    nonlinear::NewtonReport report = nonlinear::solve_algebraics(at, s.t, s.x, u, s.z);
    if (report.converged()) return SimulateStatus::finished;
    out.report.finding = nonlinear::finding_of(at, report, s.t);
    out.report.message =
        "the algebraic equations could not be solved: `" + out.report.finding.name + "`: " + out.report.finding.text;
    return SimulateStatus::convergence;
  }

  SimulateStatus not_finite() {
    report_nonfinite(at, out.report, state.t);
    return SimulateStatus::nonfinite;
  }

  // u is that of the state's time already.
  void record() {
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
  SimulateStatus record_until(Integrator& integrator, double t) {
    for (; next < outputs.size() && outputs[next] < t - room; ++next) {
      if (SimulateStatus s = integrator.at(outputs[next], state); s != SimulateStatus::finished) return s;
      integrator.settle(state);
      look_up_inputs();
      record();
    }
    return SimulateStatus::finished;
  }
  // Output times that the state's own time stands for.
  bool skip_outputs() {
    bool any = false;
    while (next < outputs.size() && outputs[next] <= state.t + room) ++next, any = true;
    return any;
  }

  // Shortens a step to the first root in it. A method that looks for roots itself sees those that change a sign from end to
  // end; what changes it twice shows at places between.
  SimulateStatus find_root(Integrator& integrator, bool finds_roots, bool is_young, std::vector<double>& g, double begin,
                           double& reached, bool& root) {
    State probe;
    std::vector<double> inputs_there(model.n_u);
    auto values = [&](double t, std::span<double> out_values) {
      if (integrator.at(t, probe) != SimulateStatus::finished) return false;
      feed.at(t, probe.x.data(), probe.z.data(), inputs_there);
      return indicators.values({t, probe.x.data(), probe.z.data(), inputs_there.data()}, out_values);
    };
    constexpr double inside[] = {0.25, 0.5, 0.75, 1};
    std::span<const double> look = is_young || !finds_roots ? std::span<const double>() : inside;
    Located located = locate_root(values, begin, reached, g, look);
    if (!located.finite) return not_finite();
    root = located.found;
    reached = located.t;
    return SimulateStatus::finished;
  }

  // The indicator that crossed zero, for messages.
  std::size_t crossed() {
    std::vector<double> g(indicators.size());
    if (!indicators.values(point(), g)) return 0;
    for (std::size_t k = 0; k < g.size(); ++k)
      if (g[k] * indicators.side(k) <= 0) return k;
    return 0;
  }

  // From the state to `stop` or the first root, recording outputs on the way.
  SimulateStatus smooth_stretch(Integrator& integrator, bool finds_roots, double stop, bool& root) {
    if (stop - state.t <=
        1e-15 * std::max(std::fabs(stop), tf - t0)) {  // an event just behind the begin: no room for a step
      state.t = stop;
      look_up_inputs();
      return SimulateStatus::finished;
    }
    if (SimulateStatus s = integrator.start(state, stop); s != SimulateStatus::finished) return s;
    ++out.report.restarts;
    std::vector<double> g(indicators.size());
    if (!indicators.values(point(), g)) return not_finite();
    bool searches = indicators.any_to_search();
    std::size_t stuck = 0;  // steps in a row that did not move t
    double longest = 0;     // step so far
    for (std::size_t step = 0; state.t < stop && !root; ++step) {
      double begin = state.t, reached = begin;
      if (feed.delays())
        integrator.limit_step(std::max(1e-6 * (tf - t0), feed.longest_step(state.t, state.x.data(), state.z.data(), u)));
      if (SimulateStatus s = integrator.step(reached, root); s != SimulateStatus::finished) return unless_states_failed(s);
      stuck = reached > begin ? 0 : stuck + 1;
      if (stuck > 100) return unless_states_failed(too_short());
      longest = std::max(longest, reached - begin);
      if (searches && reached > begin && !root)
        if (SimulateStatus s = find_root(integrator, finds_roots, step < 4, g, begin, reached, root);
            s != SimulateStatus::finished)
          return s;
      feed.append(reached, [&](double t, std::span<double> x, std::span<double> z) {
        State there;
        if (integrator.at(t, there) != SimulateStatus::finished) return false;
        std::copy(there.x.begin(), there.x.end(), x.begin()), std::copy(there.z.begin(), there.z.end(), z.begin());
        return true;
      });
      if (SimulateStatus s = record_until(integrator, reached); s != SimulateStatus::finished) return s;
      if (SimulateStatus s = integrator.at(reached, state); s != SimulateStatus::finished) return s;
      look_up_inputs();
      bool wanted = options.method_options.one_step_output > 0;
      if (!root && state.t < stop && (skip_outputs() || wanted)) record();
      if (SimulateStatus s = after_step(state.t); s != SimulateStatus::finished) return s;
      if (SimulateStatus s = hybrid.check(state, u); s != SimulateStatus::finished || hybrid.terminated()) return s;
      if (accumulated && fell_through(g)) return lost_events();
      if (options.watch_states && (step % 10 == 9 || state.t >= stop) &&
          choice.failed(state, u, reached - begin < 1e-3 * longest))
        return states_failed();
    }
    return SimulateStatus::finished;
  }

  // Events shorter than the width of their indicator are not seen: did the indicator go on as if there were none?
  bool fell_through(std::vector<double>& g) {
    double side = indicators.side(*accumulated), width = indicators.width(*accumulated);
    return state.t > chatter.limit() && indicators.values(point(), g) && side * g[*accumulated] > 1e4 * width;
  }

  SimulateStatus lost_events() {
    warn_of_accumulation(*accumulated);
    abi::Finding last = std::move(out.report.warnings.back());
    out.report.warnings.pop_back();
    char text[80];
    std::snprintf(text, sizeof text, "chattering: infinitely many events before t = %.6g s by `", chatter.limit());
    out.report.message = text + last.name + "`, and none afterwards: the model does not tell what follows them";
    last.text = out.report.message;
    out.report.finding = std::move(last);
    return SimulateStatus::chattering;
  }

  SimulateStatus states_failed() {
    out.report.message = "the chosen states no longer determine the other variables";
    record();
    return SimulateStatus::singular_states;
  }

  SimulateStatus unless_states_failed(SimulateStatus status) {
    bool numerical =
        status == SimulateStatus::convergence || status == SimulateStatus::error_test || status == SimulateStatus::nonfinite;
    return numerical && options.watch_states && choice.failed(state, u, true) ? states_failed() : status;
  }

  SimulateStatus too_dense(std::size_t row) {
    std::size_t owner = indicators.owner(row);
    abi::Finding& f = out.report.finding;
    f = {};
    f.time = state.t;
    if (owner < hybrid.size()) {
      const bolza_variable& v = model.hybrid->discrete[owner].variable;
      f.name = v.name ? v.name : "";
      if (v.source.file) f.file = v.source.file, f.line = v.source.line, f.column = v.source.column;
    }
    char text[100];
    std::snprintf(text, sizeof text, "chattering: 200 events within %.2g s by `", 1e-6 * (tf - t0));
    out.report.message = f.text = text + f.name + "`";
    return SimulateStatus::chattering;
  }

  void warn_of_accumulation(std::size_t row) {
    std::size_t owner = indicators.owner(row);
    abi::Finding f;
    f.time = state.t;
    if (owner < hybrid.size()) {
      const bolza_variable& v = model.hybrid->discrete[owner].variable;
      f.name = v.name ? v.name : "";
      if (v.source.file) f.file = v.source.file, f.line = v.source.line, f.column = v.source.column;
    }
    accumulated = row;
    char text[120];
    std::snprintf(text, sizeof text, "` accumulate towards t = %.4g s; what follows depends on rounding", chatter.limit());
    f.text = "the events of `" + f.name + text;
    out.report.warnings.push_back(std::move(f));
  }

  // The iteration of an event at the state, whose inputs are those after it already.
  SimulateStatus handle_event(const State& before) {
    LoggedEvent logged{state.t, state.x, {}, {}, {}};
    if (options.log_events) logged.before = at.shared, hybrid.log(&logged.firings);
    SimulateStatus status = hybrid.event(before, state, u, [&](State& s) { return consistent(s); });
    hybrid.log(nullptr);
    if (options.log_events) logged.after = at.shared, out.events.push_back(std::move(logged));
    if (status != SimulateStatus::finished) return status;
    choice.forget();
    return hybrid.check(state, u);
  }

  // Left value, event, right value.
  SimulateStatus boundary(bool root, double& stop) {
    bool time_event = hybrid.present() && clock.due(state.t, hybrid);
    bool jump = feed.jumps(state.t, state.x.data(), state.z.data());
    bool event = root || time_event || (jump && hybrid.present());
    out.report.state_events += root, out.report.time_events += time_event;
    bool ends = state.t >= tf - room;
    bool wanted = skip_outputs();
    if (event || jump || wanted || ends) record();
    std::size_t row = root ? crossed() : 0;
    State before = state;
    bool moved = event || (jump && !ends);
    if (!ends || event) {
      feed.mark(state.t, moved);
      stop = ends ? tf : next_stop();
      feed.begin(state.t, std::max(stop, state.t));
      look_up_inputs();
    }
    SimulateStatus status = event ? handle_event(before) : jump && !ends ? consistent(state) : SimulateStatus::finished;
    if (moved) look_up_inputs(), record();
    if (status != SimulateStatus::finished || !root) return status;
    switch (chatter.add(state.t, row)) {
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

  double next_stop() const {
    auto own = std::upper_bound(stop_times.begin(), stop_times.end(), state.t);
    return std::min({tf, clock.next(state.t), feed.next_break(state.t), own == stop_times.end() ? tf : *own});
  }

  SimulateStatus first_point(double& stop) {
    feed.mark(t0, false);
    stop = tf;
    if (hybrid.present()) {
      bool tick = clock.due(t0, hybrid);
      for (std::size_t k = 0; options.continues && k < model.hybrid->n_samples; ++k) hybrid.set_sample(k, tick = false);
      if (tick) record(), ++out.report.time_events;
      if (SimulateStatus s = handle_event(state); s != SimulateStatus::finished) return s;
      if (tick) return record(), skip_outputs(), SimulateStatus::finished;
    }
    record();
    skip_outputs();
    return SimulateStatus::finished;
  }

  Setup setup_of() {
    auto size = [&](const bolza_variable& v) { return options.rtol * options.atol_factor * nonlinear::size_of(v); };
    Setup setup{.model = at, .feed = feed, .rtol = options.rtol, .options = options.method_options, .report = out.report};
    if (indicators.size()) setup.indicators = &indicators;
    for (std::size_t i = 0; i < model.n_x; ++i) setup.atol_x.push_back(size(model.x[i]));
    for (std::size_t i = 0; i < model.n_z; ++i) setup.atol_z.push_back(size(model.z[i]));
    setup.atol_q.assign(model.n_q, options.rtol * options.atol_factor);
    return setup;
  }

  SimulateStatus integrate(const Method& method) {
    Setup setup = setup_of();
    if (!(setup.options.max_step > 0) && !method.automatic && !(setup.options.fixed_step > 0))
      setup.options.fixed_step = (tf - t0) / static_cast<double>(std::max<std::size_t>(options.intervals, 1));
    std::unique_ptr<Integrator> integrator =
        model.n_x ? method.make(setup)
                  : make_instants(setup, (tf - t0) / static_cast<double>(std::max<std::size_t>(options.intervals, 1)));
    bool finds_roots = model.n_x && method.finds_roots;
    double stop = tf;
    if (SimulateStatus s = first_point(stop); s != SimulateStatus::finished) return s;
    while (state.t < tf && !hybrid.terminated()) {
      bool root = false;
      if (!indicators.begin(point())) return not_finite();
      if (hybrid.present()) clock.look_ahead(point());
      stop = next_stop();
      feed.begin(state.t, stop);
      if (SimulateStatus s = smooth_stretch(*integrator, finds_roots, stop, root); s != SimulateStatus::finished) return s;
      if (hybrid.terminated()) return record(), SimulateStatus::finished;
      if (SimulateStatus s = boundary(root, stop); s != SimulateStatus::finished) return s;
    }
    return finish();
  }

  // terminal() is true in one more event, at the end.
  SimulateStatus finish() {
    if (!hybrid.uses_terminal()) return SimulateStatus::finished;
    hybrid.set_terminal(true);
    SimulateStatus status = handle_event(state);
    hybrid.set_terminal(false);
    record();
    return status;
  }

  // Says which equation is the first that an integrator for explicit systems cannot take.
  void refuse_algebraics() {
    out.report.message = "it takes no algebraic equations; `idas` does";
    if (!model.residuals || !model.residuals->rows || !model.residuals->n_rows) return;
    const bolza_row& row = model.residuals->rows[0];
    abi::Finding& f = out.report.finding;
    f.time = t0, f.name = row.name ? row.name : "";
    f.file = row.source.file ? row.source.file : "", f.line = row.source.line, f.column = row.source.column;
  }

  void refuse_index() {
    std::string remedy = "none does; reduced equations have index 1";
    for (const Method* m : methods())
      if (model.index <= m->highest_index) remedy = "`" + std::string(m->name) + "` does";
    out.report.message = "it takes no equations of index " + std::to_string(model.index) + "; " + remedy;
  }

  const Method* choose() {
    std::string name = !options.method.empty() ? options.method : model.index > 1 ? "radau5" : model.n_z ? "idas" : "cvodes";
    const Method* method = find_method(name);
    out.report.method = name;
    if (!method) out.report.message = "there is no integrator `" + name + "`";
    else if (model.n_z && !method->algebraics) refuse_algebraics(), method = nullptr;
    else if (model.index > method->highest_index) refuse_index(), method = nullptr;
    else if (model.index > 1 && hybrid.present())
      out.report.message = "after an event equations of index " + std::to_string(model.index) +
                           " do not tell the states that go on; reduced equations do",
      method = nullptr;
    else if (method->objection) {
      out.report.message = method->objection(problem, model);
      if (!out.report.message.empty()) method = nullptr;
    }
    return method;
  }

  // Compiles what every step needs before the clock starts: that is not integration.
  void compile(const Method& method) {
    for (bolza_function* f : {model.rates, model.residuals})
      for (bolza_kind kind : {BOLZA_VALUE, BOLZA_JACOBIAN})
        if (f && (kind == BOLZA_VALUE || method.stiff)) abi::ensure(problem, *f, kind);
    began = Clock::now();
  }

  Simulation go() {
    SimulateReport& report = out.report;
    report.time = t0;
    const Method* method = choose();
    if (!method) return report.status = SimulateStatus::bad_method, std::move(out);
    compile(*method);
    report.status = initialise();
    if (report.finished() && !(tf > t0)) record();
    else if (report.finished()) report.status = integrate(*method);
    if (report.finished()) report.time = state.t;
    out.trajectories.integral = state.q;
    report.seconds = elapsed();
    return std::move(out);
  }
};

}  // namespace

const char* name_of(SimulateStatus status) {
  switch (status) {
    case SimulateStatus::finished:
      return "finished";
    case SimulateStatus::bad_method:
      return "the method cannot take the model";
    case SimulateStatus::initialisation:
      return "no consistent initial values";
    case SimulateStatus::nonfinite:
      return "a value is not finite";
    case SimulateStatus::error_test:
      return "the error test failed again and again";
    case SimulateStatus::convergence:
      return "Newton's method did not converge";
    case SimulateStatus::too_many_steps:
      return "too many steps";
    case SimulateStatus::too_much_accuracy:
      return "more accuracy was asked than double precision has";
    case SimulateStatus::time_limit:
      return "time limit";
    case SimulateStatus::interrupted:
      return "interrupted";
    case SimulateStatus::failed:
      return "the integrator failed";
    case SimulateStatus::assertion:
      return "an assertion does not hold";
    case SimulateStatus::event_iteration:
      return "the iteration of an event does not end";
    case SimulateStatus::chattering:
      return "events follow each other without end";
    case SimulateStatus::singular_states:
      return "another choice of states is needed";
  }
  return "";
}

Simulation simulate(const bolza_problem& problem, std::size_t phase, const SimulateOptions& options) {
  expects(phase < problem.n_phases, "the phase exists");
  return Run(problem, phase, options).go();
}

}  // namespace bolza::integrate
