// SPDX-License-Identifier: Apache-2.0
#define BOLZA_INTERNAL
#include "api/bolza/bolza.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <thread>

#include "base/numbers.h"
#include "base/text_table.h"
#include "base/words.h"
#include "compiler/driver/trust_words.h"
#include "runtime/result/table.h"
#include "workflow/run/jobs.h"
#include "workflow/run/run.h"
#include "workflow/simulate/simulate.h"
#include "workflow/solve/report/named_values.h"
#include "workflow/solve/report/report.h"

namespace bolza::api {
namespace {

/// The value of a word of the job. False: a diagnostic says which words there are.
template <typename Value, std::size_t n>
bool read_word(const char* what, const std::string& word, const Words<Value, n>& words, Value& value, Run& run) {
  std::optional<Value> found = words.find(word);
  if (found) value = *found;
  else {
    std::string all;
    for (const std::string& other : words.list()) all += (all.empty() ? "`" : ", `") + other + "`";
    run.diagnostics.push_back(
        {true, "E902", std::string("`") + what + "` is one of " + all + ", and not `" + word + "`", "", 0, 0});
  }
  return found.has_value();
}

/// False: a diagnostic says what is wrong.
bool read_load(const Job& job, workflow::LoadRequest& load, Run& run) {
  load.file = job.file;
  load.class_name = job.class_name;
  load.settings = job.set;
  load.library_paths = job.path;
  if (!job.text.empty()) load.texts.push_back({"text", job.text});
  load.scenarios.file = job.scenarios.table;
  load.scenarios.tail = job.scenarios.tail;
  load.scenarios.chance = job.scenarios.chance;
  if (!std::isnan(job.scenarios.branch)) load.scenarios.branch = job.scenarios.branch;
  return read_word("trust", job.trust, driver::trust_levels, load.trust.level, run) &&
         read_word("risk", job.scenarios.risk, workflow::risks, load.scenarios.risk, run);
}

bool is_of_simulation(const std::string& name) { return name == "start" || name == "stop" || name == "step"; }

/// Options by name, those of simulations apart. False: a diagnostic says what is wrong.
bool read_options(const Job& job, driver::Options& options, Sources& sources, Diagnostics& diagnostics) {
  std::map<std::string, std::string> all = job.options;
  if (!job.method.empty()) all["method"] = job.method;
  for (const auto& [name, value] : all) {
    if (is_of_simulation(name)) continue;
    SourceId file = sources.add("options", name + " = " + value);
    Span at{file, 0, static_cast<std::uint32_t>(name.size() + 3 + value.size())};
    if (driver::set_option(options, name, value, at, diagnostics).failed()) return false;
  }
  return true;
}

void add_diagnostics(const Diagnostics& diagnostics, const Sources& sources, Run& run) {
  for (const bolza::Diagnostic& d : diagnostics.all()) {
    Diagnostic out{d.severity == Severity::error, std::string(d.code->id), d.message, "", 0, 0};
    if (d.span) {
      Place place = sources.place(d.span.file, d.span.begin);
      out.file = std::string(sources.path(d.span.file));
      out.line = place.line;
      out.column = place.column;
    }
    run.diagnostics.push_back(std::move(out));
  }
}

void add_trajectories(const result::ResultTable& table, Run& run) {
  run.time = table.time;
  for (const result::ResultVariable& v : table.variables) run.trajectories[v.name] = {v.unit, result::values(table, v)};
}

Verdict verdict_of(workflow::Verdict verdict) {
  switch (verdict) {
    case workflow::Verdict::solved:
      return Verdict::solved;
    case workflow::Verdict::solved_with_warnings:
      return Verdict::solved_with_warnings;
    case workflow::Verdict::not_solved:
      return Verdict::not_solved;
    case workflow::Verdict::interrupted:
      return Verdict::interrupted;
    case workflow::Verdict::refused:
      return Verdict::refused;
  }
  return Verdict::not_solved;
}

std::vector<Warning> warnings_of(const workflow::Warnings& warnings) {
  std::vector<Warning> out;
  for (const workflow::Warning& w : warnings)
    out.push_back({std::string(workflow::name_of(w.kind)), w.text, w.remedy, w.name, w.time});
  return out;
}

void add_outcome(const workflow::Model& model, const workflow::SolveOutcome& outcome, Run& run) {
  const abi::Solution& solution = outcome.solution;
  run.verdict = verdict_of(workflow::verdict_of(outcome));
  run.status = abi::name_of(solution.status);
  run.text = workflow::text_of_verdict(outcome);
  run.method = outcome.method;
  run.objective = solution.objective;
  run.iterations = solution.statistics.iterations;
  if (outcome.accuracy.known) run.objective_error = outcome.accuracy.objective_error;
  run.seconds = outcome.seconds_total;
  run.warnings = warnings_of(outcome.warnings);
  run.parameters = workflow::parameters_of(model, solution);
  if (!solution.phases.empty()) add_trajectories(workflow::result_table(model, solution), run);
}

void add_points(const workflow::Objectives& objectives, const workflow::ObjectivesOutcome& outcome, Run& run) {
  std::size_t solved = 0;
  for (const workflow::ObjectivePoint& p : outcome.points) {
    Point point{.name = p.name,
                .verdict = verdict_of(p.verdict()),
                .status = abi::name_of(p.status),
                .objectives = {},
                .parameters = p.parameters,
                .dominated = p.dominated,
                .knee = p.knee,
                .warnings = warnings_of(p.warnings),
                .result = p.result};
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t k = 0; k < p.values.size(); ++k)
      point.objectives[objectives.list[k].text] = std::isfinite(p.values[k]) ? p.values[k] : none;
    solved += p.solved();
    run.points.push_back(std::move(point));
  }
  run.text = std::to_string(solved) + " of " + std::to_string(outcome.points.size()) + " points solved";
}

/// Passes on what an observer of this interface wants.
class Relay final : public workflow::Observer {
 public:
  explicit Relay(api::Observer* observer) : observer_(observer) {}
  void progress(const workflow::Progress& p) override {
    if (observer_) observer_->progress({p.stage, p.iteration, p.objective, p.infeasibility, p.seconds});
  }

 private:
  api::Observer* observer_;
};

void add_fit(const workflow::FitOutcome& outcome, Run& run) {
  const estimate::Fit& found = outcome.result.fit;
  run.verdict = verdict_of(workflow::verdict_of(outcome));
  run.status = workflow::name_of(found.status);
  run.text = run.verdict == Verdict::solved ? "fitted" : "not fitted: " + run.status;
  if (!found.message.empty() && run.verdict != Verdict::solved) run.text += ", " + found.message;
  run.iterations = found.iterations;
  run.seconds = outcome.seconds_total;
  if (found.at.good) run.objective = found.at.value;
  for (std::size_t k = 0; k < found.theta.size(); ++k) {
    const estimate::Parameter& parameter = outcome.estimation.parameters[k];
    run.parameters[parameter.name] = workflow::physical(outcome, k, found.theta[k]);
    if (!outcome.analysis.known) continue;
    const auto& interval = outcome.analysis.statistics.parameters[k].interval;
    run.intervals[parameter.name] = {interval.lower, interval.upper};
  }
}

/// An interval ends where the profile crosses; an open side is infinite.
double end_of(const workflow::FitOutcome& outcome, std::size_t parameter, const estimate::ProfileSide& side, double open) {
  using End = estimate::ProfileSide::End;
  if (side.end == End::crossed) return workflow::physical(outcome, parameter, side.at);
  return side.end == End::bound || side.end == End::far ? open : std::numeric_limits<double>::quiet_NaN();
}

void add_search_and_profiles(const workflow::FitOutcome& outcome, Run& run) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (outcome.search) {
    run.starts_solved = outcome.search->good;
    run.starts_at_best = outcome.search->hits;
  }
  if (!outcome.profiles) return;
  for (const estimate::Profile& p : outcome.profiles->profiles)
    run.profiles[outcome.estimation.parameters[p.parameter].name] = {end_of(outcome, p.parameter, p.lower, -infinity),
                                                                     end_of(outcome, p.parameter, p.upper, infinity)};
}

/// A number among the options; "" none. False: it is not a number.
bool read_number(const Job& job, const char* name, std::optional<double>& value, Run& run) {
  auto at = job.options.find(name);
  if (at == job.options.end()) return true;
  value = number_in(at->second);
  if (!value)
    run.diagnostics.push_back({true, "E903", std::string("`") + name + "` is a number, not `" + at->second + "`", "", 0, 0});
  return value.has_value();
}

}  // namespace

Observer::~Observer() = default;

Run solve(const Job& job, const Budget& budget, Observer* observer) {
  Run run;
  workflow::SolveJob inner{
      .load = {}, .solve = {}, .objectives = job.objectives, .front = {.slack = job.slack, .points = job.front_points}};
  if (!read_load(job, inner.load, run) ||
      !read_word("nonsmooth", job.nonsmooth, workflow::nonsmooth_ways, inner.solve.nonsmooth, run))
    return run;
  Sources sources;
  Diagnostics diagnostics;
  if (!read_options(job, inner.solve.options, sources, diagnostics)) {
    add_diagnostics(diagnostics, sources, run);
    return run;
  }
  inner.load.options = sources;
  inner.solve.chain = job.chain;
  inner.solve.init_from = job.init_from;
  inner.solve.output = job.output;
  inner.solve.files = !job.output.empty();
  Relay relay(observer);
  workflow::Run done = workflow::run(inner, bolza::Budget(budget.seconds, budget.interrupt), relay);
  add_diagnostics(done.model->diagnostics, done.model->sources, run);
  if (done.input_is_wrong) return run;
  if (done.outcome) add_outcome(*done.model, *done.outcome, run);
  if (done.points) add_points(*done.objectives, *done.points, run);
  run.verdict = verdict_of(done.verdict());
  return run;
}

Run simulate(const Job& job, const Budget& budget, Observer* observer) {
  Run run;
  workflow::SimulateJob inner{.load = {}, .simulate = {}};
  if (!read_load(job, inner.load, run)) return run;
  workflow::SimulateRequest& request = inner.simulate;
  std::optional<double> step;
  if (!read_number(job, "start", request.start, run) || !read_number(job, "stop", request.stop, run) ||
      !read_number(job, "step", step, run))
    return run;
  request.step = step.value_or(0);
  request.output = job.output;
  request.files = !job.output.empty();
  Sources sources;
  Diagnostics diagnostics;
  if (!read_options(job, request.options, sources, diagnostics)) {
    add_diagnostics(diagnostics, sources, run);
    return run;
  }
  inner.load.options = sources;
  Relay relay(observer);
  workflow::JobRun<workflow::SimulateOutcome> done =
      workflow::run(inner, bolza::Budget(budget.seconds, budget.interrupt), relay);
  add_diagnostics(done.model->diagnostics, done.model->sources, run);
  if (!done.outcome) return run;
  const workflow::SimulateOutcome& outcome = *done.outcome;
  run.verdict = verdict_of(workflow::verdict_of(outcome));
  run.status = outcome.status;
  run.method = outcome.report.method;
  run.seconds = outcome.seconds_total;
  run.text =
      outcome.report.finished() ? "simulated" : "stopped at t = " + shown(outcome.report.time) + ": " + outcome.status;
  add_trajectories(outcome.table, run);
  return run;
}

Run fit(const FitJob& job, const Budget& budget, Observer* observer) {
  Run run;
  workflow::FitRequest inner;
  if (!read_load(job, inner.load, run)) return run;
  inner.data = job.data;
  inner.conditions = job.conditions;
  inner.parameters = job.parameter_table;
  inner.free = job.free;
  inner.priors = job.priors;
  inner.observe = job.observe;
  inner.noise = job.noise;
  inner.output = job.output;
  Sources sources;
  Diagnostics diagnostics;
  if (!read_options(job, inner.options, sources, diagnostics)) {
    add_diagnostics(diagnostics, sources, run);
    return run;
  }
  inner.load.options = sources;
  if (job.starts > 0) {
    inner.search.emplace();
    inner.search->starts = job.starts;
    inner.search->seed = job.seed;
    inner.search->jobs = 0;  // a library starts no processes in a program of others
    inner.search->threads = job.threads > 0 ? job.threads : std::max(1u, std::thread::hardware_concurrency());
  }
  if (job.profiles) inner.profiles.emplace().jobs = 0;
  Relay relay(observer);
  workflow::JobRun<workflow::FitOutcome> done = workflow::run(inner, bolza::Budget(budget.seconds, budget.interrupt), relay);
  add_diagnostics(done.model->diagnostics, done.model->sources, run);
  if (!done.outcome) return run;
  add_fit(*done.outcome, run);
  add_search_and_profiles(*done.outcome, run);
  return run;
}

const char* version() { return BOLZA_VERSION; }

}  // namespace bolza::api
