// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "runtime/transcribe/checks/mesh_error.h"
#include "runtime/transcribe/checks/minimum_principle.h"
#include "runtime/transcribe/mesh_choice.h"
#include "workflow/solve/attempts/least_hamiltonian.h"
#include "workflow/solve/mesh/refine_rounds.h"

namespace bolza::workflow {
namespace {

/// What better controls would gain, to first order.
double gain_of(const RefineTask& task, const abi::Solution& solution) {
  std::optional<transcribe::BetterControls> better =
      timed(task.timing, "least Hamiltonian", [&] { return task.library.better_controls(task.problem, solution); });
  return better ? better->gain : 0;
}

std::vector<std::vector<double>> meshes_of(const abi::Solution& solution) {
  std::vector<std::vector<double>> meshes;
  for (const abi::PhaseSolution& phase : solution.phases) meshes.push_back(phase.mesh);
  return meshes;
}

std::vector<std::vector<double>> halved(const abi::Solution& solution) {
  std::vector<std::vector<double>> out;
  for (const abi::PhaseSolution& phase : solution.phases) {
    std::vector<double>& half = out.emplace_back();
    const std::vector<double>& mesh = phase.mesh;
    for (std::size_t k = 0; k + 1 < mesh.size(); ++k) half.insert(half.end(), {mesh[k], 0.5 * (mesh[k] + mesh[k + 1])});
    half.push_back(mesh.back());
  }
  return out;
}

/// One control value per interval costs something that no local error shows: how much, the mesh with all intervals halved
/// tells. Its solution is taken, and halved again where the objective is not known well enough.
void halve(const RefineTask& task, abi::Solution& solution, Refinement& r, int& iterations) {
  constexpr int most_rounds = 3;
  constexpr double barrier = 1e-6;
  for (int round = 0; !r.cut && round < most_rounds && 2 * r.intervals <= task.max_intervals; ++round) {
    if (task.transcription.nlp.budget.over()) return;
    abi::Solution finer = solve_on(task, halved(solution), barrier, solution);
    iterations += finer.statistics.iterations;
    note_end(finer, r);
    transcribe::MeshError error;
    if (abi::is_solution(finer.status))
      error = timed(task.timing, "mesh error", [&] { return task.library.mesh_error(task.problem, finer); });
    if (!error.known) return;
    double gain = std::abs(finer.objective - solution.objective);
    if (error.largest > std::max(task.tol, r.error)) {  // half of what is lost is had by halves
      r.objective_error += 2 * gain;
      r.objective_bound += 2 * gain;
      return;
    }
    solution = std::move(finer);
    ++r.rounds;
    take_error(error, solution, r);
    r.objective_error += gain;
    r.objective_bound += gain;
    if (gain <= task.tol_objective * std::abs(solution.objective)) return;
  }
}

/// The rest of the rounds of a refinement.
void go_on(const RefineTask& task, abi::Solution& solution, Refinement& r, int& iterations) {
  RefineTask rest = task;
  rest.max_rounds = task.max_rounds - r.rounds;
  int rounds = r.rounds;
  r = refine(rest, solution, iterations);
  r.rounds += rounds;
}

/// The refined mesh once more from the controls that make the Hamiltonian least, and a refinement from there: finer
/// intervals may each end in another minimum.
void move_to_least_hamiltonian(const RefineTask& task, abi::Solution& solution, Refinement& r, int& iterations) {
  auto solve = [&](const transcribe::TranscribeOptions& options, const abi::Solution& guess) {
    abi::Solution found = task.library.solve(task.problem, options, &guess);
    iterations += found.statistics.iterations;
    note_end(found, r);
    return found;
  };
  transcribe::TranscribeOptions same = on_meshes(task, meshes_of(solution));
  if (!take_least_hamiltonian(task.problem, task.library, same, solve, solution).better) return;
  go_on(task, solution, r, iterations);
}

/// Whether a phase has one control value per interval where that was not asked for.
bool is_constant(const RefineTask& task, const abi::Solution& solution) {
  for (std::size_t p = 0; p < solution.phases.size(); ++p)
    if (solution.phases[p].control_constant &&
        !transcribe::control_is_constant(task.transcription, task.problem.phases[p].name))
      return true;
  return false;
}

/// Of a solution with one control value per interval where that was not asked for.
Refinement refine_constant(const RefineTask& task, abi::Solution& solution, int& iterations) {
  RefineTask constant = task;
  constant.transcription.control_constant = true;
  Refinement r = refine(constant, solution, iterations);
  if (r.known) halve(constant, solution, r, iterations);
  r.control_constant = true;
  return r;
}

transcribe::TranscribeOptions with_at_most(transcribe::TranscribeOptions options, int iterations) {
  options.nlp.max_iterations = std::min(options.nlp.max_iterations, iterations);
  return options;
}

/// The first mesh again with one control value per interval, from `before` or else from a simulation with its sizes.
abi::Solution solve_with_constant_controls(const RefineTask& constant, const abi::Solution& before, int& iterations) {
  constexpr int from_solution = 100, from_simulation = 200;  // iterations: it is quick, or leads nowhere
  constant.announce(constant.transcription);
  abi::Solution found =
      constant.library.solve(constant.problem, with_at_most(constant.transcription, from_solution), &before);
  iterations += found.statistics.iterations;
  if (abi::is_solution(found.status) || found.status == abi::SolveStatus::interrupted) return found;
  constexpr double seconds = 10, middle = 0.5;
  abi::Solution simulated = constant.library.simulated_guess(
      constant.problem, constant.transcription.nlp.budget.part(seconds), nullptr, &before, middle);
  if (simulated.phases.empty()) return found;
  found = constant.library.solve(constant.problem, with_at_most(constant.transcription, from_simulation), &simulated);
  iterations += found.statistics.iterations;
  return found;
}

/// One control value per interval where a refinement ended inaccurate, if that is accurate and no poorer.
/// @param before  the solution of the first mesh
/// @param of_use  of the error that is left: so much less is worth one value per interval
void try_constant_controls(const RefineTask& task, const abi::Solution& before, abi::Solution& solution, Refinement& r,
                           int& iterations, double of_use) {
  RefineTask constant = task;
  constant.transcription.control_constant = true;
  constant.until_stuck = task.max_work > 0;
  abi::Solution other = solve_with_constant_controls(constant, before, iterations);
  note_end(other, r);
  if (!abi::is_solution(other.status)) return;
  Refinement of_other = refine(constant, other, iterations);
  if (of_other.cut) return void(r.cut = of_other.cut);
  bool accurate = of_other.known && (of_other.error <= task.tol || of_other.error < of_use * r.error);
  if (!accurate || of_other.objective_bound > r.objective_bound) return;
  if (gain_of(task, other) > gain_of(task, solution) + r.objective_bound) return;  // it left for a poorer optimum
  solution = std::move(other);
  r = of_other;
  halve(constant, solution, r, iterations);
  r.control_constant = true;
}

bool is_stuck(const Refinement& r) { return r.stopped == error_does_not_fall; }

}  // namespace

Refinement refine_by_default(const RefineTask& task, abi::Solution& solution, int& iterations) {
  if (!task.transcription.control_constant && is_constant(task, solution))
    return refine_constant(task, solution, iterations);
  RefineTask as_it_is = task;
  as_it_is.max_rounds = 0;
  Refinement first = refine(as_it_is, solution, iterations);
  if (!first.known) return first;
  abi::Solution before = solution;
  bool wanders = !task.transcription.control_constant && task.max_work > 0;  // what polynomials do that swing
  RefineTask patient = task;
  patient.until_stuck = wanders;
  Refinement r = refine(patient, solution, iterations);
  bool tried = wanders && is_stuck(r);
  if (tried) {
    try_constant_controls(task, before, solution, r, iterations, 0);
    if (!r.control_constant && !r.cut) go_on(patient, solution, r, iterations);
  }
  if (r.control_constant) return r;
  if (r.rounds > 0 && !r.cut) move_to_least_hamiltonian(task, solution, r, iterations);
  if (r.cut) return r;
  constexpr double of_use = 0.1;
  bool vague = r.objective_bound > 10 * task.tol_objective * std::abs(solution.objective);
  if (first.error > task.tol && (!r.stopped.empty() || vague) && !task.transcription.control_constant && !tried)
    try_constant_controls(task, before, solution, r, iterations, of_use);
  return r;
}

}  // namespace bolza::workflow
