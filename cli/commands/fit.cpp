// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/numbers.h"
#include "cli/commands.h"
#include "cli/commands/fit_search.h"
#include "cli/commands/job_requests.h"
#include "cli/print.h"
#include "cli/process_limits.h"
#include "cli/progress.h"
#include "cli/watcher.h"
#include "workflow/fit/fit.h"
#include "workflow/fit/fit_report.h"
#include "workflow/run/jobs.h"
#include "workflow/solve/method/solver.h"

namespace bolza::cli {
namespace {

struct Estimate {
  const estimate::Parameter* parameter;
  double start = 0, value = 0;
  const char* at = "";  ///< "lower", "upper": the bound that it stands at
};

std::vector<Estimate> estimates_of(const workflow::FitOutcome& outcome) {
  std::vector<Estimate> out;
  const estimate::Fit& fit = outcome.result.fit;
  for (std::size_t k = 0; k < outcome.estimation.parameters.size(); ++k) {
    const estimate::Parameter& p = outcome.estimation.parameters[k];
    Estimate e{&p, estimate::from_scale(fit.start[k], p.scale), estimate::from_scale(fit.theta[k], p.scale), ""};
    double low = estimate::to_scale(p.lower, p.scale), high = estimate::to_scale(p.upper, p.scale);
    double room = 1e-6 * std::max(1.0, std::isfinite(high - low) ? high - low : std::abs(fit.theta[k]));
    if (p.scale == estimate::Scale::lin) room = 1e-6 * (std::isfinite(high - low) ? high - low : std::abs(e.value));
    if (std::isfinite(low) && fit.theta[k] - low <= room) e.at = "lower";
    if (std::isfinite(high) && high - fit.theta[k] <= room) e.at = "upper";
    out.push_back(e);
  }
  return out;
}

/// What a fit could not evaluate has no value.
nlohmann::json told(const estimate::Fit& fit, double value) {
  return fit.at.good && std::isfinite(value) ? nlohmann::json(value) : nlohmann::json();
}

nlohmann::json number(double value) { return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(); }

nlohmann::json measurements_json(const workflow::FitOutcome& outcome) {
  nlohmann::json all = nlohmann::json::array();
  const estimate::Likelihood& at = outcome.result.fit.at;
  std::size_t row = 0;
  for (const estimate::Experiment& e : outcome.estimation.experiments)
    for (const estimate::Measurement& m : e.measurements) {
      all.push_back({{"experiment", e.name},
                     {"observable", outcome.estimation.observables[m.observable].name},
                     {"time", number(m.time)},
                     {"measured", m.value},
                     {"simulated", number(at.simulated[row])},
                     {"sigma", number(at.sigma[row])},
                     {"residual", number(at.residuals[row])}});
      ++row;
    }
  return all;
}

nlohmann::json report_json(const workflow::Model& model, const workflow::FitOutcome& outcome) {
  const estimate::Fit& fit = outcome.result.fit;
  nlohmann::json o{{"status", workflow::name_of(fit.status)},
                   {"class", outcome.class_name},
                   {"objective", told(fit, fit.at.value)},
                   {"log_likelihood", told(fit, fit.at.log_likelihood)},
                   {"chi_squared", told(fit, fit.at.sum_of_squares * workflow::unit_of_squares(outcome))},
                   {"measurements", outcome.estimation.n_measurements()},
                   {"experiments", outcome.estimation.experiments.size()},
                   {"iterations", fit.iterations},
                   {"simulations", fit.simulations},
                   {"timing",
                    {{"load", outcome.seconds_load},
                     {"compile", outcome.seconds_compile},
                     {"fit", fit.seconds},
                     {"total", outcome.seconds_total}}}};
  if (outcome.result.seconds_again > 0) o["timing"]["again"] = outcome.result.seconds_again;
  if (!fit.message.empty()) o["message"] = fit.message;
  o["parameters"] = nlohmann::json::object();
  for (const Estimate& e : estimates_of(outcome)) {
    nlohmann::json& p = o["parameters"][e.parameter->name];
    p = {{"value", number(e.value)},
         {"start", number(e.start)},
         {"lower", number(e.parameter->lower)},
         {"upper", number(e.parameter->upper)}};
    p["scale"] = e.parameter->scale == estimate::Scale::lin   ? "lin"
                 : e.parameter->scale == estimate::Scale::log ? "log"
                                                              : "log10";
    if (*e.at) p["at_bound"] = e.at;
  }
  if (fit.at.gradient.size() > 0)
    for (std::size_t k = 0; k < outcome.estimation.parameters.size(); ++k)
      o["gradient"][outcome.estimation.parameters[k].name] = told(fit, fit.at.gradient[static_cast<Eigen::Index>(k)]);
  if (!outcome.result.gradient_check.empty())
    for (std::size_t k = 0; k < outcome.estimation.parameters.size(); ++k)
      o["gradient_check"][outcome.estimation.parameters[k].name] = outcome.result.gradient_check[k];
  if (outcome.result.windows > 0) o["windows"] = outcome.result.windows;
  if (outcome.result.without_windows) o["objective_without_windows"] = number(*outcome.result.without_windows);
  add_search_json(outcome, o);
  if (outcome.analysis.known) o["statistics"] = workflow::statistics_json(outcome);
  if (!outcome.report.empty()) o["report"] = outcome.report;
  if (!outcome.output.empty()) o["output"] = outcome.output;
  if (fit.at.good) o["data"] = measurements_json(outcome);
  o["diagnostics"] = to_json(model.diagnostics, model.sources);
  return o;
}

std::string bounds_of(const Estimate& e) {
  return "[" + readable(e.parameter->lower) + ", " + readable(e.parameter->upper) + "]";
}

/// A row for each parameter: value, standard error, confidence interval, and what is to be said about it.
void print_parameters(const workflow::FitOutcome& outcome) {
  bool known = outcome.analysis.known;
  std::size_t width = 9;
  std::vector<Estimate> estimates = estimates_of(outcome);
  for (const Estimate& e : estimates) width = std::max(width, e.parameter->name.size());
  std::printf("  %-*s %12s %10s  %-24s %10s\n", static_cast<int>(width), "parameter", "value", known ? "error" : "",
              known ? "interval" : "bounds", "start");
  for (std::size_t k = 0; k < estimates.size(); ++k) {
    const Estimate& e = estimates[k];
    std::string error, interval = bounds_of(e), remark;
    if (known) {
      const estimate::ParameterStatistics& s = outcome.analysis.statistics.parameters[k];
      bool has = s.at_bound == estimate::AtBound::no && std::isfinite(s.interval.error);
      error = has ? shown(s.interval.physical_error, 2) : "-";
      interval = has ? "[" + shown(s.interval.lower, 4) + ", " + shown(s.interval.upper, 4) + "]" : "-";
      if (s.verdict != estimate::Determination::determined) remark = estimate::name_of(s.verdict);
    }
    if (*e.at) remark = std::string("at its ") + e.at + " bound";
    std::printf("  %-*s %12s %10s  %-24s %10s%s%s\n", static_cast<int>(width), e.parameter->name.c_str(),
                shown(e.value, 6).c_str(), error.c_str(), interval.c_str(), shown(e.start, 4).c_str(),
                remark.empty() ? "" : "  ", remark.c_str());
  }
}

/// How good the fit is, and what the data determine.
void print_statistics(const workflow::FitOutcome& outcome) {
  if (!outcome.analysis.known) {
    bool has_slopes = outcome.result.fit.at.good && outcome.result.fit.at.gradient.size() > 0;
    if (has_slopes && !outcome.analysis.reason.empty()) std::printf("  statistics   %s\n", outcome.analysis.reason.c_str());
    return;
  }
  const estimate::FitStatistics& s = outcome.analysis.statistics;
  const estimate::Goodness& g = s.goodness;
  double unit = workflow::unit_of_squares(outcome);
  std::printf("  fit          chi^2 %s for %s degrees of freedom", shown(g.chi_square * unit, 5).c_str(),
              shown(g.freedom, 6).c_str());
  if (std::isfinite(g.p)) std::printf(" (p = %s)", shown(g.p, 2).c_str());
  if (!outcome.problem.noise_is_known && g.freedom > 0)
    std::printf(", noise %s from the residuals", shown(std::sqrt(g.variance_factor * unit), 3).c_str());
  std::printf("; AIC %s, BIC %s\n", shown(g.aic, 6).c_str(), shown(g.bic, 6).c_str());
  std::printf("  verdict      %s\n", outcome.analysis.verdict.c_str());
  if (outcome.analysis.plan)
    std::printf("  design       %s\n               %s\n", workflow::plan_times_text(outcome).c_str(),
                workflow::plan_text(outcome).c_str());
  for (const std::string& doubt : workflow::doubts_of(outcome)) std::printf("  warning      %s\n", doubt.c_str());
}

void print_windows(const estimate::EstimateResult& result) {
  if (result.windows == 0) return;
  std::string at_once = result.without_windows ? "objective " + readable(*result.without_windows) : "no fit";
  std::printf("  windows      the first 1/%u of the measurements' time, then twice as much, and so on; all at once: %s\n",
              1u << result.windows, at_once.c_str());
}

void print_outcome(const workflow::FitOutcome& outcome, bool evaluated) {
  const estimate::Fit& fit = outcome.result.fit;
  const estimate::Estimation& estimation = outcome.estimation;
  std::printf("%s: %s\n", outcome.class_name.c_str(),
              evaluated && is_solved(outcome) ? "evaluated"
              : is_solved(outcome)            ? "fitted"
                                              : (std::string("not fitted: ") + workflow::name_of(fit.status)).c_str());
  if (!is_solved(outcome) && !fit.message.empty()) std::printf("  reason       %s\n", fit.message.c_str());
  std::printf("  data         %s of %s in %s\n", counted(estimation.n_measurements(), "measurement").c_str(),
              counted(estimation.observables.size(), "observable").c_str(),
              counted(estimation.experiments.size(), "experiment").c_str());
  if (fit.at.good)
    std::printf("  objective    %s (-log likelihood), sum of squared residuals %s\n", readable(fit.at.value).c_str(),
                readable(fit.at.sum_of_squares * workflow::unit_of_squares(outcome)).c_str());
  print_windows(outcome.result);
  print_parameters(outcome);
  print_statistics(outcome);
  double worst = 0;
  for (double d : outcome.result.gradient_check) worst = std::max(worst, d);
  if (!outcome.result.gradient_check.empty())
    std::printf("  gradient     differs from difference quotients by %s\n", readable(worst).c_str());
  print_search(outcome);
  print_profiles(outcome);
  std::printf("  effort       %s, %s; load %.3f s, compile %.3f s, fit %.3f s, total %.3f s\n",
              counted(static_cast<std::size_t>(fit.iterations), "iteration").c_str(),
              counted(fit.simulations, "simulation").c_str(), outcome.seconds_load, outcome.seconds_compile, fit.seconds,
              outcome.seconds_total);
  if (outcome.result.seconds_again > 0)
    std::printf("  again        the fastest evaluation took %s s\n", shown(outcome.result.seconds_again, 3).c_str());
  if (!outcome.report.empty()) std::printf("  report       %s\n", outcome.report.c_str());
  if (!outcome.output.empty()) std::printf("  table        %s\n", outcome.output.c_str());
}

}  // namespace

int run_fit(const Arguments& arguments) {
  Sources sources;
  Diagnostics diagnostics;
  Watcher watcher(arguments);
  auto request = fit_request(arguments, sources, diagnostics);
  if (!request) return refuse_input(diagnostics, sources, arguments);
  add_search(arguments, watcher.line, *request);
  catch_interrupts();
  workflow::JobRun<workflow::FitOutcome> run = workflow::run(*request, budget_of_process(), watcher);
  watcher.line.clear();
  workflow::Model& model = *run.model;
  if (!run.outcome) return refuse_input(model.diagnostics, model.sources, arguments);
  print_diagnostics(model.diagnostics, model.sources, arguments);
  if (arguments.print.json) print_json(report_json(model, *run.outcome));
  else print_outcome(*run.outcome, arguments.fit.evaluate);
  workflow::Verdict verdict = verdict_of(*run.outcome);
  if (verdict == workflow::Verdict::interrupted) return exit_code_of_interrupt(not_solved, arguments);
  return verdict == workflow::Verdict::solved ? fine : not_solved;
}

}  // namespace bolza::cli
