// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/refine_stage.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/interrupt.h"
#include "base/numbers.h"
#include "runtime/transcribe/status.h"
#include "workflow/codes.h"
#include "workflow/solve/attempts/horizons.h"
#include "workflow/solve/mesh/refine.h"
#include "workflow/solve/mesh/refine_controls.h"
#include "workflow/solve/method/shooting_settings.h"
#include "workflow/solve/method/solver.h"
#include "workflow/solve/outcome/choices.h"

namespace bolza::workflow {
namespace {

constexpr double coarse_error = 0.2;        ///< local error on a stated mesh that is a warning: a fifth of a variable's size
constexpr int iterations_of_a_round = 200;  ///< of a refinement that nobody asked for
constexpr int creep_of_a_round = 60;        ///< iterations in which next to nothing changes
constexpr double work_of_default =
    100'000;  ///< iterations × intervals that such a refinement may take on top of ten times the first solve

bool refined_by_default(const driver::Options& options, bool in_whole_numbers) {
  return !in_whole_numbers && !options.has("mesh") && !is_shooting(options);
}

/// The mesh on which an engine of dense matrices has about as many variables as it solves for in a second.
std::size_t intervals_of_default(const SolverLibrary& library, const driver::Options& options, const abi::Solution& found,
                                 std::size_t most) {
  constexpr double variables = 1000;
  for (const TableRow& engine : library.engines())
    if (engine.name == options.text("nlp") && engine.dense && found.statistics.variables > 0)
      return std::min(most, static_cast<std::size_t>(variables * transcribe_options(options).mesh /
                                                     static_cast<double>(found.statistics.variables)));
  return most;
}

/// A reduced Hessian is dense, and each of its columns goes through all intervals.
std::size_t intervals_of_controls_by_default(const SolverLibrary& library, const driver::Options& options,
                                             const abi::Solution& found) {
  constexpr std::size_t of_single = 400, of_multiple = 1000;
  bool single = shooting_of(options) == Shooting::single;
  return intervals_of_default(library, options, found, single ? of_single : of_multiple);
}

/// The grids of controls are made finer by shooting that nobody told how fine they are to be.
bool controls_refined_by_default(const driver::Options& options, bool in_whole_numbers) {
  return !in_whole_numbers && !options.has("mesh") && !options.has("phase-mesh") && !options.has("control-grid");
}

/// Once there is a solution: its mesh gets the features of time that it lacks, and is solved again.
void add_features(StageRun& run, abi::Solution& found, StageOutcome& told) {
  constexpr int most_rounds = 2;
  constexpr std::size_t most_points = 300;
  for (int round = 0; round < most_rounds && !run.in_whole_numbers && !run.budget.over(); ++round) {
    TimeLacks lacks = run.times->lacks(found, most_points, run.mesh_is_asked());
    if (!lacks.any()) return;
    std::vector<std::vector<double>> before = std::exchange(run.features, with_points(found, lacks));
    abi::Solution finer = run.solve_once(run.transcription(), found);
    told.iterations += finer.statistics.iterations;
    if (!abi::is_solution(finer.status)) return void(run.features = std::move(before));
    found = std::move(finer);
  }
}

/// The same for shooting: its mesh is what the controls have their values on.
Refinement refine_shooting(StageRun& run, abi::Solution& found, StageOutcome& told) {
  const driver::Options& options = run.options;
  bool wanted = options.has("refine"), by_default = controls_refined_by_default(options, run.in_whole_numbers);
  if (wanted || by_default) add_features(run, found, told);
  ControlTask task{
      run.model.abi(), run.library, run.transcription(), run.shooting(),
      [&](const transcribe::TranscribeOptions& round, const abi::Solution& from) { return run.solve_once(round, from); }};
  if (wanted || options.has("max-refinements")) task.max_rounds = options.integer("max-refinements");
  if (wanted || options.has("max-mesh")) task.max_intervals = static_cast<std::size_t>(options.integer("max-mesh"));
  if (wanted) task.tol = options.number("refine");
  if (!wanted) {
    task.max_intervals = std::min(task.max_intervals, intervals_of_controls_by_default(run.library, options, found));
    task.max_work = work_of_default + 10.0 * told.iterations * transcribe_options(options).mesh;
    task.transcription.nlp.max_iterations = std::min(task.transcription.nlp.max_iterations, iterations_of_a_round);
    if (!by_default) task.max_rounds = 0;
  }
  Refinement r = run.in_whole_numbers ? Refinement() : refine_controls(task, found, told.iterations);
  if (!wanted) r.stopped.clear();  // its error says it
  if (wanted || r.rounds > 0) told.refinement = r;
  return r;
}

/// What a solution by Pontryagin's conditions is worth as one of collocation, whose points it is given at.
Result<Done> estimate_by_collocation(StageRun& run, abi::Solution& found, SolveOutcome& outcome) {
  RefineTask task{run.model.abi(), run.library, run.transcription(), [](const transcribe::TranscribeOptions&) {}};
  task.max_rounds = 0;
  task.timing = run.request.timing;
  int iterations = 0;
  outcome.accuracy = refine(task, found, iterations);
  outcome.accuracy.stopped.clear();
  return Done{};
}

}  // namespace

Result<Done> refine_stage(StageRun& run, bool last, abi::Solution& found, StageOutcome& told, SolveOutcome& outcome) {
  const driver::Options& options = run.options;
  bool wanted = options.has("refine");
  if (!wanted && (!last || !run.effort.refine)) return Done{};
  if (is_indirect(options)) return estimate_by_collocation(run, found, outcome);
  Writing in_hand;  // estimates of large meshes are long, and there is a solution to lose
  if (is_shooting(options)) {
    Refinement& r = outcome.accuracy = refine_shooting(run, found, told);
    bool has_grids = r.intervals > 0;
    if (wanted && !(r.known && has_grids) && !r.cut)
      return run.model.diagnostics.error(cannot_combine, {}, {refine_needs_controls});
    if (!r.stopped.empty())
      run.model.diagnostics.warning(
          refinement_stopped, {},
          {shown(options.number("refine"), 3), r.stopped, shown(r.error, 3), r.name, shown(r.time, 3)});
    r.objective_error += found.statistics.gap + run.transcription().nlp.tol * std::abs(found.objective);
    if (r.cut && !outcome.stopped) outcome.stopped = r.cut;
    if (told.refinement && has_grids) outcome.method += ", refined to " + std::to_string(r.intervals) + " intervals";
    return Done{};
  }
  RefineTask task{run.model.abi(), run.library, run.transcription(),
                  [&](const transcribe::TranscribeOptions& round) { run.announce_refinement(round); }};
  task.timing = run.request.timing;
  task.times = run.in_whole_numbers ? nullptr : run.times;
  if (wanted || options.has("max-refinements")) task.max_rounds = options.integer("max-refinements");
  if (wanted || options.has("max-mesh")) task.max_intervals = static_cast<std::size_t>(options.integer("max-mesh"));
  if (wanted) {
    task.tol = options.number("refine");
    outcome.accuracy = refine(task, found, told.iterations);
    const Refinement& r = outcome.accuracy;
    if (!r.known && !r.cut) return run.model.diagnostics.error(cannot_combine, {}, {refine_needs_a_mesh});
    if (!r.stopped.empty())
      run.model.diagnostics.warning(refinement_stopped, {},
                                    {shown(task.tol, 3), r.stopped, shown(r.error, 3), r.name, shown(r.time, 3)});
    told.refinement = r;
  } else if (refined_by_default(options, run.in_whole_numbers)) {
    if (!options.has("max-mesh")) task.max_intervals = intervals_of_default(run.library, options, found, task.max_intervals);
    task.max_work = work_of_default + 10.0 * told.iterations * transcribe_options(options).mesh;
    task.tol_objective = default_accuracy;
    task.transcription.nlp.max_iterations = std::min(task.transcription.nlp.max_iterations, iterations_of_a_round);
    task.transcription.nlp.creep = creep_of_a_round;
    outcome.accuracy = refine_by_default(task, found, told.iterations);
    if (outcome.accuracy.rounds > 0) told.refinement = outcome.accuracy;
    if (outcome.accuracy.cut && outcome.accuracy.error <= coarse_error) outcome.accuracy.stopped.clear();
  } else {
    task.max_rounds = 0;
    outcome.accuracy = refine(task, found, told.iterations);
    bool polynomials = transcribe_options(options).points > 0 && !run.in_whole_numbers;  // else rough by its nature
    if (!polynomials || outcome.accuracy.error <= coarse_error) outcome.accuracy.stopped.clear();
  }
  outcome.accuracy.objective_error += found.statistics.gap + run.transcription().nlp.tol * std::abs(found.objective);
  const Refinement& r = outcome.accuracy;
  if (r.cut && !outcome.stopped) outcome.stopped = r.cut;
  if (told.refinement) outcome.method += ", refined to " + std::to_string(r.intervals) + " intervals";
  if (r.control_constant) outcome.method += ", one control value per interval";
  bool no_time =
      run.model.abi().n_phases == 1 && shrunk_horizon(run.model.abi(), found, no_horizon);  // a warning of its own
  if (!wanted && !r.stopped.empty() && !no_time)
    outcome.warnings.push_back(
        {WarningKind::coarse_mesh,
         "the mesh is coarse: the error of `" + r.name + "` at t = " + shown(r.time, 3) + " is " + shown(r.error, 2) +
             " of its size",
         std::string("`--refine 1e-4` goes on to 10,000 intervals, `--control constant` damps controls that oscillate") +
             (options.has("mesh") ? ", without `--mesh` the intervals are chosen" : ""),
         r.name, r.time});
  return Done{};
}

}  // namespace bolza::workflow
