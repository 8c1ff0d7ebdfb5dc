// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/job_requests.h"

#include "cli/model_arguments.h"

namespace bolza::cli {

Result<workflow::SolveJob> solve_job(const Arguments& arguments, Sources& sources, Diagnostics& diagnostics) {
  auto request = solve_request(arguments, sources, diagnostics);
  if (!request) return diagnostics.already_reported();
  workflow::SolveJob job{.load = load_request(arguments),
                         .solve = *std::move(request),
                         .objectives = arguments.solve.objectives,
                         .front = {.slack = arguments.solve.slack, .points = arguments.solve.pareto}};
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
  request.start = arguments.horizon.start;
  request.stop = arguments.horizon.stop;
  request.step = arguments.simulate.step;
  request.max_result = arguments.simulate.max_result;
  request.input_file = arguments.simulate.input_file;
  request.method_options = arguments.method.of_integrator;
  request.output = arguments.outputs.result;
  request.csv = arguments.outputs.csv;
  request.report = arguments.outputs.page;
  return job;
}

Result<workflow::FitRequest> fit_request(const Arguments& arguments, Sources& sources, Diagnostics& diagnostics) {
  auto options = solver_options(arguments, sources, diagnostics);
  if (!options) return diagnostics.already_reported();
  workflow::FitRequest request;
  request.load = load_request(arguments);
  request.load.options = sources;
  request.data = arguments.measured.data;
  request.conditions = arguments.measured.conditions;
  request.parameters = arguments.measured.parameters;
  request.free = arguments.measured.free;
  request.observe = arguments.measured.observe;
  request.noise = arguments.measured.noise;
  request.start = arguments.horizon.start;
  request.options = *options;
  request.priors = arguments.fit.priors;
  request.report = arguments.outputs.page;
  request.output = arguments.outputs.result;
  request.analysis.exact_hessian = arguments.fit.exact_errors;
  request.analysis.statistics.level = arguments.fit.level;
  request.analysis.planned_times = arguments.fit.design;
  if (arguments.fit.criterion) request.analysis.criterion = *arguments.fit.criterion;
  request.estimate.evaluate_only = arguments.fit.evaluate;
  request.estimate.check_gradient = arguments.fit.check;
  request.estimate.repetitions = arguments.fit.repeat;
  if (arguments.fit.windows) request.estimate.windows = {*arguments.fit.windows, true};
  request.derivatives = arguments.fit.derivatives;
  return request;
}

}  // namespace bolza::cli
