// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/failure.h"
#include "runtime/integrate/methods/ida_start.h"
#include "runtime/integrate/simulate/run_internal.h"
#include "runtime/nonlinear/initialise.h"

namespace bolza::integrate {

SimulateStatus Run::initialise() {
  state = {t0, options.x, options.z, std::vector<double>(model.n_q)};
  if (state.x.empty())
    for (std::size_t i = 0; i < model.n_x; ++i) state.x.push_back(nonlinear::guess_of(model.x[i]));
  for (std::size_t i = state.z.size(); i < model.n_z; ++i) state.z.push_back(nonlinear::guess_of(model.z[i]));
  hybrid.let_act(options.act);
  input_evaluator.begin(t0, tf);
  evaluate(inputs.pieces.front(), t0, std::span(u).first(model.n_u - input_evaluator.delays()));
  SimulateStatus status = SimulateStatus::finished;
  for (int pass = 0; pass < (input_evaluator.delays() ? 20 : 1) && status == SimulateStatus::finished; ++pass) {
    std::vector<double> before = u;
    if (!input_evaluator.start_history(t0, state.x.data(), state.z.data(), u)) return not_finite();
    if (input_evaluator.bad_profile()) return bad_profile();
    if (input_evaluator.bad_delay()) return bad_delay();
    if (pass && before == u) break;
    if (!options.discrete.empty()) {
      hybrid.resume(options.discrete);
      status = consistent(state);
    } else
      status = hybrid.initialise(state, u, [&](State& s) { return options.x.empty() ? start_values(s) : algebraics_of(s); });
  }
  bool goes_on = !options.discrete.empty() || options.continues;
  return status == SimulateStatus::finished ? hybrid.begin(state, u, goes_on) : status;
}

SimulateStatus Run::start_values(State& s) {
  if (options.start_mode != StartMode::equations) return start_by_idas(s);
  nonlinear::InitialPoint p = nonlinear::initialise(at, t0, u, s.x, s.z, options.start_options);
  return accept(std::move(p), "no consistent initial values", s);
}

SimulateStatus Run::accept(nonlinear::InitialPoint p, const char* failure, State& s) {
  s.x = std::move(p.x);
  s.z = std::move(p.z);
  if (p.converged()) return SimulateStatus::finished;
  abi::Finding& f = out.report.finding = std::move(p.finding);
  out.report.message = std::string(failure) + ": `" + f.name + "`: " + f.text;
  return SimulateStatus::initialisation;
}

SimulateStatus Run::start_by_idas(State& s) {
  bool at_rest = options.start_mode == StartMode::at_rest;
  if (!at_rest && model.n_initial) {
    const bolza_row& row = model.initial->rows[0];
    abi::Finding& f = out.report.finding;
    f = {};
    f.time = t0;
    f.name = row.name ? row.name : "";
    f.kind = abi::Finding::Kind::nonfinite;
    f.text = "`" + f.name + "` would not be looked at: IDAS takes the states as they start";
    place(f, row.source);
    out.report.message = f.text;
    return SimulateStatus::initialisation;
  }
  if (!model.n_x && !model.n_z) return SimulateStatus::finished;  // IDAS takes no empty vectors
  Setup setup = setup_of();
  if (initial_by_idas(setup, tf, at_rest, s) || !at_rest) return consistent(s);
  nonlinear::InitialPoint p =
      nonlinear::initialise(at, t0, u, s.x, s.z, {nonlinear::StartSolver::newton, options.start_options.optimiser, true});
  return accept(std::move(p), "no state of rest", s);
}

// The same at the start, where guesses of algebraics may lead nowhere.
SimulateStatus Run::algebraics_of(State& s) {
  if (!model.n_z || nonlinear::solve_algebraics(at, s.t, s.x, u, s.z).converged()) return SimulateStatus::finished;
  nonlinear::InitialPoint p = nonlinear::initialise(at, s.t, u, s.x, s.z, {.holds_states = true});
  if (!p.converged()) return consistent(s);
  s.z = std::move(p.z);
  return SimulateStatus::finished;
}

// Algebraics that fit the states and the present inputs.
SimulateStatus Run::consistent(State& s) {
  if (!model.n_z) return SimulateStatus::finished;
  nonlinear::NewtonReport report = nonlinear::solve_algebraics(at, s.t, s.x, u, s.z);
  if (report.converged()) return SimulateStatus::finished;
  out.report.finding = nonlinear::finding_of(at, report, s.t);
  out.report.message =
      "the algebraic equations could not be solved: `" + out.report.finding.name + "`: " + out.report.finding.text;
  return SimulateStatus::convergence;
}

}  // namespace bolza::integrate
