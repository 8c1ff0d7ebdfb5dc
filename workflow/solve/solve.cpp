// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/solve.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/clock.h"
#include "base/flush_denormals.h"
#include "base/interrupt.h"
#include "base/numbers.h"
#include "compiler/codegen/compile.h"
#include "runtime/nlp/engine_library.h"
#include "runtime/transcribe/status.h"
#include "workflow/codes.h"
#include "workflow/install_paths.h"
#include "workflow/nonfinite.h"
#include "workflow/scenarios.h"
#include "workflow/sensitivity/optimum_sensitivity.h"
#include "workflow/simulate_failure.h"
#include "workflow/solve/attempts/free_starts.h"
#include "workflow/solve/attempts/guess_from_file.h"
#include "workflow/solve/attempts/hand_over.h"
#include "workflow/solve/attempts/horizons.h"
#include "workflow/solve/attempts/retries.h"
#include "workflow/solve/attempts/timed_guess.h"
#include "workflow/solve/checks/check_solution.h"
#include "workflow/solve/checks/conflict.h"
#include "workflow/solve/indirect/indirect.h"
#include "workflow/solve/mesh/refine.h"
#include "workflow/solve/mesh/refine_controls.h"
#include "workflow/solve/mesh/time_mesh.h"
#include "workflow/solve/method/combinations.h"
#include "workflow/solve/method/integers.h"
#include "workflow/solve/method/shooting_settings.h"
#include "workflow/solve/method/solver.h"
#include "workflow/solve/nonsmooth/smoothing.h"
#include "workflow/solve/nonsmooth/ways.h"
#include "workflow/solve/outcome/piece_names.h"
#include "workflow/solve/report/report.h"
#include "workflow/solve/stages.h"
#include "workflow/solve/time_checks.h"
#include "workflow/written.h"

namespace bolza::workflow {
namespace {

/// Passes the engine's progress on with the stage's name.
struct ProgressRelay {
  const SolveRequest* request;
  std::string stage;
};

void relay(void* context, const nlp::EngineProgress& p) {
  const auto& to = *static_cast<ProgressRelay*>(context);
  to.request->progress({to.stage, p.iteration, p.objective, p.infeasibility, p.seconds});
}

/// Whether multipliers of one have a meaning for the other.
bool same_method(const abi::Solution& guess, const transcribe::TranscribeOptions& t) {
  return std::all_of(guess.phases.begin(), guess.phases.end(), [&](const abi::PhaseSolution& phase) {
    return phase.transcription == t.transcription && (t.points == 0 || phase.points == t.points) && phase.mesh.size() > 2;
  });
}

constexpr double barrier_near_an_optimum = 1e-9;  ///< of a problem that was solved before, or of its neighbour

/// A stage's method with what it has to tell while it runs.
struct StageRun {
  Model& model;
  const SolverLibrary& library;
  const driver::Options& options;
  const SolveRequest& request;
  Budget budget;
  bool in_whole_numbers = false;  ///< some variables take no others, and are not relaxed
  Effort effort = {};
  const abi::Solution* failed = nullptr;  ///< see RetryTask
  ProgressRelay progress{&request, ""};
  const abi::Solution* file = nullptr;  ///< the guess of `--init-from`, for the first stage
  std::optional<HandOver> handed = {};  ///< by the stage before
  integrate::MethodOptions integrator = {};
  TimeMesh* times = nullptr;                       ///< features of time
  std::vector<std::vector<double>> features = {};  ///< meshes of phases that have them; none: as the options say
  std::unique_ptr<Model> written = nullptr;        ///< what shooting integrates where the stage's form is not `explicit`

  /// Reads what the stage needs besides the model.
  Result<Done> prepare() {
    auto read = integrator_options(options, library, model.diagnostics);
    if (!read) return model.diagnostics.already_reported();
    integrator = *std::move(read);
    if (times && !in_whole_numbers) features = times->before(library, transcribe_options(options));
    if (options.text("transcription") != "single-shooting" || options.text("form") == "explicit" || model.is_implicit)
      return Done{};
    auto other = with_form(model, options.text("form"));
    if (!other) return model.diagnostics.already_reported();
    written = *std::move(other);
    return Done{};
  }

  bool mesh_is_asked() const { return options.has("mesh") || options.has("phase-mesh"); }

  /// Second derivatives cost an integration for each state of an interval, and a block as large as all of them: single
  /// shooting learns them from gradients where nobody asks for exact ones and states are many.
  bool has_many_states() const {
    constexpr std::size_t many = 200;
    const bolza_problem& problem = model.abi();
    return options.text("transcription") == "single-shooting" && !options.has("hessian") &&
           takes_lbfgs(options.text("nlp")) &&
           std::any_of(problem.models, problem.models + problem.n_models,
                       [](const bolza_model* m) { return m->n_x > many; });
  }

  transcribe::TranscribeOptions transcription() {
    transcribe::TranscribeOptions t = transcribe_options(options);
    if (has_many_states()) t.nlp.hessian = nlp::Hessian::lbfgs;
    t.nlp.budget = budget;
    if (request.progress) {
      t.nlp.progress = relay;
      t.nlp.progress_context = &progress;
    }
    t.explain = explain_nonfinite;
    t.explain_context = &model;
    if (file) take_mesh_of_file(t);
    if (t.phase_fractions.empty()) t.phase_fractions = features;
    return t;
  }

  /// A result of the same method goes on with its mesh, and with its kind of control.
  void take_mesh_of_file(transcribe::TranscribeOptions& t) const {
    if (options.has("mesh") || options.has("phase-mesh") || !same_method(*file, t)) return;
    t.mesh = 0;
    for (const abi::PhaseSolution& phase : file->phases) {
      t.phase_fractions.push_back(phase.mesh);
      t.mesh = std::max(t.mesh, static_cast<std::uint32_t>(phase.mesh.size() - 1));
    }
    if (options.has("control") || options.has("phase-control")) return;
    t.control_constant = file->phases[0].control_constant;
    for (std::size_t p = 1; p < file->phases.size(); ++p)
      t.phase_control.emplace_back(model.problem.phases[p].name, file->phases[p].control_constant);
  }

  void announce(const transcribe::TranscribeOptions& t) {
    progress.stage = options.text("transcription") + " " + std::to_string(t.mesh);
  }

  void announce_refinement(const transcribe::TranscribeOptions& t) {
    announce(t);
    progress.stage += ", solved; refining the mesh";
  }

  RetryOutcome solve(const abi::Solution* guess) {
    transcribe::TranscribeOptions t = transcription();
    announce(t);
    return in_whole_numbers ? solve_in_whole_numbers(t, guess) : solve_continuous(t, guess);
  }

  /// The relaxed problem with all there is to find a solution, then whole numbers from there.
  RetryOutcome solve_in_whole_numbers(transcribe::TranscribeOptions t, const abi::Solution* guess) {
    std::string stage = progress.stage;
    transcribe::TranscribeOptions relaxed = t;
    relaxed.nlp.integers = nlp::IntegerMethod::relax;
    progress.stage = stage + ", relaxed";
    RetryOutcome out = solve_continuous(relaxed, guess);
    if (!abi::is_solution(out.solution.status)) {
      out.solution.integers.any = true;
      return out;
    }
    progress.stage = stage + ", " + options.text("integers");
    t.nlp.warm_start = true;
    abi::Solution found = solve_by(t, &out.solution);
    out.iterations += found.statistics.iterations;
    if (out.tried.empty()) out.tried.emplace_back();
    out.solution = std::move(found);
    return out;
  }

  RetryOutcome solve_continuous(transcribe::TranscribeOptions t, const abi::Solution* guess) {
    t.nlp.warm_start = guess && !guess->warm_start.rows.empty() && same_method(*guess, t);
    if (t.nlp.warm_start && file) t.nlp.barrier = barrier_near_an_optimum;
    if (handed && guess) start_with_multipliers(guess, t);
    bolza_problem& problem = model.abi();
    abi::Solution timed = timed_guess(model, library, options.text("guess") == "auto");
    const abi::Solution* own = timed.phases.empty() ? nullptr : &timed;
    std::string stage = progress.stage;
    return solve_with_retries(
        {.problem = problem,
         .library = library,
         .options = t,
         .guess = options.text("guess"),
         .own = own,
         .seed = static_cast<std::uint32_t>(options.integer("seed")),
         .starts = options.integer("multi-start"),
         .retry = options.flag("retry"),
         .effort = effort,
         .failed = failed,
         .reduced = options.text("transcription") == "single-shooting" && !shooting().lift,
         .given = guess,
         .solve = [&](const transcribe::TranscribeOptions& how, const abi::Solution* from) { return solve_by(how, from); },
         .announce =
             [&](const std::string& what, bool solved) {
               std::string found = solved ? "solved; looking for other optima: " : "";
               progress.stage = what.empty() ? stage : stage + ", " + found + what;
             }});
  }

  /// One solve of shooting from a solution before it.
  abi::Solution solve_once(const transcribe::TranscribeOptions& how, const abi::Solution& from) {
    announce_refinement(how);
    return solve_by(how, &from);
  }

  /// With what the stage before has handed over besides trajectories.
  void start_with_multipliers(const abi::Solution* guess, transcribe::TranscribeOptions& t) {
    bool costates = handed->costates && has_costates(model.abi(), *guess);
    if (!t.nlp.warm_start && !costates) handed->costates = handed->multipliers = handed->active_sets = false;
    else if (!t.nlp.warm_start) {
      t.nlp.warm_start = true;
      t.nlp.barrier = barrier_of_hand_over(*handed);
    }
  }

  bool takes_lbfgs(const std::string& engine) const {
    const std::vector<TableRow> rows = library.engines();
    return std::any_of(rows.begin(), rows.end(), [&](const TableRow& row) { return row.name == engine && row.lbfgs; });
  }

  /// Without controls few variables are left, and one integration from all of them is what finds the way through events.
  bool has_controls() const {
    const bolza_problem& problem = model.abi();
    return std::any_of(problem.models, problem.models + problem.n_models, [](const bolza_model* m) { return m->n_u > 0; });
  }

  /// Gauss-Newton matrices of integrals of squares are those of one integration.
  bool takes_squares_of_integrals() const {
    const bolza_problem& problem = model.abi();
    return options.text("hessian") == "gauss-newton" &&
           std::any_of(problem.models, problem.models + problem.n_models,
                       [](const bolza_model* m) { return m->integrand_residuals != nullptr; });
  }

  transcribe::ShootingOptions shooting() const {
    transcribe::ShootingOptions out = shooting_options(options, library);
    if (takes_squares_of_integrals() || has_many_states() || (!options.has("lift") && !has_controls())) out.lift = false;
    out.method_options = integrator;
    out.fixed_step = integrator.fixed_step;
    if (written) out.written = &written->abi();
    return out;
  }

 private:
  abi::Solution solve_by(const transcribe::TranscribeOptions& how, const abi::Solution* guess) {
    bool rough = how.transcription == "implicit-euler";  // of an attempt: collocation, whatever the stage's method is
    bool single = options.text("transcription") == "single-shooting" && !rough;
    if (!single && how.transcription != "multiple-shooting") return library.solve(model.abi(), how, guess);
    abi::Solution solution = single ? library.solve_single_shooting(model.abi(), how, shooting(), guess)
                                    : library.solve_multiple_shooting(model.abi(), how, shooting(), guess);
    for (abi::Finding& finding : solution.findings) explain(finding, model);
    return solution;
  }
};

/// The reason of a refusal as a diagnostic.
Reported refuse(Model& model, const driver::Options& options, const SolverLibrary& library, const abi::Solution& solution) {
  bool told = !solution.findings.empty();
  std::string reason = told ? solution.findings.front().text : "the method does not take them";
  bool by_engine = told && solution.findings.front().kind == abi::Finding::Kind::of_engine;
  const bolza_problem& problem = model.abi();
  bool has_integral =
      std::any_of(problem.models, problem.models + problem.n_models, [](const bolza_model* m) { return m->n_q > 0; });
  bool accumulates = std::any_of(problem.values, problem.values + problem.n_values, [&](const bolza_value_at& v) {
    const bolza_place* place = v.quantity == BOLZA_STATE ? &problem.places[v.place] : nullptr;
    return place && place->on_start == 0 && place->on_final == 1 && place->offset == 0;
  });
  return model.diagnostics.error(
      cannot_combine, options.place("transcription"), {reason},
      remedies(options, library, by_engine, {.integral = has_integral, .end_of_state = accumulates}));
}

double expected_evaluations(const std::vector<Stage>& stages) {
  double most = 0;
  for (const Stage& stage : stages) {
    transcribe::TranscribeOptions t = transcribe_options(stage.options);
    most = std::max(most, 30.0 * t.mesh * std::max<std::uint32_t>(1, t.points));
  }
  return most;
}

constexpr double coarse_error = 0.2;        ///< local error on a stated mesh that is a warning: a fifth of a variable's size
constexpr int iterations_of_a_round = 300;  ///< of a refinement that nobody asked for
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
  bool single = options.text("transcription") == "single-shooting";
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
  int iterations = 0;
  outcome.accuracy = refine(task, found, iterations);
  outcome.accuracy.stopped.clear();
  return Done{};
}

/// Refines a solved stage as its options ask for, or the last one by default, and says what its mesh is worth.
Result<Done> refine_stage(StageRun& run, bool last, abi::Solution& found, StageOutcome& told, SolveOutcome& outcome) {
  const driver::Options& options = run.options;
  bool wanted = options.has("refine");
  if (!wanted && (!last || !run.effort.refine)) return Done{};
  if (is_indirect(options)) return estimate_by_collocation(run, found, outcome);
  Writing in_hand;  // estimates of large meshes are long, and there is a solution to lose
  if (is_shooting(options)) {
    Refinement& r = outcome.accuracy = refine_shooting(run, found, told);
    if (wanted && !r.known && !r.cut) return run.model.diagnostics.error(cannot_combine, {}, {refine_needs_controls});
    if (!r.stopped.empty())
      run.model.diagnostics.warning(
          refinement_stopped, {},
          {shown(options.number("refine"), 3), r.stopped, shown(r.error, 3), r.name, shown(r.time, 3)});
    r.objective_error += found.statistics.gap + run.transcription().nlp.tol * std::abs(found.objective);
    if (r.cut && !outcome.stopped) outcome.stopped = r.cut;
    if (told.refinement) outcome.method += ", refined to " + std::to_string(r.intervals) + " intervals";
    return Done{};
  }
  RefineTask task{run.model.abi(), run.library, run.transcription(),
                  [&](const transcribe::TranscribeOptions& round) { run.announce_refinement(round); }};
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

/// The last stage failed: its status and findings with the solution of the stage before.
void keep_stage_before(abi::Solution before, SolveOutcome& outcome) {
  abi::Solution& failed = outcome.solution;
  before.status = failed.status;
  before.findings = std::move(failed.findings);
  before.log = std::move(failed.log);
  before.statistics = failed.statistics;
  outcome.solution = std::move(before);
  outcome.kept_stage = outcome.stages.size() - 1;
}

/// What a stage took of what was handed to it: all of it where its first attempt held.
std::string taken_of(const HandOver& handed, const RetryOutcome& tried) {
  if (tried.tried.empty() || tried.tried.back().empty()) return text_of(handed);
  HandOver rest = handed;
  rest.costates = rest.multipliers = rest.active_sets = false;
  return tried.tried.back() == without_multipliers ? text_of(rest) : nothing_handed_over;
}

/// What meshes have more than their even intervals.
std::string told_of_features(const std::vector<std::vector<double>>& meshes) {
  std::size_t intervals = 0;
  for (const std::vector<double>& mesh : meshes) intervals = std::max(intervals, mesh.size() - 1);
  return intervals > 0 ? ", " + std::to_string(intervals) + " intervals with features of time" : "";
}

/// An indirect stage from the direct solution before it.
Result<Done> solve_by_conditions(StageRun& run, const abi::Solution& direct, RetryOutcome& tried, SolveOutcome& outcome) {
  transcribe::TranscribeOptions t = run.transcription();
  run.announce(t);
  auto found = solve_indirect({.model = run.model,
                               .library = run.library,
                               .options = run.options,
                               .transcription = std::move(t),
                               .shooting = run.shooting(),
                               .direct = direct});
  if (!found) return run.model.diagnostics.already_reported();
  tried.solution = std::move(found->solution);
  tried.tried.emplace_back();
  tried.iterations = tried.solution.statistics.iterations;
  outcome.arcs = std::move(found->arcs);
  return Done{};
}

/// @param failed  see RetryTask; null in a chain
Result<Done> run_stages(Model& model, const SolverLibrary& library, const SolveRequest& request,
                        const std::vector<Stage>& stages, const Budget& budget, const abi::Solution* start, Effort effort,
                        const abi::Solution* failed, SolveOutcome& outcome) {
  abi::Solution guess, before;
  outcome.kept_stage = 0;
  if (!start && request.init_from.empty()) start = request.guess;
  bool has_guess = start || !request.init_from.empty();
  if (start) guess = *start;
  if (has_guess && !start) {
    auto read = guess_from_file(model, request.init_from);
    if (!read) return model.diagnostics.already_reported();
    guess = *std::move(read);
  }
  bool whole = !whole_variables(model).empty();
  TimeMesh times(model);
  std::size_t first = outcome.stages.size() + 1;
  for (const Stage& stage : stages) {
    auto began = Clock::now();
    StageRun run{model,
                 library,
                 stage.options,
                 request,
                 within_max_time(budget, stage.options),
                 whole && stage.options.text("integers") != "relax",
                 effort,
                 failed};
    run.times = &times;
    if (has_guess && !start && &stage == &stages.front()) run.file = &guess;
    if (&stage != &stages.front()) run.handed = hand_over_of((&stage - 1)->options);
    if (!run.prepare()) return model.diagnostics.already_reported();
    bool indirect = is_indirect(stage.options);
    RetryOutcome tried;
    if (!indirect) tried = run.solve(has_guess ? &guess : nullptr);
    else if (!solve_by_conditions(run, before, tried, outcome)) return model.diagnostics.already_reported();
    abi::Solution found = std::move(tried.solution);
    if (found.status == abi::SolveStatus::refused) return refuse(model, stage.options, library, found);
    outcome.method = describe(stage.options) + (run.has_many_states() ? ", L-BFGS" : "") + told_of_features(run.features);
    outcome.first_failed = tried.first_failed;
    outcome.starts = tried.starts;
    outcome.optima = std::move(tried.optima);
    outcome.other = tried.other;
    outcome.moves_on = tried.moves_on;
    outcome.looked = tried.looked;
    outcome.stopped = tried.stopped;
    outcome.attempt = abi::is_solution(found.status) ? tried.tried.back() : "";
    outcome.stages.push_back(
        {.text = stage.text.empty() ? outcome.method : stage.text, .status = found.status, .iterations = tried.iterations});
    StageOutcome& told = outcome.stages.back();
    if (run.handed) told.handed_over = taken_of(*run.handed, tried);
    if (abi::is_solution(found.status) && !model.problem.is_static) {
      bool last = &stage == &stages.back();
      if (!refine_stage(run, last, found, told, outcome)) return model.diagnostics.already_reported();
    }
    bool goes_on = &stage != &stages.back();
    if (goes_on && budget.interrupted()) {
      found.status = abi::SolveStatus::interrupted;
      outcome.stopped.reset();
    }
    told.status = found.status;
    told.objective = found.objective;
    told.seconds = seconds_since(began);
    outcome.solution = std::move(found);
    if (!abi::is_solution(outcome.solution.status)) {
      if (outcome.stages.size() > first) keep_stage_before(std::move(before), outcome);
      break;
    }
    before = outcome.solution;
    HandOver gives = hand_over_of(stage.options);
    guess = handed_over(model.abi(), before, gives);
    has_guess = text_of(gives) != nothing_handed_over;
  }
  return Done{};
}

}  // namespace

Result<SolveOutcome> solve(Model& model, const SolveRequest& request) {
  FlushDenormals flush;
  Budget budget = request.budget;
  if (!model.problem.is_optimization) {
    model.diagnostics.error(
        not_an_optimization, model.problem.flat.span, {model.class_name},
        {{{},
          "`bolza simulate` integrates it; an objective makes it a problem to solve: `minimize cost = integral(x^2);`"}});
    return model.diagnostics.already_reported();
  }
  driver::Options common = model.annotated;
  common.merge(request.options);
  budget = within_max_time(request.budget, common);
  auto stages = parse_chain(chain_of(request, common), common, model.sources, model.diagnostics);
  if (!stages) return model.diagnostics.already_reported();
  start_directly(*stages);
  warn_of_points(*stages, model.diagnostics);
  warn_of_hand_over(*stages, model.diagnostics);
  auto library = solver_library(model.diagnostics);
  if (!library) return model.diagnostics.already_reported();
  if (!open_symbol("bolza_ipopt", nlp::engine_symbol, model.diagnostics)) return model.diagnostics.already_reported();
  for (const Stage& stage : *stages)
    if (!check_names(stage.options, **library, model.diagnostics)) return model.diagnostics.already_reported();
  if (!check_combinations(*stages, **library, model.diagnostics)) return model.diagnostics.already_reported();
  if (!check_shooting(model, *stages)) return model.diagnostics.already_reported();
  if (!check_branch(model.request.scenarios, model.problem, model.diagnostics)) return model.diagnostics.already_reported();
  if (!prepare_integers(model, *stages, **library)) return model.diagnostics.already_reported();
  SolveOutcome outcome;
  auto began = Clock::now();
  if (!model.compile({.calls = codegen::Calls::both, .expected_evaluations = expected_evaluations(*stages)}))
    return model.diagnostics.already_reported();
  auto compiled = Clock::now();
  RunStages run = [&](Model& other, const abi::Solution* guess, Effort effort, SolveOutcome& own) {
    return run_stages(other, **library, request, *stages, budget, guess, effort, nullptr, own);
  };
  const driver::Options& last = stages->back().options;
  WaysTask ways{.model = model,
                .library = **library,
                .how = request.nonsmooth,
                .retry = last.flag("retry"),
                .whole = !whole_variables(model).empty() && last.text("integers") != "relax",
                .run = run};
  ways.rest = [&](const abi::Solution& failed, SolveOutcome& own) {
    const abi::Solution* known = stages->size() == 1 ? &failed : nullptr;
    return run_stages(model, **library, request, *stages, budget, nullptr, Effort{}, known, own);
  };
  ways.budget = budget;
  if (!solve_in_ways(ways, outcome)) return model.diagnostics.already_reported();
  abi::SolveStatus& status = outcome.solution.status;  // out of time the process interrupts itself
  if (status == abi::SolveStatus::interrupted && budget.over()) status = abi::SolveStatus::time_limit;
  outcome.solution.statistics.iterations = 0;  // of all stages, attempts and rounds, where it is shown
  for (const StageOutcome& stage : outcome.stages) outcome.solution.statistics.iterations += stage.iterations;
  bool solved = abi::is_solution(outcome.solution.status), checked = solved && !budget.ended();
  if (solved && !checked && !outcome.stopped) outcome.stopped = Stopped{check_of_solution};
  if (outcome.stopped) outcome.stopped->by_time = budget.over();
  outcome.seconds_compile = std::chrono::duration<double>(compiled - began).count() + model.compiled().statistics().seconds;
  outcome.seconds_solve = seconds_since(compiled) - model.compiled().statistics().seconds;
  if (solved && checked) look_at_time(model, stages->back().options, outcome);
  if (solved) {
    check_solution({model, stages->back().options, request, **library, outcome}, checked);
  } else if (outcome.solution.status == abi::SolveStatus::infeasible && stages->back().options.flag("retry") &&
             !budget.over()) {
    transcribe::TranscribeOptions t = transcribe_options(stages->back().options);
    constexpr double seconds_to_explain = 10;
    t.nlp.budget = budget.part(seconds_to_explain);
    name_conflict(model, **library, t, outcome.solution);
  }
  name_kinked_tables(model, outcome);
  tell_without_pieces(model, outcome);
  outcome.seconds_total = seconds_since(model.began);  // the report says it, too
  if (solved && request.sensitivity.wanted) {
    auto found = optimum_sensitivity(model, result_table(model, outcome.solution), outcome.solution, request.sensitivity);
    if (!found) return model.diagnostics.already_reported();
    outcome.sensitivity = *std::move(found);
  }
  if (!write_files(model, request, outcome)) return model.diagnostics.already_reported();
  return outcome;
}

}  // namespace bolza::workflow
