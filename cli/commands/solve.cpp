// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "base/interrupt.h"
#include "base/numbers.h"
#include "cli/certificate_page.h"
#include "cli/commands.h"
#include "cli/commands/job_requests.h"
#include "cli/front_page.h"
#include "cli/model_arguments.h"
#include "cli/objectives_page.h"
#include "cli/print.h"
#include "cli/process_limits.h"
#include "cli/progress.h"
#include "cli/sensitivity_page.h"
#include "cli/timing_page.h"
#include "runtime/result/file.h"
#include "workflow/install_paths.h"
#include "workflow/run/run.h"
#include "workflow/solve/method/integers.h"
#include "workflow/solve/outcome/piece_names.h"
#include "workflow/solve/report/idle.h"
#include "workflow/solve/report/open_starts.h"
#include "workflow/solve/report/report.h"
#include "workflow/solve/report/report_json.h"
#include "workflow/verify/certificate_json.h"

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
    if (++count <= most)
      std::printf("  %-12s %s%s%s\n", p.name, readable(s.parameters[k]).c_str(), *p.unit ? " " : "", p.unit);
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

/// The points of a branch, or where there are many every so many of them, and all folds.
void print_branch(const workflow::SolutionBranch& branch) {
  if (branch.points.empty()) return;
  constexpr std::size_t most = 20;
  std::size_t every = (branch.points.size() + most - 1) / most;
  std::printf("  branch       %zu points\n", branch.points.size());
  std::printf("    %-16s %-16s %s\n", branch.parameter.c_str(), "objective", "norm");
  for (std::size_t k = 0; k < branch.points.size(); ++k) {
    const workflow::BranchPoint& point = branch.points[k];
    bool fold = point.kind == workflow::BranchPoint::Kind::fold;
    if (!fold && k % every != 0 && k + 1 != branch.points.size()) continue;
    std::printf("    %-16s %-16s %s%s\n", shown(point.parameter, 13).c_str(), readable(point.objective).c_str(),
                shown(point.norm, 8).c_str(), fold ? "  fold" : "");
  }
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
  if (std::string search = workflow::text_of_search(outcome); !search.empty())
    std::printf("  optima       %s\n", search.c_str());
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
    std::printf(!r.of_controls     ? ", local error %.1g"
                : r.intervals == 0 ? ", integration %.1g"
                                   : ", grids of controls %.1g",
                r.error);
    if (r.error > 0 && !r.name.empty()) std::printf(" (`%s` at t = %s)", r.name.c_str(), shown(r.time, 3).c_str());
    std::printf("\n");
  }
  print_parameters(model, problem, s);
  if (std::string open = workflow::text_of(workflow::open_starts(model, s)); !open.empty())
    std::printf("  free start   %s: nothing says where (`start = ..., fixed = true` does)\n", open.c_str());
  if (std::string idle = workflow::text_of_idle(workflow::idle_decisions(model)); !idle.empty())
    std::printf("  no effect    %s: nothing reads %s, any value would do\n", idle.c_str(),
                idle.find(',') == std::string::npos ? "it" : "them");
  for (std::size_t k = 0; k < outcome.arcs.size(); ++k)
    std::printf("  arc %-8zu %s to %s: %s\n", k + 1, readable(outcome.arcs[k].from).c_str(),
                readable(outcome.arcs[k].to).c_str(), outcome.arcs[k].text.c_str());
  print_branch(outcome.branch);
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
  if (!outcome.branch.csv.empty()) std::printf("  branch       %s\n", outcome.branch.csv.c_str());
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

/// Diagnostics when the model is read, then a line of progress.
class Terminal final : public workflow::Observer {
 public:
  explicit Terminal(const Arguments& arguments)
      : arguments_(arguments),
        line_(!arguments.print.quiet && !arguments.print.json && arguments.print.progress != ProgressForm::json),
        records_(arguments.print.progress == ProgressForm::json) {}

  void loaded(const workflow::Model& model) override {
    is_loaded_ = true;
    catch_interrupts();  // until here they end the process
    print_diagnostics(model.diagnostics, model.sources, arguments_);
  }
  void progress(const workflow::Progress& p) override {
    records_.iteration(p);
    if (!line_.due()) return;
    char text[200];
    std::snprintf(text, sizeof text, "%s: iteration %d  objective %.8g  infeasibility %.1e  %.1f s", p.stage.c_str(),
                  p.iteration, p.objective, p.infeasibility, p.seconds);
    line_.show(text);
  }
  void end() { line_.clear(); }
  bool is_loaded() const { return is_loaded_; }

 private:
  const Arguments& arguments_;
  ProgressLine line_;
  ProgressRecords records_;
  bool is_loaded_ = false;
};

void print_rest(const workflow::Run& run, const Arguments& arguments) {
  const auto& all = run.model->diagnostics.all();
  for (std::size_t k = run.told; k < all.size(); ++k)
    std::fputs(render(all[k], run.model->sources, use_colour(arguments, STDERR_FILENO)).c_str(), stderr);
}

nlohmann::json json_of_points(const workflow::Run& run, const Arguments& arguments) {
  const workflow::ObjectivesOutcome& points = *run.points;
  nlohmann::json report =
      run.is_front() || !run.outcome ? nlohmann::json::object() : workflow::report_json(*run.model, *run.outcome);
  report["points"] = points_json(*run.objectives, points);
  report["complete"] = points.complete;
  if (!run.is_front()) return report;
  report["agree"] = points.agree;
  report["csv"] = points.table;
  report["class"] = run.class_name;
  if (!arguments.outputs.page.empty()) report["report"] = arguments.outputs.page;
  return report;
}

void print_points_of(const workflow::Run& run, const Arguments& arguments) {
  const workflow::ObjectivesOutcome& points = *run.points;
  if (run.is_front())
    std::printf("%s: front of %zu points%s\n", run.class_name.c_str(), points.points.size(),
                points.complete ? "" : ", not complete");
  if (!run.is_front() && run.outcome) print_outcome(*run.model, *run.outcome);
  print_points(*run.objectives, points);
  if (points.agree) std::printf("  the objectives agree: within the slack one point is the optimum of all of them\n");
  if (run.is_front()) std::printf("  table        %s\n", points.table.c_str());
  if (run.is_front() && !arguments.outputs.page.empty()) std::printf("  report       %s\n", arguments.outputs.page.c_str());
}

Result<Done> write_front(const workflow::Run& run, const Arguments& arguments, Diagnostics& diagnostics) {
  if (!result::write_file(run.points->table, points_csv(*run.objectives, *run.points), diagnostics))
    return diagnostics.already_reported();
  if (arguments.outputs.page.empty()) return Done{};
  return write_front_page(run.class_name, *run.objectives, *run.points, arguments.outputs.page, diagnostics);
}

/// The result that was written, held against the model as it is read again. None: there is no file, or it says of no model.
std::optional<workflow::VerifyOutcome> certificate_of(const workflow::Run& run, const Arguments& arguments) {
  if (!arguments.solve.certify || run.points || !run.outcome || run.outcome->result.empty()) return {};
  workflow::VerifyRequest request{.result = run.outcome->result, .load = load_request(arguments)};
  request.load.file.clear();
  return workflow::verify_result(request).outcome;
}

/// A solution that is refused, or that could not be checked in full, is one with a warning.
int with_certificate(int code, const std::optional<workflow::VerifyOutcome>& certificate) {
  return code == fine && certificate && certificate->proof != workflow::Proof::verified ? warned : code;
}

/// What is opened while the model is read; `barrier` opens IPOPT's library where it comes to MUMPS.
std::vector<std::string> libraries_for(const Arguments& arguments) {
  bool without = std::any_of(arguments.method.options.begin(), arguments.method.options.end(), [](const auto& option) {
    return (option.first == "nlp" || option.first == "method") && option.second.starts_with("barrier");
  });
  return without ? std::vector<std::string>{"bolza_solver"} : std::vector<std::string>{"bolza_solver", "bolza_ipopt"};
}

}  // namespace

int run_solve(const Arguments& arguments) {
  workflow::EarlyOpening libraries(libraries_for(arguments));
  Sources sources;
  Diagnostics diagnostics;
  auto job = solve_job(arguments, sources, diagnostics);
  if (!job) return refuse_input(diagnostics, sources, arguments);
  workflow::Timing timing;
  if (arguments.solve.timing) job->solve.timing = &timing;
  Terminal terminal(arguments);
  workflow::Run run = workflow::run(*job, budget_of_process(), terminal);
  terminal.end();
  if (run.input_is_wrong && (arguments.print.json || !terminal.is_loaded()))
    return refuse_input(run.model->diagnostics, run.model->sources, arguments);
  if (!arguments.print.json) print_rest(run, arguments);
  if (run.input_is_wrong) return bad_input;
  if (run.is_front() && !write_front(run, arguments, diagnostics)) return refuse_input(diagnostics, {}, arguments);
  std::optional<workflow::VerifyOutcome> certificate = certificate_of(run, arguments);
  if (arguments.print.json) {
    nlohmann::json report = run.points ? json_of_points(run, arguments) : workflow::report_json(*run.model, *run.outcome);
    if (certificate) report["certificate"] = workflow::certificate_json(*certificate);
    if (arguments.solve.timing) workflow::add_timing(timing, report);
    report["diagnostics"] = to_json(run.model->diagnostics, run.model->sources);
    print_json(report);
  } else if (run.points) {
    print_points_of(run, arguments);
  } else {
    print_outcome(*run.model, *run.outcome);
    print_sensitivity(run.outcome->sensitivity);
  }
  if (arguments.solve.timing && !arguments.print.json) print_timing(timing);
  if (certificate && !arguments.print.json) print_certificate(run.outcome->result, *certificate);
  return with_certificate(exit_code(run.verdict(), arguments), certificate);
}

}  // namespace bolza::cli
