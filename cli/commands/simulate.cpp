// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/commands/job_requests.h"
#include "cli/print.h"
#include "cli/process_limits.h"
#include "cli/progress.h"
#include "cli/watcher.h"
#include "workflow/install_paths.h"
#include "workflow/quotients.h"
#include "workflow/run/jobs.h"
#include "workflow/simulate/simulate.h"
#include "workflow/spare_inputs.h"

namespace bolza::cli {
namespace {

nlohmann::json report_json(const workflow::Model& model, const workflow::SimulateOutcome& outcome) {
  const integrate::SimulateReport& r = outcome.report;
  nlohmann::json o{{"status", outcome.status},
                   {"class", model.class_name},
                   {"integrator", r.method},
                   {"start_time", outcome.start},
                   {"stop_time", outcome.stop},
                   {"time", r.time},
                   {"steps", r.steps},
                   {"evaluations", r.evaluations},
                   {"jacobians", r.jacobians},
                   {"state_events", r.state_events},
                   {"time_events", r.time_events},
                   {"choices_of_states", outcome.choices},
                   {"timing",
                    {{"load", model.seconds_load},
                     {"compile", outcome.seconds_compile},
                     {"integrate", r.seconds},
                     {"total", outcome.seconds_total}}},
                   {"result", outcome.result}};
  o["final"] = nlohmann::json::object();
  for (const auto& [name, value] : outcome.final)
    o["final"][name] = std::isfinite(value) ? nlohmann::json(value) : nlohmann::json();
  for (const auto& [name, value] : outcome.held)
    o["held_inputs"][name] = std::isfinite(value) ? nlohmann::json(value) : nlohmann::json();
  for (const integrate::SimulateReport::GuessedSize& g : r.guessed)
    o["guessed_sizes"].push_back({{"name", g.name}, {"guess", g.guess}, {"largest", g.largest}});
  if (!r.curved.empty()) o["looked_at"] = {{"relation", r.curved}, {"every", r.looked_every}};
  if (!r.message.empty()) o["message"] = r.message;
  if (auto names = workflow::difference_quotients(model); !names.empty()) o["difference_quotients"] = names;
  o["diagnostics"] = to_json(model.diagnostics, model.sources);
  return o;
}

/// "`u` = 0, `v` = 1 and 3 more"
std::string text_of_held(const std::vector<std::pair<std::string, double>>& held) {
  constexpr std::size_t most = 6;
  std::string text;
  for (std::size_t k = 0; k < std::min(most, held.size()); ++k)
    text += (k ? ", `" : "`") + held[k].first + "` = " + readable(held[k].second);
  return held.size() > most ? text + " and " + std::to_string(held.size() - most) + " more" : text;
}

void print_outcome(const workflow::Model& model, const workflow::SimulateOutcome& outcome) {
  const integrate::SimulateReport& r = outcome.report;
  if (r.finished() && outcome.stop == outcome.start)
    std::printf("%s: initialised at t = %s, where it also stops\n", model.class_name.c_str(),
                readable(outcome.start).c_str());
  else if (r.finished())
    std::printf("%s: simulated from %s to %s by %s\n", model.class_name.c_str(), readable(outcome.start).c_str(),
                readable(outcome.stop).c_str(), r.method.c_str());
  else
    std::printf("%s: stopped at t = %s by %s: %s\n", model.class_name.c_str(), readable(r.time).c_str(), r.method.c_str(),
                outcome.status.c_str());
  for (std::size_t k = 0; k < outcome.final.size() && k < 12; ++k)
    std::printf("  %-20s %s\n", outcome.final[k].first.c_str(), readable(outcome.final[k].second).c_str());
  if (outcome.final.size() > 12) std::printf("  … and %zu more\n", outcome.final.size() - 12);
  if (!outcome.held.empty())
    std::printf("  inputs       %s throughout: nothing gives %s (`--input FILE.csv` does)\n",
                text_of_held(outcome.held).c_str(), outcome.held.size() > 1 ? "them" : "it");
  std::printf("  effort       %zu steps, %zu evaluations, %zu Jacobians; compile %.3f s, integrate %.3f s, total %.3f s\n",
              r.steps, r.evaluations, r.jacobians, outcome.seconds_compile, r.seconds, outcome.seconds_total);
  if (r.state_events + r.time_events > 0)
    std::printf("  events       %zu of states, %zu of time\n", r.state_events, r.time_events);
  if (!r.curved.empty())
    std::printf("  looked at    `%s` every %s s at least: what is shorter may not be seen\n", r.curved.c_str(),
                readable(r.looked_every).c_str());
  if (outcome.choices > 1) std::printf("  states       chosen again %zu times\n", outcome.choices - 1);
  for (const integrate::SimulateReport::GuessedSize& g : r.guessed)
    std::printf(
        "  tolerance    of `%s` guessed, for a size of %s; its largest value is %s: `nominal` says how large it is\n",
        g.name.c_str(), readable(g.guess).c_str(), readable(g.largest).c_str());
  std::printf("  result       %s\n", outcome.result.c_str());
  if (!outcome.page.empty()) std::printf("  report       %s\n", outcome.page.c_str());
}

/// Names separated by commas outside parentheses and brackets.
std::vector<std::string> split_names(const std::string& list) {
  std::vector<std::string> names(1);
  int depth = 0;
  for (char c : list) {
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == ',' && depth == 0) names.emplace_back();
    else if (c != ' ' || !names.back().empty()) names.back() += c;
  }
  return names;
}

/// Draws what `--plot` names from the result file; without names the first states, else the first variables.
int draw(const Arguments& arguments, const workflow::Model& model, const workflow::SimulateOutcome& outcome) {
  constexpr std::size_t most = 4;
  Arguments plot = arguments;
  plot.file = outcome.result;
  plot.outputs.result.clear();
  plot.plot.title = model.class_name;
  if (arguments.simulate.plot != "*") plot.words = split_names(arguments.simulate.plot);
  else
    for (ir::VariableId x : model.problem.x)
      if (plot.words.size() < most) plot.words.push_back(ir::name_of(model.problem.flat, x));
  for (std::size_t k = 0; plot.words.empty() && k < outcome.final.size() && k < most; ++k)
    plot.words.push_back(outcome.final[k].first);
  return plot.words.empty() ? fine : run_plot(plot);
}

}  // namespace

int run_simulate(const Arguments& arguments) {
  workflow::EarlyOpening libraries({"bolza_solver"});
  Sources sources;
  Diagnostics diagnostics;
  auto job = simulate_job(arguments, sources, diagnostics);
  if (!job) return refuse_input(diagnostics, sources, arguments);
  Watcher watcher(arguments);
  workflow::JobRun<workflow::SimulateOutcome> run = workflow::run(*job, budget_of_process(), watcher);
  watcher.line.clear();
  workflow::Model& model = *run.model;
  if (!run.outcome) return refuse_input(model.diagnostics, model.sources, arguments);
  print_diagnostics(model.diagnostics, model.sources, arguments);
  if (arguments.print.json) print_json(report_json(model, *run.outcome));
  else print_outcome(model, *run.outcome);
  if (!arguments.simulate.plot.empty() && !arguments.print.json)
    if (int code = draw(arguments, model, *run.outcome); code != fine) return code;
  workflow::Verdict verdict = verdict_of(*run.outcome);
  if (verdict == workflow::Verdict::solved_with_warnings) return warned;
  return verdict == workflow::Verdict::solved ? fine : exit_code_of_interrupt(not_solved, arguments);
}

}  // namespace bolza::cli
