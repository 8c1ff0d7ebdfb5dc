// SPDX-License-Identifier: Apache-2.0
#include "workflow/study/point_job.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <new>
#include <utility>

#include "base/content_hash.h"
#include "base/expects.h"
#include "base/interrupt.h"
#include "base/numbers.h"
#include "workflow/fit/petab/read_petab.h"
#include "workflow/solve/report/named_values.h"
#include "workflow/study_codes.h"

namespace bolza::workflow {
namespace {

using Kind = PointRecord::Kind;

LoadRequest& load_of(StudyJob& job) {
  return std::visit([](auto& what) -> LoadRequest& { return what.load; }, job.what);
}

LoadRequest load_at(const StudyJob& job, const Plan& plan, std::size_t point) {
  LoadRequest load = std::visit([](const auto& what) { return what.load; }, job.what);
  load.settings = plan.common();
  for (std::string& setting : plan.settings(point)) load.settings.push_back(std::move(setting));
  return load;
}

/// Says once that the kernels are there: at the first sign of work that needs them.
class ReadyObserver final : public Observer {
 public:
  explicit ReadyObserver(const std::function<void()>& ready) : ready_(ready) {}
  void progress(const Progress& p) override {
    if (p.iteration > 0) tell();
  }
  void simulated(double, double) override { tell(); }

 private:
  void tell() {
    if (!std::exchange(told_, true)) ready_();
  }
  const std::function<void()>& ready_;
  bool told_ = false;
};

/// The first error, in one line.
std::string first_error(const Model& model) {
  for (const Diagnostic& d : model.diagnostics.all()) {
    if (d.severity != Severity::error) continue;
    std::string place = d.span ? where(model.sources, d.span) + ": " : "";
    return place + d.message + " [" + std::string(d.code->id) + "]";
  }
  return "";
}

Kind kind_of(Verdict verdict) {
  return verdict == Verdict::solved ? Kind::solved : verdict == Verdict::solved_with_warnings ? Kind::warned : Kind::failed;
}

/// Collects the results that are wanted.
class Results {
 public:
  Results(const std::vector<std::string>& wanted, PointRecord& record) : wanted_(wanted), record_(record) {}

  void add(const std::string& name, double value) {
    bool is_wanted =
        wanted_.empty() ? record_.results.size() < most_results : std::ranges::find(wanted_, name) != wanted_.end();
    if (is_wanted) record_.results.emplace_back(name, value);
  }
  template <class Values>
  void add_all(const std::string& prefix, const Values& values) {
    for (const auto& [name, value] : values) add(prefix + name, value);
  }

 private:
  const std::vector<std::string>& wanted_;
  PointRecord& record_;
};

void refuse(const Model& model, PointRecord& record) {
  record.kind = Kind::broken;
  record.status = "input_error";
  record.message = first_error(model);
}

std::string text_of_warnings(const Warnings& warnings) {
  std::string text;
  for (const Warning& warning : warnings) text += (text.empty() ? "" : ", ") + std::string(name_of(warning.kind));
  return text;
}

void take(const Run& run, const std::vector<std::string>& wanted, PointRecord& record) {
  if (run.input_is_wrong || !run.outcome) return refuse(*run.model, record);
  const SolveOutcome& outcome = *run.outcome;
  const abi::Solution& s = outcome.solution;
  record.kind = kind_of(run.verdict());
  record.status = abi::name_of(s.status);
  record.message = record.is_good() ? text_of_warnings(outcome.warnings) : text_of_verdict(outcome);
  if (std::string same = record.status + ": "; record.message.starts_with(same)) record.message.erase(0, same.size());
  Results results(wanted, record);
  results.add("objective", s.objective);
  if (outcome.accuracy.known) results.add("objective_error", outcome.accuracy.objective_error);
  results.add("iterations", s.statistics.iterations);
  if (!s.phases.empty()) results.add("final_time", s.phases.back().final_time);
  results.add_all("", parameters_of(*run.model, s));
  results.add_all("final.", final_values(run.model->abi(), s));
}

void take(const JobRun<SimulateOutcome>& run, const std::vector<std::string>& wanted, PointRecord& record) {
  if (!run.outcome) return refuse(*run.model, record);
  const SimulateOutcome& outcome = *run.outcome;
  record.kind = kind_of(verdict_of(outcome));
  record.status = outcome.status;
  if (!outcome.report.finished())
    record.message = outcome.report.message.empty() ? first_error(*run.model) : outcome.report.message;
  Results results(wanted, record);
  results.add("time", outcome.report.time);
  results.add("steps", static_cast<double>(outcome.report.steps));
  results.add_all("final.", outcome.final);
}

void take(const JobRun<FitOutcome>& run, const std::vector<std::string>& wanted, PointRecord& record) {
  if (!run.outcome) return refuse(*run.model, record);
  const FitOutcome& outcome = *run.outcome;
  const estimate::Fit& fit = outcome.result.fit;
  record.kind = kind_of(verdict_of(outcome));
  record.status = name_of(fit.status);
  if (!record.is_good()) record.message = fit.message;
  Results results(wanted, record);
  bool has_value = fit.at.good;
  results.add("objective", has_value ? fit.at.value : std::nan(""));
  results.add("chi_squared", has_value ? fit.at.sum_of_squares * unit_of_squares(outcome) : std::nan(""));
  results.add("iterations", fit.iterations);
  const auto& parameters = outcome.estimation.parameters;
  for (std::size_t k = 0; k < parameters.size() && k < fit.theta.size(); ++k)
    results.add(parameters[k].name, physical(outcome, k, fit.theta[k]));
  for (std::size_t k = 0; outcome.analysis.known && k < outcome.analysis.statistics.parameters.size(); ++k)
    results.add("error." + parameters[k].name, outcome.analysis.statistics.parameters[k].interval.physical_error);
}

Budget budget_of(const StudyJob& job) { return Budget(job.seconds, &interrupt_flag()); }

bool is_good(const Run& run) { return !run.input_is_wrong && run.outcome && abi::is_solution(run.outcome->solution.status); }

/// From the solution of the point before, in as few steps as lead there.
class Continuation {
 public:
  Continuation(const SolveJob& job, const Plan& plan, std::size_t point, Budget budget, Observer& observer)
      : job_(job),
        budget_(budget),
        observer_(observer),
        axis_(*plan.along()),
        plan_(plan),
        from_(plan.numbers(*plan.before(point))[axis_]),
        to_(plan.numbers(point)[axis_]) {}

  /// The run of the last step; none: no number of steps leads there.
  std::optional<Run> run() {
    constexpr int most_steps = 16;
    for (steps_ = 1; steps_ <= most_steps && !budget_.ended(); steps_ *= 2)
      if (std::optional<Run> found = in_steps()) return found;
    return {};
  }
  int steps() const { return steps_; }

 private:
  std::optional<Run> in_steps() {
    std::optional<Run> last;
    for (int k = 1; k <= steps_; ++k) {
      SolveJob job = job_;
      if (k < steps_) {
        std::size_t at = job.load.settings.size() - plan_.axes().size() + axis_;
        job.load.settings[at] = plan_.setting(axis_, exact_text(from_ + (to_ - from_) * k / steps_));
        job.solve.files = false;
      }
      if (last) {
        job.solve.init_from.clear();
        job.solve.guess = &last->outcome->solution;
      }
      Run run = workflow::run(job, budget_, observer_);
      if (!is_good(run)) return {};
      last = std::move(run);
    }
    return last;
  }

  const SolveJob& job_;
  Budget budget_;
  Observer& observer_;
  std::size_t axis_;
  const Plan& plan_;
  double from_, to_;
  int steps_ = 1;
};

void solve_at(const StudyJob& study, SolveJob job, const Plan& plan, const PointFiles& files, Observer& observer,
              PointRecord& record) {
  job.solve.files = !files.trajectory.empty();
  job.solve.output = files.trajectory;
  job.solve.options.values.try_emplace("multi-start", "0");  // a study of guesses is where other optima are looked for
  if (plan.guess(record.point) > 0) {
    job.solve.options.values["guess"] = "perturbed";
    job.solve.options.values["seed"] = std::to_string(plan.seed_of_guess(record.point));
  }
  Budget budget = budget_of(study);
  if (!plan.along()) return take(run(job, budget, observer), study.results, record);
  double steps = 0;
  bool branch_ends = false;
  if (!files.guess.empty()) {
    SolveJob next = job;
    next.solve.init_from = files.guess;
    Continuation continuation(next, plan, record.point, budget, observer);
    if (std::optional<Run> found = continuation.run()) {
      steps = continuation.steps();
      take(*found, study.results, record);
    }
    branch_ends = steps == 0 && !budget.ended();
  }
  if (steps == 0) take(run(job, budget, observer), study.results, record);
  if (branch_ends)
    record.message += std::string(record.message.empty() ? "" : ", ") +
                      "nothing continues the solution of the point before: a fold, or the end of the branch";
  Results(study.results, record).add("steps_from_neighbour", steps);
}

void simulate_at(const StudyJob& study, SimulateJob job, const PointFiles& files, Observer& observer, PointRecord& record) {
  job.simulate.files = !files.trajectory.empty();
  job.simulate.output = files.trajectory;
  take(run(job, budget_of(study), observer), study.results, record);
}

void fit_at(const StudyJob& study, FitRequest job, const Plan& plan, Observer& observer, PointRecord& record) {
  if (plan.guess(record.point) > 0) {
    estimate::SearchOptions& search = job.search.emplace();
    search.starts = 1;
    search.seed = plan.seed_of_guess(record.point);
    search.jobs = 0;
  }
  take(run(job, budget_of(study), observer), study.results, record);
}

std::string text_of_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

Result<Done> check_job(const StudyJob& job, const Plan& plan, bool keeps_trajectories, Diagnostics& diagnostics) {
  auto wrong = [&](const char* what, const char* why) { return diagnostics.error(not_in_studies, {}, {what, why}); };
  const auto* solve = std::get_if<SolveJob>(&job.what);
  const auto* fit = std::get_if<FitRequest>(&job.what);
  if (solve && solve->front.points > 0)
    return wrong("--pareto", "a front is several solves; vary weights by `--set`, or call `bolza solve --pareto`");
  if (!solve && plan.along()) return wrong("--continuation", "only a solve starts from a solution");
  if (fit && keeps_trajectories) return wrong("--keep-trajectories", "the result of a fit is not a trajectory");
  if (fit && is_petab(fit->load.file) && !plan.axes().empty())
    return wrong("a problem of PEtab", "its tables say what its parameters are; `--guesses N` fits it from many starts");
  if (fit && plan.has_guesses() && fit->search) return wrong("--starts", "`--guesses` already fits from many starts");
  if (std::holds_alternative<SimulateJob>(job.what) && plan.has_guesses())
    return wrong("--guesses", "a simulation starts at its initial values: vary them by `--set`");
  return Done{};
}

PointRecord run_point(const StudyJob& job, const Plan& plan, std::size_t point, const PointFiles& files,
                      const std::function<void()>& ready) {
  PointRecord record;
  record.point = point;
  record.values = plan.values(point);
  Clock::time_point begin = Clock::now();
  ReadyObserver observer(ready);
  StudyJob own = job;
  load_of(own) = load_at(job, plan, point);
  if (auto* solve = std::get_if<SolveJob>(&own.what)) solve_at(job, std::move(*solve), plan, files, observer, record);
  else if (auto* simulate = std::get_if<SimulateJob>(&own.what))
    simulate_at(job, std::move(*simulate), files, observer, record);
  else fit_at(job, std::move(std::get<FitRequest>(own.what)), plan, observer, record);
  record.seconds = seconds_since(begin);
  return record;
}

std::unique_ptr<Model> model_at(const StudyJob& job, const Plan& plan, std::size_t point) {
  auto model = std::make_unique<Model>();
  LoadRequest load = load_at(job, plan, point);
  if (!std::holds_alternative<SolveJob>(job.what)) load.events = passes::Events::keep;
  bool is_read = is_petab(load.file) ? !read_petab(*model, load).failed() : !model->load(load).failed();
  expects(is_read || model->diagnostics.errors() > 0, "what cannot be read is told");
  return model;
}

bool has_wrong_text(const Model& model) {
  return std::ranges::any_of(model.diagnostics.all(), [](const Diagnostic& d) {
    bool is_of_text = d.code->id.size() == 4 && (d.code->id[1] == '1' || d.code->id[1] == '2' || d.code->id[1] == '9');
    return d.severity == Severity::error && is_of_text;
  });
}

std::string digest_of_model(const Model& model) {
  ContentHash hash;
  for (std::uint32_t k = 0; k < model.sources.size(); ++k)
    if (SourceId id(k); model.sources.path(id) != "command line") hash = content_hash(model.sources.text(id), hash);
  return to_text(hash);
}

std::string digest_of_files(const StudyJob& job) {
  std::vector<std::string> files;
  auto add = [&](const std::string& file) {
    if (!file.empty()) files.push_back(file);
  };
  if (const auto* solve = std::get_if<SolveJob>(&job.what)) add(solve->solve.init_from);
  if (const auto* simulate = std::get_if<SimulateJob>(&job.what)) add(simulate->simulate.input_file);
  if (const auto* fit = std::get_if<FitRequest>(&job.what)) {
    for (const std::string& table : fit->data) add(table);
    add(fit->conditions);
    add(fit->parameters);
  }
  add(std::visit([](const auto& what) { return what.load.scenarios.file; }, job.what));
  ContentHash hash;
  for (const std::string& file : files) hash = content_hash(text_of_file(file), hash);
  return to_text(hash);
}

}  // namespace bolza::workflow
