#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/model_arguments.h"
#include "cli/print.h"
#include "cli/progress.h"
#include "workflow/solve.h"

namespace bolza::cli {
namespace {

using Clock = std::chrono::steady_clock;

nlohmann::json number(double value) { return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(); }

nlohmann::json final_values(const bolza_problem& problem, const abi::Solution& solution) {
  nlohmann::json out = nlohmann::json::object();
  for (std::size_t k = 0; k < solution.phases.size(); ++k) {
    const bolza_model& model = *problem.models[problem.phases[k].model];
    const abi::Trajectories& t = solution.phases[k].trajectories;
    auto put = [&](const bolza_variable* variables, std::size_t n, const std::vector<std::vector<double>>& columns) {
      for (std::size_t i = 0; i < n && i < columns.size(); ++i)
        if (!columns[i].empty()) out[variables[i].name] = number(columns[i].back());
    };
    put(model.x, model.n_x, t.x), put(model.z, model.n_z, t.z), put(model.u, model.n_u, t.u);
  }
  return out;
}

nlohmann::json findings_json(const abi::Solution& solution) {
  static constexpr const char* kinds[] = {"violated", "nonfinite", "at_bound", "badly_scaled"};
  nlohmann::json list = nlohmann::json::array();
  for (const abi::Finding& f : solution.findings) {
    nlohmann::json o{{"kind", kinds[static_cast<int>(f.kind)]}, {"name", f.name}, {"amount", number(f.amount)}, {"value", number(f.value)}};
    if (!f.file.empty()) o["file"] = f.file, o["line"] = f.line, o["column"] = f.column;
    if (std::isfinite(f.time)) o["time"] = f.time;
    if (!f.text.empty()) o["text"] = f.text;
    list.push_back(o);
  }
  return list;
}

nlohmann::json report_json(const workflow::Model& model, const workflow::SolveOutcome& outcome, double total) {
  const bolza_problem& problem = *model.abi();
  const abi::Solution& s = outcome.solution;
  nlohmann::json o{{"status", abi::name_of(s.status)}, {"class", problem.name}, {"objective", number(s.objective)},
                   {"sense", problem.maximize ? "maximize" : "minimize"}, {"iterations", s.statistics.iterations},
                   {"variables", s.statistics.variables}, {"constraints", s.statistics.constraints}, {"method", outcome.method}};
  if (!s.phases.empty()) o["start_time"] = s.phases.front().start_time, o["final_time"] = s.phases.back().final_time;
  o["parameters"] = nlohmann::json::object();
  for (std::size_t k = 2; k < problem.n_parameters && k < s.parameters.size(); ++k)
    if (!problem.parameters[k].fixed) o["parameters"][problem.parameters[k].name] = number(s.parameters[k]);
  o["final"] = final_values(problem, s);
  o["timing"] = {{"load", model.seconds_load}, {"compile", outcome.seconds_compile}, {"solve", outcome.seconds_solve},
                 {"evaluation", s.statistics.seconds_evaluation}, {"total", total}};
  o["infeasibility"] = {{"primal", number(s.statistics.primal_infeasibility)}, {"dual", number(s.statistics.dual_infeasibility)},
                        {"complementarity", number(s.statistics.complementarity)}};
  for (const auto& [name, value] : s.log) o["checks"][name] = number(value);
  for (const workflow::StageOutcome& stage : outcome.stages)
    o["stages"].push_back({{"stage", stage.text}, {"status", abi::name_of(stage.status)}, {"objective", number(stage.objective)},
                           {"iterations", stage.iterations}, {"seconds", stage.seconds}});
  if (!outcome.result.empty()) o["result"] = outcome.result;
  if (!outcome.csv.empty()) o["csv"] = outcome.csv;
  if (!outcome.report.empty()) o["report"] = outcome.report;
  o["findings"] = findings_json(s);
  o["diagnostics"] = to_json(model.diagnostics, model.sources);
  return o;
}

const char* say(abi::SolveStatus status) {
  switch (status) {
    case abi::SolveStatus::solved: return "solved";
    case abi::SolveStatus::acceptable: return "solved to the looser acceptable tolerance only";
    case abi::SolveStatus::infeasible: return "infeasible: no point near satisfies the constraints";
    case abi::SolveStatus::iteration_limit: return "not solved: the iteration limit was reached";
    case abi::SolveStatus::time_limit: return "not solved: the time limit was reached";
    case abi::SolveStatus::diverging: return "not solved: the iterates diverge, the problem may be unbounded";
    case abi::SolveStatus::evaluation_error: return "not solved: a value is not finite";
    case abi::SolveStatus::interrupted: return "interrupted: what follows is the last iterate";
    case abi::SolveStatus::failed: return "not solved";
  }
  return "not solved";
}

void print_finding(const abi::Finding& f) {
  std::string place = f.file.empty() ? "" : f.file + ":" + std::to_string(f.line) + ":" + std::to_string(f.column) + ": ";
  std::string at = std::isfinite(f.time) ? " at t = " + readable(f.time) : "";
  switch (f.kind) {
    case abi::Finding::Kind::violated:
      std::printf("  %s`%s` is violated by %s%s (value %s, bound %s)\n", place.c_str(), f.name.c_str(), readable(f.amount).c_str(), at.c_str(),
                  readable(f.value).c_str(), readable(f.bound).c_str());
      break;
    case abi::Finding::Kind::nonfinite:
      std::printf("  %s`%s` is not finite%s\n", place.c_str(), f.name.c_str(), at.c_str());
      break;
    case abi::Finding::Kind::badly_scaled:
      std::printf("  %s`%s` is badly scaled: %s\n", place.c_str(), f.name.c_str(), readable(f.value).c_str());
      break;
    case abi::Finding::Kind::at_bound: return;  // the HTML report shows them with multipliers
  }
  if (!f.text.empty()) std::printf("    %s\n", f.text.c_str());
}

void print_parameters(const bolza_problem& problem, const abi::Solution& s) {
  for (std::size_t k = 0; k < problem.n_parameters && k < s.parameters.size(); ++k) {
    const bolza_variable& p = problem.parameters[k];
    if (!p.fixed) std::printf("  %-12s %s %s\n", p.name, readable(s.parameters[k]).c_str(), p.unit);
  }
}

void print_outcome(const workflow::Model& model, const workflow::SolveOutcome& outcome, double total) {
  const bolza_problem& problem = *model.abi();
  const abi::Solution& s = outcome.solution;
  std::printf("%s: %s\n", problem.name, say(s.status));
  std::printf("  method       %s\n", outcome.method.c_str());
  for (std::size_t k = 0; outcome.stages.size() > 1 && k < outcome.stages.size(); ++k) {
    const workflow::StageOutcome& stage = outcome.stages[k];
    std::printf("  stage %-6zu %s: %s, objective %s, %d iterations, %.3f s\n", k + 1, stage.text.c_str(), abi::name_of(stage.status),
                readable(stage.objective).c_str(), stage.iterations, stage.seconds);
  }
  std::printf("  size         %zu variables, %zu constraints\n", s.statistics.variables, s.statistics.constraints);
  std::printf("  %-12s %s\n", problem.maximize ? "maximum" : "objective", readable(s.objective).c_str());
  print_parameters(problem, s);
  for (const abi::Finding& f : s.findings) print_finding(f);
  for (const auto& [name, value] : s.log) std::printf("  %s: %.2g\n", name.c_str(), value);
  std::printf("  effort       %d iterations; load %.3f s, compile %.3f s, solve %.3f s, total %.3f s\n", s.statistics.iterations,
              model.seconds_load, outcome.seconds_compile, outcome.seconds_solve, total);
  if (!outcome.result.empty()) std::printf("  result       %s\n", outcome.result.c_str());
  if (!outcome.csv.empty()) std::printf("  csv          %s\n", outcome.csv.c_str());
  if (!outcome.report.empty()) std::printf("  report       %s\n", outcome.report.c_str());
}

int exit_code(abi::SolveStatus status) { return status == abi::SolveStatus::solved ? fine : not_solved; }

}  // namespace

int run_solve(const Arguments& arguments) {
  auto began = Clock::now();
  workflow::Model model;
  auto refuse = [&] {
    if (arguments.json) print_json({{"status", "input_error"}, {"diagnostics", to_json(model.diagnostics, model.sources)}});
    print_diagnostics(model.diagnostics, model.sources, arguments);
    return bad_input;
  };
  auto request = solve_request(arguments, model.sources, model.diagnostics);
  if (!request || !model.load(load_request(arguments))) return refuse();
  std::size_t told = model.diagnostics.all().size();
  print_diagnostics(model.diagnostics, model.sources, arguments);
  ProgressLine line(!arguments.quiet && !arguments.json);
  request->interrupt = catch_interrupts();
  request->progress = [&](const workflow::Progress& p) {
    char text[200];
    std::snprintf(text, sizeof text, "%s: iteration %d  objective %.8g  infeasibility %.1e  %.1f s", p.stage.c_str(), p.iteration,
                  p.objective, p.infeasibility, p.seconds);
    line.show(text);
  };
  auto outcome = workflow::solve(model, *request);
  line.clear();
  double total = std::chrono::duration<double>(Clock::now() - began).count();
  if (!outcome) {
    if (arguments.json) return refuse();
    for (std::size_t k = told; k < model.diagnostics.all().size(); ++k)
      std::fputs(render(model.diagnostics.all()[k], model.sources, use_colour(arguments, STDERR_FILENO)).c_str(), stderr);
    return bad_input;
  }
  if (arguments.json) print_json(report_json(model, *outcome, total));
  else print_outcome(model, *outcome, total);
  return exit_code(outcome->solution.status);
}

}  // namespace bolza::cli
