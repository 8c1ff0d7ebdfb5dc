#include "workflow/refine.h"

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "workflow/least_hamiltonian.h"

namespace bolza::workflow {
namespace {

std::size_t intervals_of(const abi::Solution& solution) {
  std::size_t most = 0;
  for (const abi::PhaseSolution& phase : solution.phases)
    most = std::max(most, phase.mesh.empty() ? 0 : phase.mesh.size() - 1);
  return most;
}

constexpr double close_barrier = 1e-9;  ///< does not lead away from a solution
constexpr double small_share = 0.02;    ///< of the largest share: intervals that add less are not cut for the objective

double largest(const std::vector<std::vector<double>>& rows) {
  double most = 0;
  for (const std::vector<double>& row : rows)
    for (double value : row) most = std::max(most, value);
  return most;
}

std::vector<std::vector<double>> meshes_of(const abi::Solution& solution) {
  std::vector<std::vector<double>> meshes;
  for (const abi::PhaseSolution& phase : solution.phases) meshes.push_back(phase.mesh);
  return meshes;
}

transcribe::TranscribeOptions on_meshes(const RefineTask& task, std::vector<std::vector<double>> meshes) {
  transcribe::TranscribeOptions options = task.transcription;
  options.mesh = 0;
  for (const std::vector<double>& mesh : meshes)
    options.mesh = std::max(options.mesh, static_cast<std::uint32_t>(mesh.size() - 1));
  options.phase_fractions = std::move(meshes);
  return options;
}

/// On another mesh, from a solution with its multipliers.
/// @param seconds  at most; 0: no limit
abi::Solution solve_on(const RefineTask& task, std::vector<std::vector<double>> meshes, double barrier, double seconds,
                       const abi::Solution& from) {
  transcribe::TranscribeOptions round = on_meshes(task, std::move(meshes));
  round.nlp.warm_start = true;
  round.nlp.barrier = barrier;
  if (task.max_seconds > 0) {
    double left = std::max(1e-3, seconds);
    round.nlp.max_seconds = round.nlp.max_seconds > 0 ? std::min(round.nlp.max_seconds, left) : left;
  }
  task.announce(round);
  return task.library.solve(task.problem, round, &from);
}

/// Whether a finer mesh was not solved, or its solution is poorer by more than the error of the mesh before explains.
bool left_its_optimum(const RefineTask& task, const abi::Solution& before, const abi::Solution& finer, double error) {
  using enum abi::SolveStatus;
  if (finer.status == interrupted || finer.status == time_limit) return false;
  double loss = (task.problem.maximize ? -1 : 1) * (finer.objective - before.objective);
  return !abi::is_solution(finer.status) || loss > 2 * error + 1e-6 * std::abs(before.objective);
}

/// What is kept of an interrupted refinement is the last mesh, and says that it was interrupted.
void keep_interrupt(const abi::Solution& finer, abi::Solution& kept) {
  if (finer.status == abi::SolveStatus::interrupted) kept.status = finer.status;
}

void take(const transcribe::MeshError& error, const abi::Solution& solution, Refinement& r) {
  r.known = true;
  r.error = error.largest, r.name = error.name, r.time = error.time, r.objective_error = error.objective;
  r.objective_bound = error.objective_bound;
  r.intervals = intervals_of(solution);
}

/// What better controls would gain, to first order.
double gain_of(const RefineTask& task, const abi::Solution& solution) {
  std::optional<transcribe::BetterControls> better = task.library.better_controls(task.problem, solution);
  return better ? better->gain : 0;
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

bool is_finer(const std::vector<std::vector<double>>& meshes, const abi::Solution& solution) {
  for (std::size_t p = 0; p < meshes.size(); ++p)
    if (meshes[p].size() > solution.phases[p].mesh.size()) return true;
  return false;
}

/// One control value per interval costs something that no local error shows: how much, the mesh with all intervals halved
/// tells. Its solution is taken, and halved again where the objective is not known well enough.
void halve(const RefineTask& task, abi::Solution& solution, Refinement& r, int& iterations) {
  constexpr int most_rounds = 3;
  constexpr double barrier = 1e-6;
  auto began = Clock::now();
  for (int round = 0; round < most_rounds && 2 * r.intervals <= task.max_intervals; ++round) {
    double left = task.max_seconds > 0 ? task.max_seconds - seconds_since(began) : 0;
    if (task.max_seconds > 0 && left <= 0) return;
    abi::Solution finer = solve_on(task, halved(solution), barrier, left, solution);
    iterations += finer.statistics.iterations;
    keep_interrupt(finer, solution);
    transcribe::MeshError error;
    if (abi::is_solution(finer.status)) error = task.library.mesh_error(task.problem, finer);
    if (!error.known || error.largest > std::max(task.tol, r.error)) return;
    double gain = std::abs(finer.objective - solution.objective);
    solution = std::move(finer), ++r.rounds;
    take(error, solution, r);
    r.objective_error += gain, r.objective_bound += gain;
    if (gain <= task.tol_objective * std::abs(solution.objective)) return;
  }
}

}  // namespace

Refinement refine(const RefineTask& task, abi::Solution& solution, int& iterations) {
  auto began = Clock::now();
  constexpr int most_for_objective = 6;  ///< rounds where the local error is small enough and that of the objective is not
  int for_objective = 0;
  double work = 0;
  Refinement r;
  for (;;) {
    transcribe::MeshError error = task.library.mesh_error(task.problem, solution);
    if (!error.known) return {};
    take(error, solution, r);
    auto stop = [&](std::string why) { return r.stopped = error.largest > task.tol ? std::move(why) : "", r; };
    double share = 0;  // of an interval in the error of the objective
    double allowed = task.tol_objective * std::abs(solution.objective);
    if (task.tol_objective > 0 && error.objective_bound > allowed)
      share = std::max(allowed / static_cast<double>(r.intervals), small_share * largest(error.objective_of));
    if (error.largest <= task.tol && (share == 0 || for_objective++ == most_for_objective)) return r;
    if (r.rounds == task.max_rounds) return stop("`max-refinements` is reached");
    if (task.max_work > 0 && work > task.max_work) return stop("it takes more work than the solve is worth by default");
    if (task.max_seconds > 0 && seconds_since(began) > task.max_seconds) return stop("the time limit is reached");
    std::vector<std::vector<double>> mesh = task.library.refined_mesh(error, solution, task.tol, share, task.max_intervals);
    if (!is_finer(mesh, solution))
      return stop(r.intervals >= task.max_intervals ? "`max-mesh` is reached"
                                                    : "the intervals are as short as rounding errors allow");
    double left = task.max_seconds > 0 ? task.max_seconds - seconds_since(began) : 0;
    abi::Solution finer = solve_on(task, mesh, std::clamp(1e-2 * error.largest, 1e-9, 1e-3), left, solution);
    iterations += finer.statistics.iterations;
    if (left_its_optimum(task, solution, finer, error.objective_bound)) {
      left = task.max_seconds > 0 ? task.max_seconds - seconds_since(began) : 0;
      abi::Solution again = solve_on(task, std::move(mesh), close_barrier, left, solution);
      iterations += again.statistics.iterations;
      if (abi::is_solution(again.status)) finer = std::move(again);
    }
    work += finer.statistics.iterations * static_cast<double>(intervals_of(finer));
    keep_interrupt(finer, solution);
    if (!abi::is_solution(finer.status))
      return stop("the next mesh was not solved (" + std::string(abi::name_of(finer.status)) + ")");
    solution = std::move(finer), ++r.rounds;
  }
}

namespace {

/// The refined mesh once more from the controls that make the Hamiltonian least, and a refinement from there: finer
/// intervals may each end in another minimum.
void move_to_least_hamiltonian(const RefineTask& task, abi::Solution& solution, Refinement& r, int& iterations) {
  auto began = Clock::now();
  auto left = [&] { return task.max_seconds > 0 ? std::max(1e-3, task.max_seconds - seconds_since(began)) : 0; };
  auto solve = [&](transcribe::TranscribeOptions options, const abi::Solution& guess) {
    if (task.max_seconds > 0) options.nlp.max_seconds = left();
    abi::Solution found = task.library.solve(task.problem, options, &guess);
    iterations += found.statistics.iterations;
    keep_interrupt(found, solution);
    return found;
  };
  transcribe::TranscribeOptions same = on_meshes(task, meshes_of(solution));
  if (!take_least_hamiltonian(task.problem, task.library, same, solve, solution).better) return;
  RefineTask rest = task;
  rest.max_seconds = left(), rest.max_rounds = task.max_rounds - r.rounds;
  int rounds = r.rounds;
  r = refine(rest, solution, iterations);
  r.rounds += rounds;
}

bool is_constant(const abi::Solution& solution) {
  return std::any_of(solution.phases.begin(), solution.phases.end(),
                     [](const abi::PhaseSolution& p) { return p.control_constant; });
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

}  // namespace

Refinement refine_by_default(const RefineTask& task, abi::Solution& solution, int& iterations) {
  constexpr double of_use = 0.1;  // of the error that is left: so much less is worth one value per interval
  if (!task.transcription.control_constant && is_constant(solution)) return refine_constant(task, solution, iterations);
  RefineTask as_it_is = task;
  as_it_is.max_rounds = 0;
  Refinement first = refine(as_it_is, solution, iterations);
  if (!first.known) return first;
  abi::Solution before = solution;
  Refinement r = refine(task, solution, iterations);
  if (r.rounds > 0) move_to_least_hamiltonian(task, solution, r, iterations);
  if (!abi::is_solution(solution.status)) return r;
  if (first.error <= task.tol || r.stopped.empty() || task.transcription.control_constant) return r;
  RefineTask constant = task;
  constant.transcription.control_constant = true;
  constant.announce(constant.transcription);
  abi::Solution other = task.library.solve(task.problem, constant.transcription, &before);
  iterations += other.statistics.iterations;
  if (!abi::is_solution(other.status) && other.status != abi::SolveStatus::interrupted) {
    constexpr double seconds = 10, middle = 0.5;
    abi::Solution simulated = task.library.simulated_guess(task.problem, seconds, nullptr, &before, middle);
    if (!simulated.phases.empty()) {
      other = task.library.solve(task.problem, constant.transcription, &simulated);
      iterations += other.statistics.iterations;
    }
  }
  keep_interrupt(other, solution);
  if (!abi::is_solution(other.status)) return r;
  Refinement of_other = refine(constant, other, iterations);
  keep_interrupt(other, solution);
  bool accurate = of_other.known && (of_other.error <= task.tol || of_other.error < of_use * r.error);
  if (!accurate || of_other.objective_bound > r.objective_bound) return r;
  if (gain_of(task, other) > gain_of(task, solution) + r.objective_bound) return r;  // it left for a poorer optimum
  solution = std::move(other);
  halve(constant, solution, of_other, iterations);
  of_other.control_constant = true;
  return of_other;
}

}  // namespace bolza::workflow
