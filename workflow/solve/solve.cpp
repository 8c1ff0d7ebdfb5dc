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
#include "workflow/solve/indirect/random_start.h"
#include "workflow/solve/indirect/solve_in_arcs.h"
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
#include "workflow/solve/refine_stage.h"
#include "workflow/solve/report/report.h"
#include "workflow/solve/stage_run.h"
#include "workflow/solve/stages.h"
#include "workflow/solve/time_checks.h"
#include "workflow/written.h"

namespace bolza::workflow {
namespace {

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
  outcome.branch = std::move(found->branch);
  if (!outcome.branch.ended.empty())
    outcome.warnings.push_back({WarningKind::branch_ended, "the branch ended before `" + outcome.branch.parameter +
                                                               "` left its interval: " + outcome.branch.ended});
  return Done{};
}

Result<Done> solve_in_structure(Model& model, const SolverLibrary& library, const SolveRequest& request, const Stage& stage,
                                const Budget& budget, SolveOutcome& outcome);

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
                 whole && !relaxes_integers(stage.options),
                 effort,
                 failed};
    run.times = &times;
    if (has_guess && !start && &stage == &stages.front()) run.file = &guess;
    if (&stage != &stages.front()) run.handed = hand_over_of((&stage - 1)->options);
    outcome.arcs.clear();
    if (!run.prepare()) return model.diagnostics.already_reported();
    bool indirect = is_indirect(stage.options);
    RetryOutcome tried;
    if (indirect && &stage == &stages.front())
      before = random_start(model, library, run.budget, static_cast<std::uint32_t>(stage.options.integer("seed")),
                            run.transcription().mesh);
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
    if (stage.in_arcs && goes_on && !solve_in_structure(model, library, request, stage, budget, outcome))
      return model.diagnostics.already_reported();
    before = outcome.solution;
    HandOver gives = hand_over_of(stage.options);
    guess = handed_over(model.abi(), before, gives);
    has_guess = text_of(gives) != nothing_handed_over;
  }
  return Done{};
}

/// A stage once more in the arcs of its controls.
Result<Done> solve_in_structure(Model& model, const SolverLibrary& library, const SolveRequest& request, const Stage& stage,
                                const Budget& budget, SolveOutcome& outcome) {
  ArcsTask task{.model = model,
                .options = stage.options,
                .intervals = transcribe_options(stage.options).mesh,
                .run =
                    [&](Model& pieces, const abi::Solution& guess, const std::vector<MeshOfArc>& mesh, SolveOutcome& own) {
                      return run_stages(pieces, library, request, {on_pieces(stage, mesh)}, budget, &guess, Effort{},
                                        nullptr, own);
                    },
                .budget = budget};
  return solve_in_arcs(task, model.diagnostics, outcome);
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
  bool is_needed =
      std::any_of(stages->begin(), stages->end(), [](const Stage& stage) { return stage.options.text("nlp") != "barrier"; });
  if (is_needed && !open_symbol("bolza_ipopt", nlp::engine_symbol, model.diagnostics))
    return model.diagnostics.already_reported();
  for (const Stage& stage : *stages)
    if (!check_names(stage.options, **library, model.diagnostics)) return model.diagnostics.already_reported();
  if (!check_combinations(*stages, **library, model.diagnostics)) return model.diagnostics.already_reported();
  if (!check_shooting(model, *stages)) return model.diagnostics.already_reported();
  if (!check_branch(model.request.scenarios, model.problem, model.diagnostics)) return model.diagnostics.already_reported();
  if (!prepare_integers(model, *stages, **library)) return model.diagnostics.already_reported();
  std::optional<Stage> in_arcs = take_structure(*stages);
  SolveOutcome outcome;
  auto began = Clock::now();
  if (!model.compile({.calls = codegen::Calls::both, .expected_evaluations = expected_evaluations(*stages)}))
    return model.diagnostics.already_reported();
  auto compiled = Clock::now();
  bound_continued(model, *stages, /*to_first_value=*/true);
  RunStages run = [&](Model& other, const abi::Solution* guess, Effort effort, SolveOutcome& own) {
    return run_stages(other, **library, request, *stages, budget, guess, effort, nullptr, own);
  };
  const driver::Options& last = stages->back().options;
  WaysTask ways{.model = model,
                .library = **library,
                .how = request.nonsmooth,
                .retry = last.flag("retry"),
                .whole = !whole_variables(model).empty() && !relaxes_integers(last),
                .integrated = shooting_of(last) != Shooting::none,
                .run = run};
  ways.rest = [&](const abi::Solution& failed, SolveOutcome& own) {
    const abi::Solution* known = stages->size() == 1 ? &failed : nullptr;
    return run_stages(model, **library, request, *stages, budget, nullptr, Effort{}, known, own);
  };
  ways.budget = budget;
  if (!solve_in_ways(ways, outcome)) return model.diagnostics.already_reported();
  bound_continued(model, *stages, /*to_first_value=*/false);
  if (in_arcs && abi::is_solution(outcome.solution.status) && !budget.ended() &&
      !solve_in_structure(model, **library, request, *in_arcs, budget, outcome))
    return model.diagnostics.already_reported();
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
