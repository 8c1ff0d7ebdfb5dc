// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/mesh/refine.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "runtime/transcribe/checks/mesh_error.h"
#include "workflow/solve/mesh/refine_rounds.h"
#include "workflow/solve/outcome/size_of_objective.h"

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

/// Whether a finer mesh was not solved, or its solution is poorer by more than the error of the mesh before explains.
bool left_its_optimum(const RefineTask& task, const abi::Solution& before, const abi::Solution& finer, double error) {
  using enum abi::SolveStatus;
  if (finer.status == interrupted || finer.status == time_limit) return false;
  double loss = (task.problem.maximize ? -1 : 1) * (finer.objective - before.objective);
  return !abi::is_solution(finer.status) || loss > 2 * error + 1e-6 * std::abs(before.objective);
}

/// Meshes with the points of both.
std::vector<std::vector<double>> both(std::vector<std::vector<double>> a, const std::vector<std::vector<double>>& b) {
  constexpr double same = 1e-9;
  for (std::size_t p = 0; p < a.size(); ++p) {
    a[p].insert(a[p].end(), b[p].begin(), b[p].end());
    std::ranges::sort(a[p]);
    auto repeated = std::ranges::unique(a[p], [](double left, double right) { return right - left <= same; });
    a[p].erase(repeated.begin(), repeated.end());
    a[p].back() = 1;
  }
  return a;
}

/// The largest error and the intervals of a round, and what it took.
struct RoundError {
  double error;
  std::size_t intervals;
  int iterations;
};

/// Whether the error does not fall as it should for what rounds take: polynomials of controls that swing between the points
/// do that. Few more intervals in short rounds follow a jump, whose place moves.
bool is_stuck(std::vector<RoundError>& rounds, RoundError now) {
  constexpr double less = 0.6, more = 1.5, less_for_long_rounds = 0.3, many_times = 3;
  constexpr std::size_t span = 2, long_span = 4;
  constexpr int of_long_rounds = 60, of_a_quick_round = 20;  // iterations: of a span together, from a solution nearby
  rounds.push_back(now);
  auto before = [&](std::size_t count) { return rounds[rounds.size() - 1 - count]; };
  auto grew = [&](const RoundError& from, double times) {
    return static_cast<double>(now.intervals) > times * static_cast<double>(from.intervals);
  };
  auto are_long = [&](std::size_t count) {
    int iterations = 0;
    for (std::size_t k = 0; k < count; ++k) iterations += before(k).iterations;
    return iterations >= of_long_rounds;
  };
  if (grew(rounds.front(), many_times) && now.iterations >= of_a_quick_round) return true;
  if (rounds.size() <= span) return false;
  if (now.error > less * before(span).error && grew(before(span), more)) return true;
  if (now.error > less_for_long_rounds * before(span).error && are_long(span)) return true;
  return rounds.size() > long_span && now.error > less * before(long_span).error && are_long(long_span);
}

/// Solves the rounds of a refinement: with a barrier that does not lead away from the solution as long as that is quick,
/// else with one that fits the error, and once more with the former where that left the optimum.
class RoundSolver {
 public:
  RoundSolver(const RefineTask& task, int& iterations) : task_(task), iterations_(iterations) {}

  /// @param bound  of what the objective is off on the mesh before
  /// @param close  may be tried first
  abi::Solution solve(const std::vector<std::vector<double>>& mesh, const abi::Solution& from, double barrier, double bound,
                      bool close) {
    std::optional<abi::Solution> near;
    if (close && close_is_quick_) {
      near = close_by(mesh, from, few);
      close_is_quick_ = !left_its_optimum(task_, from, *near, bound);
      if (close_is_quick_) return *std::move(near);
    }
    abi::Solution finer = counted(solve_on(task_, mesh, barrier, from));
    if (!close || !left_its_optimum(task_, from, finer, bound)) return finer;
    bool was_cut = !near || near->status == abi::SolveStatus::iteration_limit;
    abi::Solution again = was_cut ? close_by(mesh, from, more) : *std::move(near);
    if (!abi::is_solution(again.status)) return finer;
    close_is_quick_ = !left_its_optimum(task_, from, again, bound);
    return again;
  }

 private:
  static constexpr int few = 30, more = 100;  ///< iterations: with so small a barrier it is quick, or leads nowhere

  abi::Solution close_by(const std::vector<std::vector<double>>& mesh, const abi::Solution& from, int most) {
    RefineTask close = task_;
    close.transcription.nlp.max_iterations = std::min(task_.transcription.nlp.max_iterations, most);
    return counted(solve_on(close, mesh, close_barrier, from));
  }
  abi::Solution counted(abi::Solution solution) {
    iterations_ += solution.statistics.iterations;
    return solution;
  }

  const RefineTask& task_;
  int& iterations_;
  bool close_is_quick_ = true;
};

bool is_finer(const std::vector<std::vector<double>>& meshes, const abi::Solution& solution) {
  for (std::size_t p = 0; p < meshes.size(); ++p)
    if (meshes[p].size() > solution.phases[p].mesh.size()) return true;
  return false;
}

}  // namespace

transcribe::TranscribeOptions on_meshes(const RefineTask& task, std::vector<std::vector<double>> meshes) {
  transcribe::TranscribeOptions options = task.transcription;
  options.mesh = 0;
  for (const std::vector<double>& mesh : meshes)
    options.mesh = std::max(options.mesh, static_cast<std::uint32_t>(mesh.size() - 1));
  options.phase_fractions = std::move(meshes);
  return options;
}

abi::Solution solve_on(const RefineTask& task, std::vector<std::vector<double>> meshes, double barrier,
                       const abi::Solution& from) {
  transcribe::TranscribeOptions round = on_meshes(task, std::move(meshes));
  round.nlp.warm_start = true;
  round.nlp.barrier = barrier;
  task.announce(round);
  return task.library.solve(task.problem, round, &from);
}

void note_end(const abi::Solution& finer, Refinement& r) {
  bool late = finer.status == abi::SolveStatus::time_limit;
  if (late || finer.status == abi::SolveStatus::interrupted) r.cut = Stopped{mesh_refinement, late};
}

void take_error(const transcribe::MeshError& error, const abi::Solution& solution, Refinement& r) {
  r.known = true;
  r.error = error.largest;
  r.name = error.name;
  r.time = error.time;
  r.objective_error = error.objective;
  r.objective_bound = error.objective_bound;
  r.control_slope = error.control_slope;
  r.slope_name = error.slope_name;
  r.slope_time = error.slope_time;
  r.intervals = intervals_of(solution);
}

Refinement refine(const RefineTask& task, abi::Solution& solution, int& iterations) {
  constexpr int most_for_objective = 6;  ///< rounds where the local error is small enough and that of the objective is not
  constexpr int most_for_time = 3;       ///< rounds for features of time alone: with a free horizon they move on the mesh
  constexpr double least_barrier_of_time = 1e-4;  ///< after such: no estimate knows what they do
  constexpr double of_start = 1e-4;  ///< parameters that make squares vanish are as exact as the root of what is left
  int for_objective = 0, for_time = 0;
  double work = 0;
  int of_round = 0;
  std::vector<RoundError> errors;
  RoundSolver solver(task, iterations);
  Refinement r;
  for (;;) {
    transcribe::MeshError error =
        timed(task.timing, "mesh error", [&] { return task.library.mesh_error(task.problem, solution); });
    if (!error.known) return {};
    const Budget& budget = task.transcription.nlp.budget;
    bool interrupted = budget.interrupted();
    if (interrupted && !std::isfinite(error.largest)) {
      r.known = false;
      r.cut = Stopped{mesh_refinement, budget.over()};
      return r;
    }
    take_error(error, solution, r);
    auto stop = [&](std::string why) {
      r.stopped = error.largest > task.tol ? std::move(why) : "";
      return r;
    };
    double share = 0;  // of an interval in the error of the objective
    double allowed = task.tol_objective * std::max(std::abs(solution.objective), of_start * size_of_objective(solution));
    if (task.tol_objective > 0 && error.objective_bound > allowed)
      share = std::max(allowed / static_cast<double>(r.intervals), small_share * largest(error.objective_of));
    TimeLacks lacks;
    if (task.times && task.max_rounds > 0 && for_time < most_for_time)
      lacks = task.times->lacks(solution, task.max_intervals - std::min(task.max_intervals, r.intervals),
                                error.largest > task.tol);
    bool for_features = lacks.any();
    for_time += for_features;
    if (!for_features && error.largest <= task.tol && (share == 0 || for_objective++ == most_for_objective)) return r;
    if (r.rounds == task.max_rounds) return stop("`max-refinements` is reached");
    if (budget.over()) {
      r.cut = Stopped{mesh_refinement, true};
      return stop("the time limit is reached");
    }
    if (interrupted) {
      r.cut = Stopped{mesh_refinement};
      return stop("it was interrupted");
    }
    if (task.max_work > 0 && work > task.max_work) return stop("it takes more work than the solve is worth by default");
    if (task.until_stuck && !for_features && is_stuck(errors, {error.largest, r.intervals, of_round}))
      return stop(error_does_not_fall);
    std::vector<std::vector<double>> mesh = task.library.refined_mesh(error, solution, task.tol, share, task.max_intervals);
    if (for_features) mesh = both(std::move(mesh), with_points(solution, lacks));
    if (!is_finer(mesh, solution))
      return stop(r.intervals >= task.max_intervals ? "`max-mesh` is reached"
                                                    : "the intervals are as short as rounding errors allow");
    double barrier = std::clamp(1e-2 * error.largest, for_features ? least_barrier_of_time : 1e-9, 1e-3);
    int before = iterations;
    abi::Solution finer = solver.solve(mesh, solution, barrier, error.objective_bound, !for_features);
    of_round = iterations - before;
    work += finer.statistics.iterations * static_cast<double>(intervals_of(finer));
    note_end(finer, r);
    if (!abi::is_solution(finer.status))
      return stop("the next mesh was not solved (" + std::string(abi::name_of(finer.status)) + ")");
    finer.statistics.first_objective = solution.statistics.first_objective;
    solution = std::move(finer);
    ++r.rounds;
  }
}

}  // namespace bolza::workflow
