// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/job_requests.h"

#include "cli/model_arguments.h"

namespace bolza::cli {

Result<workflow::SolveJob> solve_job(const Arguments& arguments, Sources& sources, Diagnostics& diagnostics) {
  auto request = solve_request(arguments, sources, diagnostics);
  if (!request) return diagnostics.already_reported();
  workflow::SolveJob job{.load = load_request(arguments),
                         .solve = *std::move(request),
                         .objectives = arguments.objectives,
                         .front = {.slack = arguments.slack, .points = arguments.pareto}};
  job.load.options = sources;
  return job;
}

Result<workflow::SimulateJob> simulate_job(const Arguments& arguments, Sources& sources, Diagnostics& diagnostics) {
  auto options = solver_options(arguments, sources, diagnostics);
  if (!options) return diagnostics.already_reported();
  workflow::SimulateJob job{.load = load_request(arguments), .simulate = {}};
  job.load.options = sources;
  workflow::SimulateRequest& request = job.simulate;
  request.options = *std::move(options);
  if (arguments.has_start) request.start = arguments.start;
  if (arguments.has_stop) request.stop = arguments.stop;
  request.step = arguments.step;
  request.max_result = arguments.max_result;
  request.input_file = arguments.input_file;
  request.method_options = arguments.method_options;
  request.output = arguments.output;
  request.csv = arguments.csv;
  request.report = arguments.report;
  return job;
}

Result<workflow::FitRequest> fit_request(const Arguments& arguments, Sources& sources, Diagnostics& diagnostics) {
  auto options = solver_options(arguments, sources, diagnostics);
  if (!options) return diagnostics.already_reported();
  workflow::FitRequest request;
  request.load = load_request(arguments);
  request.load.options = sources;
  request.data = arguments.data;
  request.conditions = arguments.conditions;
  request.parameters = arguments.parameters;
  request.free = arguments.free;
  request.observe = arguments.observe;
  request.noise = arguments.noise;
  if (arguments.has_start) request.start = arguments.start;
  request.options = *options;
  request.priors = arguments.priors;
  request.report = arguments.report;
  request.output = arguments.output;
  request.analysis.exact_hessian = arguments.exact_errors;
  request.analysis.statistics.level = arguments.level;
  request.analysis.planned_times = arguments.design;
  for (std::size_t k = 0; k < estimate::criterion_names.size(); ++k)
    if (arguments.criterion == estimate::criterion_names[k])
      request.analysis.criterion = static_cast<estimate::Criterion>(k);
  request.estimate.evaluate_only = arguments.evaluate;
  request.estimate.check_gradient = arguments.check;
  request.estimate.repetitions = arguments.repeat;
  if (arguments.windows) request.estimate.windows = {*arguments.windows, true};
  if (arguments.by == "forward") request.derivatives = estimate::Sensitivity::forward;
  if (arguments.by == "adjoint") request.derivatives = estimate::Sensitivity::adjoint;
  if (arguments.by == "none") request.derivatives = estimate::Sensitivity::none;
  if (arguments.by == "differences") request.derivatives = estimate::Sensitivity::differences;
  return request;
}

}  // namespace bolza::cli
