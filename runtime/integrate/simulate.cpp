#include "runtime/integrate/simulate.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/expects.h"
#include "runtime/integrate/method_table.h"
#include "runtime/nonlinear/initialise.h"

namespace bolza::integrate {
namespace {

using Clock = std::chrono::steady_clock;

// One run: the recipe is `go`, everything else is one step of it.
struct Run {
  const SimulateOptions& options;
  nonlinear::ModelAt at;
  const bolza_model& model;
  double t0, tf;
  Inputs inputs;
  std::vector<double> outputs;
  Simulation out;
  State state;
  std::vector<double> u, rows;
  Clock::time_point began = Clock::now();

  Run(const bolza_problem& problem, std::size_t phase, const SimulateOptions& o)
      : options(o),
        at(problem, *problem.models[problem.phases[phase].model], nonlinear::shared_of(problem, phase, o.parameters)),
        model(at.model()) {
    if (o.start) at.shared[0] = *o.start;
    if (o.final) at.shared[1] = *o.final;
    t0 = at.shared[0], tf = at.shared[1];
    u.resize(model.n_u), rows.resize(model.n_x + model.n_q);
    if (o.inputs) inputs = *o.inputs;
    else inputs = default_inputs();
    outputs = o.output_times;
    for (std::size_t k = 0; outputs.size() <= o.intervals && o.output_times.empty(); ++k)
      outputs.push_back(k == o.intervals ? tf : t0 + (tf - t0) * static_cast<double>(k) / static_cast<double>(o.intervals));
    abi::Trajectories& t = out.trajectories;
    t.x.resize(model.n_x), t.z.resize(model.n_z), t.u.resize(model.n_u), t.rate.resize(model.n_x);
  }

  Inputs default_inputs() const {
    std::vector<double> values;
    for (std::size_t i = 0; i < model.n_u; ++i) values.push_back(nonlinear::guess_of(model.u[i]));
    return constant_inputs(t0, tf, values);
  }

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - began).count(); }

  SimulateStatus after_step(double t) {
    out.report.time = t;
    if (options.progress) options.progress(t);
    if (options.interrupt && *options.interrupt)
      return out.report.message = "it was interrupted", SimulateStatus::interrupted;
    if (options.max_seconds > 0 && elapsed() > options.max_seconds)
      return out.report.message = "the time limit was reached", SimulateStatus::time_limit;
    return SimulateStatus::finished;
  }

  SimulateStatus initialise() {
    evaluate(inputs.pieces.front(), t0, u);
    state = {t0, options.x, options.z, std::vector<double>(model.n_q)};
    if (!options.x.empty()) return consistent();
    nonlinear::InitialPoint p = nonlinear::initialise(at, t0, u, options.x, options.z);
    state.x = std::move(p.x), state.z = std::move(p.z);
    if (p.converged()) return SimulateStatus::finished;
    out.report.finding = std::move(p.finding);
    out.report.message = "no consistent initial values: `" + out.report.finding.name + "`: " + out.report.finding.text;
    return SimulateStatus::initialisation;
  }

  // Algebraics that fit the states and the present inputs.
  SimulateStatus consistent() {
    if (!model.n_z) return SimulateStatus::finished;
    for (std::size_t i = state.z.size(); i < model.n_z; ++i) state.z.push_back(nonlinear::guess_of(model.z[i]));
    nonlinear::NewtonReport report = nonlinear::solve_algebraics(at, state.t, state.x, u, state.z);
    if (report.converged()) return SimulateStatus::finished;
    out.report.finding = nonlinear::finding_of(at, report, state.t, model.n_z);
    out.report.message =
        "the algebraic equations could not be solved: `" + out.report.finding.name + "`: " + out.report.finding.text;
    return SimulateStatus::convergence;
  }

  void record(const InputPiece& piece) {
    abi::Trajectories& t = out.trajectories;
    evaluate(piece, state.t, u);
    t.time.push_back(state.t);
    for (std::size_t i = 0; i < model.n_x; ++i) t.x[i].push_back(state.x[i]);
    for (std::size_t i = 0; i < model.n_z; ++i) t.z[i].push_back(state.z[i]);
    for (std::size_t i = 0; i < model.n_u; ++i) t.u[i].push_back(u[i]);
    std::fill(rows.begin(), rows.end(), std::nan(""));
    if (model.rates && model.n_x)
      at.value(nonlinear::ModelAt::Part::rates, {state.t, state.x.data(), state.z.data(), u.data()}, rows);
    for (std::size_t i = 0; i < model.n_x; ++i) t.rate[i].push_back(rows[i]);
  }

  // Models without states: algebraics at the output times.
  SimulateStatus algebraic_only() {
    for (double t : outputs) {
      state.t = t;
      std::size_t k = 0;
      while (k + 1 < inputs.pieces.size() && inputs.pieces[k].end <= t) ++k;
      evaluate(inputs.pieces[k], t, u);
      if (SimulateStatus s = consistent(); s != SimulateStatus::finished) return s;
      record(inputs.pieces[k]);
      if (SimulateStatus s = after_step(t); s != SimulateStatus::finished) return s;
    }
    return SimulateStatus::finished;
  }

  bool jumps(std::size_t piece) const {
    if (piece + 1 >= inputs.pieces.size()) return false;
    std::vector<double> left(model.n_u), right(model.n_u);
    evaluate(inputs.pieces[piece], inputs.pieces[piece].end, left);
    evaluate(inputs.pieces[piece + 1], inputs.pieces[piece + 1].begin, right);
    for (std::size_t i = 0; i < left.size(); ++i)
      if (std::fabs(left[i] - right[i]) > 1e-9 * (1e-6 + std::fabs(left[i]) + std::fabs(right[i]))) return true;
    return false;
  }

  // Integrates one piece from state.t to `end`, recording outputs on the way; the end itself only when the input jumps there
  // or it is asked for.
  SimulateStatus piece_to(Integrator& integrator, std::size_t k, double end, std::size_t& next, bool& right_value) {
    const InputPiece& piece = inputs.pieces[k];
    evaluate(piece, state.t, u);
    if (SimulateStatus s = consistent(); s != SimulateStatus::finished) return s;
    if (right_value) record(piece);
    if (!(end - state.t > 1e-14 * std::max(std::fabs(end), std::fabs(state.t)))) return SimulateStatus::finished;
    if (SimulateStatus s = integrator.start(state, k, end); s != SimulateStatus::finished) return s;
    ++out.report.restarts;
    double room = 1e-12 * (tf - t0);
    while (next < outputs.size() && outputs[next] <= state.t + room) ++next;
    for (; next < outputs.size() && outputs[next] < end - room; ++next) {
      if (SimulateStatus s = integrator.advance(outputs[next], state); s != SimulateStatus::finished) return s;
      record(piece);
    }
    if (SimulateStatus s = integrator.advance(end, state); s != SimulateStatus::finished) return s;
    right_value = jumps(k) && end < tf;
    bool wanted = next < outputs.size() && outputs[next] <= end + room;
    if (right_value || wanted || end >= tf) record(piece);
    return SimulateStatus::finished;
  }

  SimulateStatus integrate(const Method& method) {
    auto size = [&](const bolza_variable& v) { return options.rtol * options.atol_factor * nonlinear::size_of(v); };
    Setup setup{.model = at,
                .inputs = inputs,
                .rtol = options.rtol,
                .max_steps = options.max_steps,
                .after_step = [this](double t) { return after_step(t); },
                .report = out.report};
    for (std::size_t i = 0; i < model.n_x; ++i) setup.atol_x.push_back(size(model.x[i]));
    for (std::size_t i = 0; i < model.n_z; ++i) setup.atol_z.push_back(size(model.z[i]));
    setup.atol_q.assign(model.n_q, options.rtol * options.atol_factor);
    std::unique_ptr<Integrator> integrator = method.make(setup);
    std::size_t next = 0;
    bool right_value = true;  // the first point is recorded
    for (std::size_t k = 0; k < inputs.pieces.size(); ++k) {
      double end = k + 1 == inputs.pieces.size() ? tf : std::min(tf, inputs.pieces[k].end);
      if (end < t0 || state.t >= tf) continue;
      if (SimulateStatus s = piece_to(*integrator, k, end, next, right_value); s != SimulateStatus::finished) return s;
    }
    return SimulateStatus::finished;
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

  const Method* choose() {
    std::string name = options.method.empty() ? (model.n_z ? "idas" : "cvodes") : options.method;
    const Method* method = find_method(name);
    out.report.method = name;
    if (!method) out.report.message = "there is no integrator `" + name + "`";
    else if (model.n_z && !method->algebraics)
      refuse_algebraics(), method = nullptr;
    return method;
  }

  Simulation go() {
    SimulateReport& report = out.report;
    report.time = t0;
    const Method* method = choose();
    if (!method) return report.status = SimulateStatus::bad_method, std::move(out);
    report.status = initialise();
    if (report.finished() && !(tf > t0)) record(inputs.pieces.front());
    else if (report.finished()) report.status = model.n_x ? integrate(*method) : algebraic_only();
    if (report.finished()) report.time = tf;
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
  }
  return "";
}

Simulation simulate(const bolza_problem& problem, std::size_t phase, const SimulateOptions& options) {
  expects(phase < problem.n_phases, "the phase exists");
  return Run(problem, phase, options).go();
}

}  // namespace bolza::integrate
