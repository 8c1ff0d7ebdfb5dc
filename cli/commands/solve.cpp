// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "base/numbers.h"
#include "cli/commands.h"
#include "cli/front_page.h"
#include "cli/model_arguments.h"
#include "cli/objectives_page.h"
#include "cli/print.h"
#include "cli/process_limits.h"
#include "cli/progress.h"
#include "runtime/result/file.h"
#include "workflow/codes.h"
#include "workflow/file_stem.h"
#include "workflow/install_paths.h"
#include "workflow/solve/chance.h"
#include "workflow/solve/front.h"
#include "workflow/solve/integers.h"
#include "workflow/solve/jump_modes.h"
#include "workflow/solve/piece_names.h"
#include "workflow/solve/report.h"
#include "workflow/solve/report_json.h"
#include "workflow/solve/solve.h"
#include "workflow/solve/verdict.h"
#include "workflow/spare_inputs.h"

namespace bolza::cli {
namespace {

void print_finding(const abi::Finding& f) {
  std::string place = f.file.empty() ? "" : f.file + ":" + std::to_string(f.line) + ":" + std::to_string(f.column) + ": ";
  std::string at = std::isfinite(f.time) ? " at t = " + readable(f.time) : "";
  if (f.name.empty() && f.kind != abi::Finding::Kind::of_engine && f.kind != abi::Finding::Kind::at_bound)
    return void(std::printf("  %s%s%s\n", place.c_str(), f.text.c_str(), at.c_str()));
  switch (f.kind) {
    case abi::Finding::Kind::violated:
      std::printf("  %s`%s` is violated by %s%s (value %s, bound %s)\n", place.c_str(), f.name.c_str(),
                  readable(f.amount).c_str(), at.c_str(), readable(f.value).c_str(), readable(f.bound).c_str());
      break;
    case abi::Finding::Kind::nonfinite:
      std::printf("  %s`%s` is not finite%s\n", place.c_str(), f.name.c_str(), at.c_str());
      break;
    case abi::Finding::Kind::of_engine:
      std::printf("  the engine ended: %s\n", f.text.c_str());
      return;
    case abi::Finding::Kind::unbounded:
      std::printf("  %s`%s` has no bound\n", place.c_str(), f.name.c_str());
      break;
    case abi::Finding::Kind::conflict:
      std::printf("  %sin conflict: `%s`\n", place.c_str(), f.name.c_str());
      break;
    case abi::Finding::Kind::unstable:
      std::printf("  %sthe model is unstable: errors of `%s` grow %s times%s\n", place.c_str(), f.name.c_str(),
                  shown(f.value, 2).c_str(), at.c_str());
      break;
    case abi::Finding::Kind::at_bound:
      return;  // the HTML report shows them with multipliers
  }
  std::string text = f.text;
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 5) text.replace(at, 1, "\n    ");
  if (!text.empty()) std::printf("    %s\n", text.c_str());
}

void print_parameters(const workflow::Model& model, const bolza_problem& problem, const abi::Solution& s) {
  constexpr std::size_t most = 40;
  std::size_t count = 0;
  for (std::size_t k = 0; k < problem.n_parameters && k < s.parameters.size(); ++k) {
    const bolza_variable& p = problem.parameters[k];
    if (p.fixed || workflow::is_of_piece(model, p.name)) continue;
    if (++count <= most) std::printf("  %-12s %s %s\n", p.name, readable(s.parameters[k]).c_str(), p.unit);
  }
  if (count > most) std::printf("  and %zu more free parameters: the result file has them\n", count - most);
}

/// "28.63 (3 times), 34.31": best first, those equal to five digits together.
std::string optima_text(const workflow::SolveOutcome& outcome, bool maximize) {
  std::map<std::string, int> times;
  std::vector<double> sorted = outcome.optima;
  std::sort(sorted.begin(), sorted.end());
  if (maximize) std::reverse(sorted.begin(), sorted.end());
  for (double value : sorted) ++times[shown(value, 5)];
  std::string text;
  for (double value : sorted) {
    int& count = times[shown(value, 5)];
    if (count == 0) continue;
    text += (text.empty() ? "" : ", ") + shown(value, 5) + (count > 1 ? " (" + std::to_string(count) + " times)" : "");
    count = 0;
  }
  return text;
}

void print_outcome(const workflow::Model& model, const workflow::SolveOutcome& outcome) {
  const bolza_problem& problem = model.abi();
  const abi::Solution& s = outcome.solution;
  std::printf("%s: %s\n", problem.name, workflow::text_of_verdict(outcome).c_str());
  for (const workflow::Warning& warning : outcome.warnings)
    std::printf("  warning      %s\n", workflow::line_of(warning).c_str());
  std::printf("  method       %s\n", outcome.method.c_str());
  if (!outcome.attempt.empty())
    std::printf("  attempt      %s%s\n", outcome.attempt.c_str(),
                outcome.first_failed && !outcome.smoothed && outcome.starts == 0
                    ? "; the first one failed: `--multi-start 8` looks for other optima"
                : outcome.first_failed ? "; the first one failed"
                : outcome.smoothed     ? ""
                                       : ", better than the first");
  if (outcome.other)
    std::printf("  other        %s: another local optimum, no better; `--multi-start 8` looks for more\n",
                shown(*outcome.other + 0.0, 6).c_str());
  if (outcome.starts > 0)
    std::printf("  multi-start  %zu of %d starts were solved: %s\n", outcome.optima.size(), outcome.starts,
                optima_text(outcome, problem.maximize).c_str());
  for (const std::string& relation : outcome.relations) std::printf("  relation     %s\n", relation.c_str());
  for (std::size_t k = 0; outcome.stages.size() > 1 && k < outcome.stages.size(); ++k) {
    const workflow::StageOutcome& stage = outcome.stages[k];
    std::printf("  stage %-6zu %s: %s, objective %s, %d iterations, %.3f s\n", k + 1, stage.text.c_str(),
                abi::name_of(stage.status), readable(stage.objective).c_str(), stage.iterations, stage.seconds);
    if (k > 0) std::printf("    from stage %zu: %s\n", k, stage.handed_over.c_str());
  }
  if (!outcome.stages.empty() && outcome.stages.back().refinement) {
    const workflow::Refinement& r = *outcome.stages.back().refinement;
    std::printf("  mesh         %zu intervals after %d refinements, error %.2g\n", r.intervals, r.rounds, r.error);
  }
  if (model.n_scenarios > 0)
    std::printf("  scenarios    %s\n", workflow::text_of(model.request.scenarios, model.n_scenarios).c_str());
  std::printf("  size         %zu variables, %zu constraints\n", s.statistics.variables, s.statistics.constraints);
  std::printf("  %-12s %s\n", problem.maximize ? "maximum" : "objective", readable(s.objective).c_str());
  if (s.integers.any) std::printf("  integers     %s\n", workflow::text_of(s.integers, s.objective).c_str());
  if (outcome.accuracy.known) {
    const workflow::Refinement& r = outcome.accuracy;
    std::printf("  accuracy     objective \u00b1 %s", shown_at_most(r.objective_error).c_str());
    std::printf(r.of_controls ? ", grids of controls %.1g" : ", local error %.1g", r.error);
    if (r.error > 0 && !r.name.empty()) std::printf(" (`%s` at t = %s)", r.name.c_str(), shown(r.time, 3).c_str());
    std::printf("\n");
  }
  print_parameters(model, problem, s);
  for (const abi::Finding& f : s.findings) print_finding(f);
  constexpr double worth_a_place = 1e-4;  // below, where it is largest is a matter of rounding
  for (const auto& [name, value, where] : s.log) {
    std::printf("  %s: %s", name.c_str(), (std::fmod(value, 1) == 0 ? shown(value) : shown(value, 2)).c_str());
    std::printf("%s%s\n", value > worth_a_place && !where.empty() ? " " : "", value > worth_a_place ? where.c_str() : "");
  }
  if (outcome.stopped && !outcome.stopped->by_time)
    std::printf("  check        none: the solution was not simulated after the interrupt\n");
  std::printf("  effort       %d iterations; load %.3f s, compile %.3f s, solve %.3f s, total %.3f s\n",
              s.statistics.iterations, model.seconds_load, outcome.seconds_compile, outcome.seconds_solve,
              outcome.seconds_total);
  std::string whose = outcome.kept_stage > 0 ? ", the solution of stage " + std::to_string(outcome.kept_stage) : "";
  if (!outcome.result.empty()) std::printf("  result       %s%s\n", outcome.result.c_str(), whose.c_str());
  if (!outcome.csv.empty()) std::printf("  csv          %s\n", outcome.csv.c_str());
  if (!outcome.report.empty()) std::printf("  report       %s\n", outcome.report.c_str());
}

int exit_code(workflow::Verdict verdict, const Arguments& arguments) {
  switch (verdict) {
    case workflow::Verdict::solved:
      return fine;
    case workflow::Verdict::solved_with_warnings:
      return warned;
    case workflow::Verdict::interrupted:
      return exit_code_of_interrupt(not_solved, arguments);
    default:
      return not_solved;
  }
}

/// What `--pareto` needs and excludes, as the text of an error; "" all is well.
std::string mistake_of(const workflow::Objectives& objectives, const Arguments& arguments) {
  bool front = objectives.way == workflow::ObjectivesWay::front;
  if (objectives.way != workflow::ObjectivesWay::weighted && !arguments.chain.empty())
    return "a stage of `--chain` cannot hold the limits that another method has set: solve with one method";
  if (front && arguments.pareto == 0) return "a front needs the number of its points: add `--pareto 8`";
  if (!front && arguments.pareto > 0) return "`--pareto` needs two objectives with `,` between them";
  if (!front) return "";
  if (!arguments.csv.empty())
    return "a front is not a single result for `--csv`: `-o front.csv` has the table, `bolza plot` and `solve --init-from` "
           "take "
           "the .mat file of a point";
  if (!arguments.output.empty() && !arguments.output.ends_with(".csv"))
    return "the table of a front is a .csv file: `-o front.csv`";
  return "";
}

/// The worst of the points.
int exit_code(const workflow::ObjectivesOutcome& outcome, const Arguments& arguments) {
  using workflow::Verdict;
  if (!outcome.complete || (outcome.outcome && verdict_of(*outcome.outcome) == Verdict::interrupted))
    return exit_code_of_interrupt(not_solved, arguments);
  auto any = [&](auto holds) { return std::any_of(outcome.points.begin(), outcome.points.end(), holds); };
  if (any([](const auto& point) { return point.status != abi::SolveStatus::solved; })) return not_solved;
  return any([](const auto& point) { return point.verdict() == Verdict::solved_with_warnings; }) ? warned : fine;
}

/// Objectives in order, or a front.
int run_objectives(const workflow::Model& base, const workflow::Objectives& objectives, workflow::SolveRequest request,
                   const Arguments& arguments, ProgressLine& line) {
  bool front = objectives.way == workflow::ObjectivesWay::front;
  if (front && request.output.empty()) request.output = workflow::file_stem(base.class_name) + "-front.csv";
  if (front) request.report.clear();  // there is one page of all points
  workflow::FrontRequest how{.slack = arguments.slack, .points = arguments.pareto};
  workflow::ObjectivesOutcome outcome = front ? workflow::solve_front(base, objectives, how, request)
                                              : workflow::solve_in_order(base, objectives, how, request);
  line.clear();
  bool wrong = outcome.model && !outcome.outcome;
  if (outcome.model && !arguments.json) print_diagnostics(outcome.model->diagnostics, outcome.model->sources, arguments);
  nlohmann::json diagnostics = nlohmann::json::array();
  if (outcome.model) diagnostics = to_json(outcome.model->diagnostics, outcome.model->sources);
  if (wrong) {
    if (arguments.json) print_json({{"status", "input_error"}, {"diagnostics", diagnostics}});
    return bad_input;
  }
  Diagnostics told;
  if (front &&
      (!result::write_file(request.output, points_csv(objectives, outcome), told) ||
       (!arguments.report.empty() && !write_front_page(base.class_name, objectives, outcome, arguments.report, told)))) {
    return refuse_input(told, {}, arguments);
  }
  if (arguments.json) {
    nlohmann::json report =
        front || !outcome.outcome ? nlohmann::json::object() : workflow::report_json(*outcome.model, *outcome.outcome);
    report["points"] = points_json(objectives, outcome), report["complete"] = outcome.complete;
    if (front) report["agree"] = outcome.agree;
    report["diagnostics"] = diagnostics;
    if (front) report["csv"] = request.output, report["class"] = base.class_name;
    if (front && !arguments.report.empty()) report["report"] = arguments.report;
    print_json(report);
    return exit_code(outcome, arguments);
  }
  if (front)
    std::printf("%s: front of %zu points%s\n", base.class_name.c_str(), outcome.points.size(),
                outcome.complete ? "" : ", not complete");
  if (!front && outcome.outcome) print_outcome(*outcome.model, *outcome.outcome);
  print_points(objectives, outcome);
  if (outcome.agree) std::printf("  the objectives agree: within the slack one point is the optimum of all of them\n");
  if (front) std::printf("  table        %s\n", request.output.c_str());
  if (front && !arguments.report.empty()) std::printf("  report       %s\n", arguments.report.c_str());
  return exit_code(outcome, arguments);
}

}  // namespace

int run_solve(const Arguments& arguments) {
  workflow::EarlyOpening libraries({"bolza_solver", "bolza_ipopt"});
  auto loaded = std::make_unique<workflow::Model>();
  auto refuse = [&] { return refuse_input(loaded->diagnostics, loaded->sources, arguments); };
  auto request = solve_request(arguments, loaded->sources, loaded->diagnostics);
  if (!request) return refuse();
  workflow::LoadRequest load = load_request(arguments);
  load.form = "explicit";  // states are those of this form, whatever form a stage of single shooting integrates
  if (request->options.has("path-constraints")) load.path_tolerance = driver::integrated_path_tolerance(request->options);
  if (request->options.has("samples")) load.samples = driver::samples_of(request->options);
  load.options = loaded->sources;
  workflow::JumpModes modes;
  bool cuts = request->nonsmooth == "auto" || request->nonsmooth == "modes";
  if (!loaded->load(load)) {
    if (cuts) modes = workflow::jump_modes(load, *loaded);
    if (!modes.pieces) return refuse();
    loaded = std::move(modes.pieces);
    request->guess = &modes.guess;
  }
  const std::array outputs{request->output, request->csv, request->report};
  if (!workflow::spare_inputs(outputs, loaded->sources, loaded->diagnostics)) return refuse();
  std::optional<workflow::Objectives> objectives;
  if (!arguments.objectives.empty()) {
    auto read = workflow::read_objectives(arguments.objectives, *loaded, loaded->sources, loaded->diagnostics);
    if (!read) return refuse();
    objectives = *read;
    std::string mistake = mistake_of(*objectives, arguments);
    if (!mistake.empty()) loaded->diagnostics.error(workflow::bad_objectives, {}, {mistake});
    if (!mistake.empty()) return refuse();
  }
  if (objectives && objectives->way == workflow::ObjectivesWay::weighted) {
    workflow::LoadRequest weighted = workflow::with_objective(*loaded, *objectives, 0, {});
    if (request->output.empty()) request->output = workflow::file_stem(loaded->class_name) + ".mat";
    loaded = std::make_unique<workflow::Model>();
    if (!loaded->load(weighted)) return refuse();
  }
  workflow::Model& model = *loaded;
  std::size_t told = model.diagnostics.all().size();
  print_diagnostics(model.diagnostics, model.sources, arguments);
  ProgressLine line(!arguments.quiet && !arguments.json);
  request->interrupt = catch_interrupts();
  request->progress = [&](const workflow::Progress& p) {
    char text[200];
    std::snprintf(text, sizeof text, "%s: iteration %d  objective %.8g  infeasibility %.1e  %.1f s", p.stage.c_str(),
                  p.iteration, p.objective, p.infeasibility, p.seconds);
    line.show(text);
  };
  if (objectives && objectives->way != workflow::ObjectivesWay::weighted)
    return run_objectives(model, *objectives, *request, arguments, line);
  auto outcome = arguments.chance < 1 ? workflow::solve_with_chance(loaded, *request) : workflow::solve(model, *request);
  const workflow::Model& solved = *loaded;
  line.clear();
  if (!outcome && arguments.json) return refuse();
  for (std::size_t k = told; k < solved.diagnostics.all().size() && !arguments.json; ++k)
    std::fputs(render(solved.diagnostics.all()[k], solved.sources, use_colour(arguments, STDERR_FILENO)).c_str(), stderr);
  if (!outcome) return bad_input;
  if (modes.simulated) workflow::tell_jumps(solved, modes, *outcome);
  if (arguments.json) {
    nlohmann::json report = workflow::report_json(solved, *outcome);
    report["diagnostics"] = to_json(solved.diagnostics, solved.sources);
    print_json(report);
  } else {
    print_outcome(solved, *outcome);
  }
  return exit_code(workflow::verdict_of(*outcome), arguments);
}

}  // namespace bolza::cli
