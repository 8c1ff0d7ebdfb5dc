// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/mesh/refine_controls.h"

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "runtime/transcribe/shooting/control_error.h"
#include "workflow/solve/mesh/refine_rounds.h"

namespace bolza::workflow {
namespace {

using Grids = std::vector<std::vector<std::vector<double>>>;

std::size_t intervals_of_controls(const abi::Solution& solution) {
  std::size_t most = 0;
  for (const abi::PhaseSolution& phase : solution.phases)
    for (const std::vector<double>& grid : phase.control_grid) most = std::max(most, grid.size() - 1);
  return most;
}

bool are_full(const abi::Solution& solution, std::size_t most) {
  return std::ranges::any_of(solution.phases, [&](const abi::PhaseSolution& phase) {
    std::size_t n = 0;
    for (const std::vector<double>& grid : phase.control_grid) n += grid.size() - 1;
    return n >= most;
  });
}

std::size_t points_of(const Grids& grids) {
  std::size_t n = 0;
  for (const auto& phase : grids)
    for (const std::vector<double>& grid : phase) n += grid.size();
  return n;
}

Grids grids_of(const abi::Solution& solution) {
  Grids grids;
  for (const abi::PhaseSolution& phase : solution.phases) grids.push_back(phase.control_grid);
  return grids;
}

void take_error(const transcribe::ControlError& error, const abi::Solution& solution, Refinement& r) {
  double size = std::max(std::abs(solution.objective), error.least / default_accuracy);
  r.known = r.of_controls = true;
  r.error = size > 0 ? error.objective_bound / size : 0;
  r.name = error.name;
  r.time = error.time;
  r.objective_error = error.objective;
  r.objective_bound = error.objective_bound;
  r.control_slope = std::nan("");
  r.intervals = intervals_of_controls(solution);
}

/// One round on other grids, on the mesh that was asked for.
abi::Solution solve_on_grids(const ControlTask& task, const Grids& grids, const abi::Solution& from) {
  transcribe::TranscribeOptions round = task.library.on_control_grids(task.problem, task.transcription, from, grids);
  round.nlp.warm_start = true;  // with the multipliers, where the method takes them over
  round.mesh = task.transcription.mesh;
  round.phase_fractions = task.transcription.phase_fractions;
  return task.solve(round, from);
}

/// Whether a solution on finer grids is poorer by more than the error before explains.
bool is_poorer(const ControlTask& task, const abi::Solution& before, const abi::Solution& finer, double error) {
  double loss = (task.problem.maximize ? -1 : 1) * (finer.objective - before.objective);
  return loss > 10 * error + 1e-6 * std::abs(before.objective);
}

}  // namespace

Refinement refine_controls(const ControlTask& task, abi::Solution& solution, int& iterations) {
  double work = 0;
  Refinement r;
  const Budget& budget = task.transcription.nlp.budget;
  for (;;) {
    transcribe::ControlError error;
    if (!budget.interrupted()) error = task.library.control_error(task.problem, task.transcription, task.shooting, solution);
    if (!error.known && budget.interrupted()) r.cut = Stopped{mesh_refinement, budget.over()};
    if (!error.known) {
      r.stopped = r.known ? "the error of the last grids is not known" : "";
      return r;
    }
    take_error(error, solution, r);
    double allowed = task.tol * std::max(std::abs(solution.objective), error.least / default_accuracy);
    double of_grids = error.objective_bound - error.integration;
    if (of_grids <= allowed) return r;
    auto stop = [&](std::string why) {
      r.stopped = std::move(why);
      return r;
    };
    if (r.rounds == task.max_rounds) return stop("`max-refinements` is reached");
    if (budget.over()) {
      r.cut = Stopped{mesh_refinement, true};
      return stop("the time limit is reached");
    }
    if (budget.interrupted()) {
      r.cut = Stopped{mesh_refinement};
      return stop("it was interrupted");
    }
    if (task.max_work > 0 && work > task.max_work) return stop("it takes more work than the solve is worth by default");
    Grids grids = task.library.refined_controls(error, solution, allowed, task.max_intervals);
    if (points_of(grids) == points_of(grids_of(solution)))
      return stop(are_full(solution, task.max_intervals) ? "`max-mesh` is reached"
                                                         : "the intervals are as short as rounding errors allow");
    abi::Solution finer = solve_on_grids(task, grids, solution);
    iterations += finer.statistics.iterations;
    work += finer.statistics.iterations * static_cast<double>(intervals_of_controls(finer));
    note_end(finer, r);
    if (!abi::is_solution(finer.status))
      return stop("the next grids were not solved (" + std::string(abi::name_of(finer.status)) + ")");
    if (is_poorer(task, solution, finer, error.objective_bound)) return stop("finer grids led to a poorer optimum");
    solution = std::move(finer);
    ++r.rounds;
  }
}

}  // namespace bolza::workflow
