// SPDX-License-Identifier: Apache-2.0
#include "workflow/run/jobs.h"

#include <array>
#include <utility>

#include "workflow/codes.h"
#include "workflow/spare_inputs.h"

namespace bolza::workflow {
namespace {

/// The engine's progress of a fit.
void tell_of_fit(void* context, const nlp::EngineProgress& at) {
  static_cast<Observer*>(context)->progress({"fit", at.iteration, at.objective, at.dual_infeasibility, at.seconds});
}

/// Derivatives of the objective that was minimised, where it is to be maximised, with the sign of the one that is written.
void give_back_sign(GradientResult& g) {
  std::size_t rows = std::max<std::size_t>(g.outputs.size(), 1);
  auto flip = [&](std::vector<double>& values, std::size_t row) {
    std::size_t count = values.size() / rows;
    for (std::size_t k = row * count; k < (row + 1) * count; ++k) values[k] = -values[k];
  };
  for (std::size_t row = 0; row < rows; ++row) {
    bool is_objective = g.outputs.empty() || g.outputs[row].row == 0;
    if (!is_objective) continue;
    if (!g.outputs.empty()) g.values[row] = -g.values[row];
    for (auto& way : g.ways) {
      flip(way.gradient, row);
      flip(way.along, row);
    }
    flip(g.hessian, row);
    flip(g.product, row);
  }
}

std::string joined(const std::vector<std::string>& expressions) {
  std::string text;
  for (const std::string& one : expressions) text += (text.empty() ? "" : ",\n") + one;
  return text;
}

/// Loads again where parameters have to be free, or expressions are differentiated.
Result<Done> load_for_gradient(const GradientJob& job, GradientRequest& request, std::unique_ptr<Model>& model) {
  LoadRequest load = job.load;
  if (!model->load(load)) return model->diagnostics.already_reported();
  std::vector<std::string> free = freeing_settings(*model, request.directions);
  std::string text = joined(job.outputs);
  request.outputs = split_outputs(text);
  if (!job.outputs.empty() && request.outputs.empty())
    return model->diagnostics.error(no_such_output, {}, {text, "it names nothing"});
  load.outputs = output_expressions(*model, text, request.outputs);
  if (free.empty() && load.outputs.parts.empty()) return Done{};
  load.settings.insert(load.settings.end(), free.begin(), free.end());
  model = std::make_unique<Model>();
  return model->load(load);
}

}  // namespace

JobRun<SimulateOutcome> run(const SimulateJob& job, const Budget& budget, Observer& observer) {
  JobRun<SimulateOutcome> out{std::make_unique<Model>(), {}};
  Model& model = *out.model;
  LoadRequest load = job.load;
  load.events = passes::Events::keep;
  if (!model.load(load)) return out;
  const std::array outputs{job.simulate.output, job.simulate.csv, job.simulate.report};
  if (!spare_inputs(outputs, model.sources, model.diagnostics)) return out;
  observer.loaded(model);
  SimulateRequest request = job.simulate;
  request.budget = budget;
  request.progress = [&](double t, double stop) { observer.simulated(t, stop); };
  if (Result<SimulateOutcome> found = simulate(model, request)) out.outcome = *std::move(found);
  return out;
}

JobRun<GradientResult> run(const GradientJob& job, Observer& observer) {
  JobRun<GradientResult> out{std::make_unique<Model>(), {}};
  GradientRequest request = job.gradient;
  GradientJob with = job;
  with.load.events = passes::Events::keep;
  with.load.literal_phases = true;
  if (job.as_written) with.load.form = request.written ? passes::Form::explicit_rates : passes::Form::original;
  if (!load_for_gradient(with, request, out.model)) return out;
  request.progress = [&](const char* by, std::size_t done, std::size_t of) { observer.differentiated(by, done, of); };
  Result<GradientResult> found = gradient(*out.model, request);
  if (!found) return out;
  out.outcome = *std::move(found);
  if (out.model->problem.maximize) give_back_sign(*out.outcome);
  return out;
}

JobRun<FitOutcome> run(const FitRequest& job, const Budget& budget, Observer& observer) {
  JobRun<FitOutcome> out{std::make_unique<Model>(), {}};
  out.model->sources = job.load.options;
  FitRequest request = job;
  nlp::EngineOptions& engine = request.estimate.fit.engine;
  engine.budget = request.estimate.estimator.budget = budget;
  if (request.profiles) request.profiles->budget = budget;
  engine.progress = tell_of_fit;
  engine.progress_context = &observer;
  if (Result<FitOutcome> found = fit(out.model, request)) out.outcome = *std::move(found);
  return out;
}

JobRun<IdentificationOutcome> run(const IdentificationRequest& job, const Budget& budget, Observer& observer) {
  JobRun<IdentificationOutcome> out{std::make_unique<Model>(), {}};
  out.model->sources = job.load.options;
  IdentificationRequest request = job;
  request.how.estimator.budget = request.how.selection.inversion.budget = budget;
  request.how.selection.inversion.progress = [&](int iteration, double sum) {
    observer.progress({"identification", iteration, sum, 0, 0});
  };
  if (Result<IdentificationOutcome> found = identify(out.model, request)) out.outcome = *std::move(found);
  return out;
}

Verdict verdict_of(const SimulateOutcome& outcome) {
  const integrate::SimulateReport& report = outcome.report;
  bool doubtful = !report.undetermined.empty() || !report.jumps.empty() || !report.undecided.empty();
  if (outcome.report.finished()) return doubtful ? Verdict::solved_with_warnings : Verdict::solved;
  return outcome.report.status == integrate::SimulateStatus::interrupted ? Verdict::interrupted : Verdict::not_solved;
}

Verdict verdict_of(const FitOutcome& outcome) {
  nlp::Status status = outcome.result.fit.status;
  bool cut = (outcome.search && outcome.search->interrupted) || (outcome.profiles && outcome.profiles->interrupted);
  if (cut || status == nlp::Status::interrupted) return Verdict::interrupted;
  return is_solved(outcome) ? Verdict::solved : Verdict::not_solved;
}

Verdict verdict_of(const IdentificationOutcome& outcome) {
  estimate::InversionStatus status = outcome.result.selection.chosen.status;
  if (status == estimate::InversionStatus::interrupted) return Verdict::interrupted;
  return status == estimate::InversionStatus::converged ? Verdict::solved : Verdict::not_solved;
}

}  // namespace bolza::workflow
