// SPDX-License-Identifier: Apache-2.0
#include "workflow/fit/fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/clock.h"
#include "base/flush_denormals.h"
#include "runtime/result/file.h"
#include "workflow/codes.h"
#include "workflow/fit/assemble.h"
#include "workflow/fit/carried_values.h"
#include "workflow/fit/fit_report.h"
#include "workflow/fit/fit_request.h"
#include "workflow/fit/fit_search.h"
#include "workflow/fit/petab/read_petab.h"
#include "workflow/fit/read_data.h"
#include "workflow/solve/method/solver.h"
#include "workflow/spare_inputs.h"

namespace bolza::workflow {
namespace {

/// Where tables state the standard deviation of some measurements of an observable they state it of all: nothing says how
/// large those would be that are missing.
Result<Done> check_deviations(const FitProblem& problem, Diagnostics& diagnostics) {
  auto is_stated = [](const FitMeasurement& m) { return !std::isnan(m.sigma); };
  std::vector<bool> some_are(problem.observables.size(), false);
  for (const FitMeasurement& m : problem.measurements)
    if (is_stated(m)) some_are[m.observable] = true;
  for (const FitMeasurement& m : problem.measurements) {
    const FitObservable& o = problem.observables[m.observable];
    if (is_stated(m) || !o.noise.empty()) continue;
    if (some_are[m.observable])
      return diagnostics.error(table_malformed, m.span,
                               {"other measurements of `" + o.name + "` have a standard deviation, this one has none"},
                               {{{}, "`--noise \"" + o.name + " = …\"` holds where the table is silent"}});
  }
  return Done{};
}

Result<FitProblem> read_problem(const FitRequest& request, const ModelNames& names, Sources& sources,
                                Diagnostics& diagnostics) {
  FitProblem problem;
  problem.start = request.start.value_or(std::nan(""));
  if (!request.parameters.empty() && !read_parameters(request.parameters, problem, sources, diagnostics))
    return diagnostics.already_reported();
  for (const std::string& text : request.free)
    if (!read_free(text, problem, sources, diagnostics)) return diagnostics.already_reported();
  if (!read_priors(request.priors, problem, sources, diagnostics)) return diagnostics.already_reported();
  if (!request.conditions.empty() && !read_conditions(request.conditions, problem, sources, diagnostics))
    return diagnostics.already_reported();
  if (!read_observables(request.observe, request.noise, problem, sources, diagnostics))
    return diagnostics.already_reported();
  std::set<std::string> files;
  for (const std::string& file : request.data)
    if (!files.insert(file).second) return diagnostics.error(table_malformed, {}, {"`" + file + "` is given twice"});
    else if (!read_measurements(file, request.data.size() > 1, names, problem, sources, diagnostics))
      return diagnostics.already_reported();
  if (!check_deviations(problem, diagnostics)) return diagnostics.already_reported();
  for (const FitCondition& c : problem.conditions)
    if (std::none_of(problem.measurements.begin(), problem.measurements.end(),
                     [&](const FitMeasurement& m) { return m.condition == c.name || m.equilibration == c.name; }))
      diagnostics.warning(never_measured, c.span, {c.name});
  for (std::size_t k = 0; k < problem.observables.size(); ++k)
    if (std::none_of(problem.measurements.begin(), problem.measurements.end(),
                     [&](const FitMeasurement& m) { return m.observable == k; }))
      diagnostics.warning(observable_not_measured, problem.observables[k].span, {problem.observables[k].name});
  return problem;
}

/// The options of the engine and of the integration.
void set_options(const driver::Options& options, estimate::EstimateRequest& request) {
  driver::Options with = options;
  if (!with.has("nlp")) with.values["nlp"] = "trust-region";
  if (!with.has("tol")) with.values["tol"] = "1e-6";  // integrations leave noise in the gradient
  transcribe::TranscribeOptions t = transcribe_options(with);
  const nlp::EngineOptions hooks = request.fit.engine;
  request.fit.engine = t.nlp;
  request.fit.engine.relative_gap = 0;
  bool gradients_alone = request.estimator.sensitivity == estimate::Sensitivity::adjoint;
  if (!options.has("hessian"))
    request.fit.engine.hessian = gradients_alone ? nlp::Hessian::lbfgs : nlp::Hessian::gauss_newton;
  request.fit.engine.progress = hooks.progress;
  request.fit.engine.progress_context = hooks.progress_context;
  request.fit.engine.budget = hooks.budget;
  request.estimator.threads = t.threads;
  if (options.has("rtol")) request.estimator.rtol = options.number("rtol");
  if (options.has("integrator")) request.estimator.integrator = options.text("integrator");
}

estimate::Sensitivity derivatives_of(const FitRequest& request, std::size_t parameters) {
  bool gauss_newton = request.options.has("hessian") && request.options.text("hessian") == "gauss-newton";
  bool many = parameters > FitRequest::most_forward && !gauss_newton;
  return request.derivatives.value_or(many ? estimate::Sensitivity::adjoint : estimate::Sensitivity::forward);
}

bool check_derivatives(const FitRequest& request, estimate::Sensitivity derivatives, Diagnostics& diagnostics) {
  if (derivatives == estimate::Sensitivity::none && (!request.estimate.evaluate_only || request.estimate.check_gradient)) {
    diagnostics.error(cannot_combine, {},
                      {request.estimate.check_gradient ? "`--by none` has no gradient, `--check` compares one"
                                                       : "`--by none` has no derivatives, a fit needs them"},
                      {{{}, "`--by none --evaluate` computes the likelihood alone"}});
    return false;
  }
  bool fisher = request.options.has("hessian") && request.options.text("hessian") == "gauss-newton";
  if (derivatives != estimate::Sensitivity::adjoint || !fisher) return true;
  diagnostics.error(cannot_combine, request.options.place("hessian"),
                    {"`--by adjoint` has gradients alone, `--hessian gauss-newton` needs sensitivities"},
                    {{{}, "`--hessian lbfgs`, or `--by forward`"}});
  return false;
}

/// Standard errors come from forward sensitivities of all states by all parameters, which is what adjoints are chosen to do
/// without. At the end of a fit they are worth more than beside one gradient.
bool wants_information(const FitRequest& request, const bolza_problem& problem, std::size_t parameters) {
  constexpr std::size_t most_at_end = 200000,
                        most_beside_gradient = 20000;  // sensitivities: seconds to a minute of stiff steps
  if (request.analysis.exact_hessian || request.analysis.planned_times > 0) return true;
  std::size_t states = problem.models[problem.phases[0].model]->n_x;
  return states * parameters <= (request.estimate.evaluate_only ? most_beside_gradient : most_at_end);
}

/// A problem of PEtab says all of it in its own tables.
bool only_tables(const FitRequest& request, Diagnostics& diagnostics) {
  const std::pair<const char*, bool> given[] = {{"--data", !request.data.empty()},
                                                {"--conditions", !request.conditions.empty()},
                                                {"--parameters", !request.parameters.empty()},
                                                {"--free", !request.free.empty()},
                                                {"--prior", !request.priors.empty()},
                                                {"--observe", !request.observe.empty()},
                                                {"--noise", !request.noise.empty()},
                                                {"--start", request.start.has_value()}};
  for (auto [option, is_given] : given)
    if (is_given) {
      diagnostics.error(cannot_combine, {}, {"the tables of a PEtab problem say what `" + std::string(option) + "` says"});
      return false;
    }
  return true;
}

}  // namespace

Result<FitOutcome> fit(std::unique_ptr<Model>& model, FitProblem problem, const FitRequest& request) {
  FlushDenormals flush;
  FitOutcome outcome;
  outcome.class_name = model->class_name;
  if (!spare_inputs(std::array{request.report, request.output}, model->sources, model->diagnostics))
    return model->diagnostics.already_reported();
  auto library = solver_library(model->diagnostics);
  if (!library) return model->diagnostics.already_reported();
  if (!check_names(request.options, **library, model->diagnostics)) return model->diagnostics.already_reported();
  Result<FitLoad> load = fit_request(*model, problem, model->diagnostics);
  if (!load || !load_again(model, *load)) return model->diagnostics.already_reported();
  if (!model->compile({.calls = codegen::Calls::one})) return model->diagnostics.already_reported();
  Result<estimate::Estimation> estimation = assemble(*model, problem, model->diagnostics);
  if (!estimation) return model->diagnostics.already_reported();
  outcome.problem = std::move(problem);
  outcome.estimation = *std::move(estimation);
  estimate::EstimateRequest run = request.estimate;
  run.estimator.sensitivity = derivatives_of(request, outcome.estimation.parameters.size());
  if (!check_derivatives(request, run.estimator.sensitivity, model->diagnostics))
    return model->diagnostics.already_reported();
  if (run.estimator.sensitivity != estimate::Sensitivity::none && !check_carried_values(*model, model->diagnostics))
    return model->diagnostics.already_reported();
  set_options(request.options, run);
  bool draws = !request.report.empty() || request.analysis.planned_times > 0;
  if (!draws || run.estimator.sensitivity == estimate::Sensitivity::none)
    run.curve_points = 0;  // curves with sensitivities cost as much as a gradient
  run.information = wants_information(request, model->abi(), outcome.estimation.parameters.size());
  if (run.estimator.sensitivity == estimate::Sensitivity::adjoint && !run.information)
    run.fit.order_at_end = estimate::Order::gradient;
  if (!search(**library, *model, request, run, outcome.estimation, outcome, model->diagnostics))
    return model->diagnostics.already_reported();
  outcome.result = (*library)->estimate(model->abi(), outcome.estimation, run);
  if (const estimate::Likelihood& at = outcome.result.fit.at; at.good && at.open.weight > 0) {
    outcome.estimation.open_variance = at.open.variance;
    outcome.estimation.holds_noise = true;
  }
  outcome.result.fit.message = in_formulas(outcome.problem, std::move(outcome.result.fit.message));
  if (!profile(**library, *model, request, run, outcome, model->diagnostics)) return model->diagnostics.already_reported();
  estimate::AnalysisOptions analysis = request.analysis;
  analysis.statistics.noise_known = outcome.problem.noise_is_known;
  outcome.analysis = (*library)->analyse(model->abi(), outcome.estimation, run, outcome.result, analysis);
  outcome.seconds_load = model->seconds_load;
  outcome.seconds_compile = model->seconds_compile;
  outcome.seconds_total = seconds_since(model->began);
  if (!request.report.empty()) {
    std::string page = result::fit_html(fit_page(*model, outcome));
    if (!result::write_file(request.report, page, model->diagnostics)) return model->diagnostics.already_reported();
    outcome.report = request.report;
  }
  if (!request.output.empty() && outcome.result.fit.at.good) {
    if (!result::write_file(request.output, fitted_table(outcome), model->diagnostics))
      return model->diagnostics.already_reported();
    outcome.output = request.output;
  }
  return outcome;
}

Result<FitOutcome> fit(std::unique_ptr<Model>& model, const FitRequest& request) {
  if (is_petab(request.load.file)) {
    if (!only_tables(request, model->diagnostics)) return model->diagnostics.already_reported();
    Result<FitProblem> problem = read_petab(*model, request.load);
    if (!problem) return model->diagnostics.already_reported();
    return fit(model, *std::move(problem), request);
  }
  LoadRequest load = request.load;
  load.events = passes::Events::keep;
  if (!model->load(load)) return model->diagnostics.already_reported();
  Result<FitProblem> problem = read_problem(request, names_of(*model), model->sources, model->diagnostics);
  if (!problem) return model->diagnostics.already_reported();
  return fit(model, *std::move(problem), request);
}

double unit_of_squares(const FitOutcome& outcome) {
  return outcome.problem.noise_is_known ? 1 : outcome.estimation.open_variance;
}

bool is_solved(const FitOutcome& outcome) {
  nlp::Status status = outcome.result.fit.status;
  return status == nlp::Status::solved || status == nlp::Status::acceptable;
}

const char* name_of(nlp::Status status) {
  switch (status) {
    case nlp::Status::solved:
      return "solved";
    case nlp::Status::acceptable:
      return "solved_to_acceptable_tolerance";
    case nlp::Status::infeasible:
      return "infeasible";
    case nlp::Status::iteration_limit:
      return "iteration_limit";
    case nlp::Status::time_limit:
      return "time_limit";
    case nlp::Status::diverging:
      return "diverging";
    case nlp::Status::evaluation_error:
      return "evaluation_error";
    case nlp::Status::interrupted:
      return "interrupted";
    case nlp::Status::bad_option:
      return "bad_option";
    case nlp::Status::failed:
      return "failed";
  }
  return "";
}

double physical(const FitOutcome& outcome, std::size_t parameter, double scaled) {
  return estimate::from_scale(scaled, outcome.estimation.parameters[parameter].scale);
}

}  // namespace bolza::workflow
