// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/checks/resimulate.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/numbers.h"
#include "runtime/transcribe/checks/violation.h"
#include "runtime/transcribe/sizes_as_nominals.h"

namespace bolza::transcribe {
namespace {

constexpr double least_state_size = 1e-6;  ///< of a state, as a share of what it was divided by: what is smaller is rounding
constexpr double clear_part = 1e-2;        ///< of its limit, for a violation to be reported
constexpr std::size_t looks = 2048;        ///< at the steps of a whole phase
constexpr double far = 1;                  ///< of its size: a deviation that is looked into

// Largest deviation of one phase; both trajectories ascend in time and states are continuous, so equal times compare.
void compare(const bolza_model& model, const abi::PhaseSolution& solution, const abi::Trajectories& simulated,
             Resimulation& out) {
  const abi::Trajectories& solved = solution.trajectories;
  for (std::size_t i = 0; i < model.n_x && i < solved.x.size(); ++i) {
    double size = 0;
    for (double v : solved.x[i]) size = std::max(size, std::fabs(v));
    if (model.x[i].has_nominal && model.x[i].nominal != 0) size = std::fabs(model.x[i].nominal);
    else size = std::max(size, least_state_size * (i < solution.x_size.size() ? solution.x_size[i] : 1));
    std::size_t k = 0;
    for (std::size_t j = 0; j < simulated.time.size(); ++j) {
      double room = 1e-9 * (1e-3 + std::fabs(simulated.time[j]));
      while (k + 1 < solved.time.size() && solved.time[k] < simulated.time[j] - room) ++k;
      if (k >= solved.time.size() || std::fabs(solved.time[k] - simulated.time[j]) > room) continue;
      double deviation = std::fabs(simulated.x[i][j] - solved.x[i][k]) / size;
      if (deviation <= out.deviation && std::isfinite(deviation)) continue;
      out.deviation = deviation;
      out.state = model.x[i].name ? model.x[i].name : "";
      out.time = simulated.time[j];
    }
  }
}

// Bounds of controls say nothing about the simulation: the controls are given.
bool is_control(const bolza_problem& problem, const std::string& name) {
  for (std::size_t k = 0; k < problem.n_models; ++k)
    for (std::size_t i = 0; i < problem.models[k]->n_u; ++i)
      if (problem.models[k]->u[i].name && name == problem.models[k]->u[i].name) return true;
  return false;
}

// The solution's times, and those given that lie between two of them.
std::vector<double> output_times(const abi::PhaseSolution& solved, std::span<const double> look_at) {
  constexpr double apart = 1e-12;  // of the horizon
  std::vector<double> own, times;
  for (double time : solved.trajectories.time)
    if (own.empty() || time > own.back()) own.push_back(time);
  double least = apart * (solved.final_time - solved.start_time);
  auto next = look_at.begin();
  for (double time : own) {
    for (; next != look_at.end() && *next < time - least; ++next)
      if (!times.empty() && *next > times.back() + least) times.push_back(*next);
    times.push_back(time);
  }
  return times;
}

/// A part of a phase, between two of its times.
struct PieceOfPhase {
  double from = 0, to = 0;
  std::size_t first = 0;  ///< of the solution's times: the states to begin with
};

integrate::SimulateOptions options_of(const abi::Solution& solution, const abi::PhaseSolution& solved,
                                      const PieceOfPhase& part, double rtol) {
  const abi::Trajectories& t = solved.trajectories;
  integrate::SimulateOptions options;
  options.start = part.from;
  options.final = part.to;
  options.rtol = rtol;
  options.looks_ahead = true;
  options.budget = Budget(&interrupt_flag());
  options.looks = part.from == solved.start_time && part.to == solved.final_time ? looks : 0;
  options.parameters = solution.parameters;
  options.inputs = integrate::inputs_of(solved);
  for (double time : t.time)
    if (time >= part.from && time <= part.to && (options.output_times.empty() || time > options.output_times.back()))
      options.output_times.push_back(time);
  for (const auto& row : t.x) options.x.push_back(row[part.first]);
  for (const auto& row : t.z) options.z.push_back(row[part.first]);
  return options;
}

abi::PhaseSolution simulate_phase(const bolza_problem& problem, std::size_t number, const abi::Solution& solution,
                                  double rtol, std::span<const double> look_at, const integrate::Act& act,
                                  Resimulation& out) {
  const abi::PhaseSolution& solved = solution.phases[number];
  integrate::SimulateOptions options = options_of(solution, solved, {solved.start_time, solved.final_time}, rtol);
  options.act = act;
  options.output_times = output_times(solved, look_at);
  SizesAsNominals nominals(problem, number, solved);
  integrate::Simulation simulation = integrate::simulate(problem, number, options);
  abi::PhaseSolution phase = solved;
  phase.transcription = "simulation";
  phase.points = 0;
  phase.trajectories = std::move(simulation.trajectories);
  const std::vector<abi::Finding>& failed = simulation.report.warnings;
  out.assertions.insert(out.assertions.end(), failed.begin(), failed.end());
  if (!simulation.report.finished() && out.finished) {
    out.finished = false;
    out.message = simulation.report.message;
  }
  return phase;
}

/// Between the mesh points of a phase. The solution's times ascend, and at a jump its right value comes second.
std::vector<PieceOfPhase> pieces_of(const abi::PhaseSolution& solved) {
  const std::vector<double>& times = solved.trajectories.time;
  std::vector<PieceOfPhase> out;
  double length = solved.final_time - solved.start_time;
  for (std::size_t k = 0; k + 1 < solved.mesh.size(); ++k) {
    double from = solved.start_time + solved.mesh[k] * length, to = solved.start_time + solved.mesh[k + 1] * length;
    double room = 1e-9 * (to - from);
    auto at = std::upper_bound(times.begin(), times.end(), from + room);
    if (at == times.begin() || times.end() - at < 1 || std::fabs(*(at - 1) - from) > room) continue;
    auto end = std::lower_bound(times.begin(), times.end(), to - room);
    if (end == times.end() || std::fabs(*end - to) > room) continue;
    out.push_back({*(at - 1), *end, static_cast<std::size_t>(at - times.begin()) - 1});
  }
  return out;
}

/// Nothing where the model has memory: what a mesh interval begins with is not in the states alone.
double deviation_by_intervals(bolza_problem& problem, const abi::Solution& solution, double rtol) {
  Resimulation out;
  for (std::size_t p = 0; p < solution.phases.size(); ++p) {
    const bolza_model& model = *problem.models[problem.phases[p].model];
    const abi::PhaseSolution& solved = solution.phases[p];
    if (model.hybrid && !model.hybrid->is_literal) return std::nan("");
    SizesAsNominals nominals(problem, p, solved);
    std::vector<PieceOfPhase> pieces = pieces_of(solved);
    if (pieces.empty()) return std::nan("");
    for (const PieceOfPhase& piece_of : pieces) {
      integrate::Simulation piece = integrate::simulate(problem, p, options_of(solution, solved, piece_of, rtol));
      if (!piece.report.finished()) return INFINITY;
      compare(model, solved, piece.trajectories, out);
    }
  }
  return out.deviation;
}

}  // namespace

Resimulation resimulate(bolza_problem& problem, const abi::Solution& solution, double rtol,
                        const std::vector<std::vector<double>>& look_at, const integrate::Act& act) {
  auto began = Clock::now();
  Resimulation out;
  out.finished = true;
  out.simulated.parameters = solution.parameters;
  out.simulated.status = solution.status;
  if (problem.is_static) return out;
  for (std::size_t k = 0; k < problem.n_phases && k < solution.phases.size(); ++k) {
    if (solution.phases[k].trajectories.time.empty()) {
      out.finished = false;
      out.message = "the solution has no trajectories";
      return out;
    }
    std::span<const double> more = k < look_at.size() ? std::span<const double>(look_at[k]) : std::span<const double>();
    out.simulated.phases.push_back(simulate_phase(problem, k, solution, rtol, more, act, out));
    compare(*problem.models[problem.phases[k].model], solution.phases[k], out.simulated.phases.back().trajectories, out);
  }
  if (out.finished && !(out.deviation <= far)) out.local_deviation = deviation_by_intervals(problem, solution, rtol);
  if (interrupt_flag()) {
    out.finished = false;
    out.message = "it was interrupted";
  }
  out.seconds = seconds_since(began);
  if (!out.finished) return out;
  for (const abi::Finding& f : constraint_violation_with(problem, out.simulated, solution).findings) {
    if (f.amount <= out.violation || is_control(problem, f.name)) continue;
    out.violation = f.amount;
    out.constraint = f.name;
  }
  if (out.violation == 0) return out;
  for (const abi::Finding& f : constraint_violation_with(problem, out.simulated, solution, clear_part).findings)
    if (!is_control(problem, f.name)) {
      out.clear = f;
      return out;
    }
  return out;
}

void add_to_log(const Resimulation& r, abi::Solution& solution) {
  if (!r.finished) {
    bool began = !r.simulated.phases.empty() && !r.simulated.phases.back().trajectories.time.empty();
    solution.log.push_back({"re-simulation stopped at", began ? r.simulated.phases.back().trajectories.time.back() : 0});
    return;
  }
  solution.log.push_back({"state deviation of the re-simulation", r.deviation,
                          r.state.empty() ? "" : "of the size of `" + r.state + "` at t = " + shown(r.time, 3)});
  solution.log.push_back({violation_of_simulation, r.violation, r.constraint.empty() ? "" : "of `" + r.constraint + "`"});
}

}  // namespace bolza::transcribe
