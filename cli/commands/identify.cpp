// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/numbers.h"
#include "cli/commands.h"
#include "cli/identification_page.h"
#include "cli/model_arguments.h"
#include "cli/print.h"
#include "cli/process_limits.h"
#include "cli/progress.h"
#include "cli/watcher.h"
#include "workflow/fit/identify.h"
#include "workflow/run/jobs.h"
#include "workflow/spare_inputs.h"

namespace bolza::cli {
namespace {

using estimate::InversionResult;
using estimate::InversionStatus;
using Outcome = workflow::IdentificationOutcome;

const char* word(InversionStatus status) {
  switch (status) {
    case InversionStatus::converged:
      return "converged";
    case InversionStatus::iteration_limit:
      return "iteration_limit";
    case InversionStatus::not_evaluated:
      return "not_evaluated";
    case InversionStatus::stuck:
      return "stuck";
    case InversionStatus::interrupted:
      return "interrupted";
  }
  return "";
}

nlohmann::json number_or_null_of(double v) { return std::isfinite(v) ? nlohmann::json(v) : nlohmann::json(); }

nlohmann::json fit_json(const Outcome& o, const InversionResult& fit) {
  nlohmann::json values = nlohmann::json::object(), errors = nlohmann::json::object();
  for (std::size_t j = 0; j < o.terms.terms.size(); ++j) {
    if (!fit.active[j]) continue;
    values[o.terms.terms[j].name] = fit.a[static_cast<Eigen::Index>(j)];
    errors[o.terms.terms[j].name] = number_or_null_of(fit.standard_error[static_cast<Eigen::Index>(j)]);
  }
  return {{"status", word(fit.status)},
          {"values", values},
          {"standard_errors", errors},
          {"sum_of_squares", number_or_null_of(fit.sum_of_squares)},
          {"deviation", number_or_null_of(fit.deviation)},
          {"iterations", fit.iterations}};
}

nlohmann::json identification_json(const workflow::Model& model, const Outcome& o) {
  const estimate::Identification& r = o.result;
  nlohmann::json j{{"class", o.class_name},
                   {"status", word(r.selection.chosen.status)},
                   {"data_sets", o.estimation.experiments.size()},
                   {"measurements", o.estimation.n_measurements()},
                   {"all", fit_json(o, r.selection.all)},
                   {"chosen", fit_json(o, r.selection.chosen)},
                   {"threshold", o.threshold},
                   {"simulations", r.simulations},
                   {"seconds", o.seconds_total}};
  j["all"]["history"] = r.selection.all.history;
  j["removed"] = nlohmann::json::array();
  j["correlated"] = nlohmann::json::array();
  for (const estimate::Removal& x : r.selection.removed)
    j["removed"].push_back({{"term", o.terms.terms[x.term].name},
                            {"value", x.value},
                            {"standard_error", number_or_null_of(x.standard_error)},
                            {"sum_of_squares", x.sum_of_squares},
                            {"iterations", x.iterations}});
  for (const estimate::CorrelatedPair& c : r.selection.correlated)
    j["correlated"].push_back({o.terms.terms[c.first].name, o.terms.terms[c.second].name, c.correlation});
  for (std::size_t k : r.selection.kept_by_refit) j["kept_by_refit"].push_back(o.terms.terms[k].name);
  if (r.direct) j["direct"] = fit_json(o, *r.direct);
  if (r.starts.size() + r.failed_starts > 1) {
    j["starts"] = r.starts;
    j["failed_starts"] = r.failed_starts;
  }
  for (const estimate::FittedFunction& f : r.functions)
    j["functions"].push_back({{"name", f.name},
                              {"data_set", o.estimation.experiments[f.set].name},
                              {"argument", f.argument},
                              {"value", f.value}});
  if (!r.trouble.text.empty()) j["trouble"] = r.trouble.text;
  j["diagnostics"] = to_json(model.diagnostics, model.sources);
  return j;
}

void print_terms(const Outcome& o) {
  const InversionResult& fit = o.result.selection.chosen;
  std::printf("  %-24s %14s %14s %8s\n", "term", "value", "standard error", "ratio");
  for (std::size_t j = 0; j < o.terms.terms.size(); ++j) {
    if (!fit.active[j]) continue;
    double a = fit.a[static_cast<Eigen::Index>(j)], error = fit.standard_error[static_cast<Eigen::Index>(j)];
    if (std::isinf(error)) std::printf("  %-24s %14.6g %14s\n", o.terms.terms[j].name.c_str(), a, "undetermined");
    else
      std::printf("  %-24s %14.6g %14.3g %8s\n", o.terms.terms[j].name.c_str(), a, error,
                  shown(std::abs(a) / error, 3).c_str());
  }
}

void print_removed(const Outcome& o) {
  const estimate::TermSelection& s = o.result.selection;
  for (const estimate::Removal& x : s.removed)
    std::printf("  left out     %s, which was %s \u00b1 %s\n", o.terms.terms[x.term].name.c_str(), shown(x.value, 3).c_str(),
                std::isfinite(x.standard_error) ? shown(x.standard_error, 3).c_str() : "any");
  for (std::size_t k : s.kept_by_refit)
    std::printf("  kept         %s: small compared with its standard error, but the refit without it is worse\n",
                o.terms.terms[k].name.c_str());
}

constexpr std::size_t most_pairs = 6;

void print_doubtful_terms(const Outcome& o) {
  const estimate::TermSelection& s = o.result.selection;
  for (std::size_t k = 0; k < std::min(s.correlated.size(), most_pairs); ++k)
    std::printf("  correlated   %s and %s: %s\n", o.terms.terms[s.correlated[k].first].name.c_str(),
                o.terms.terms[s.correlated[k].second].name.c_str(), shown(s.correlated[k].correlation, 4).c_str());
  if (s.correlated.size() > most_pairs)
    std::printf("               and %zu more pairs: the data hardly tell these terms apart\n",
                s.correlated.size() - most_pairs);
  for (Eigen::Index c = 0; c < s.chosen.null_directions.cols(); ++c) {
    std::string names;
    for (std::size_t j = 0; j < o.terms.terms.size(); ++j)
      if (std::abs(s.chosen.null_directions(static_cast<Eigen::Index>(j), c)) > 1e-3)
        names += (names.empty() ? "" : ", ") + o.terms.terms[j].name;
    std::printf("  undetermined a combination of %s\n", names.c_str());
  }
}

void print_identification(const Outcome& o) {
  const estimate::Identification& r = o.result;
  const InversionResult &all = r.selection.all, &fit = r.selection.chosen;
  std::printf("%s: %zu of %s stay; %s, %s\n", o.class_name.c_str(), fit.n_active(),
              counted(o.terms.terms.size(), "term").c_str(), counted(o.estimation.experiments.size(), "data set").c_str(),
              counted(o.estimation.n_measurements(), "measurement").c_str());
  if (fit.status != InversionStatus::converged)
    std::printf("  not solved   %s %s\n", word(fit.status), r.trouble.text.c_str());
  std::printf("  all terms    sum of squares %s, deviation of residuals %s, %d iterations\n",
              readable(all.sum_of_squares).c_str(), shown(all.deviation, 4).c_str(), all.iterations);
  if (!r.selection.removed.empty())
    std::printf("  those left   sum of squares %s, deviation of residuals %s\n", readable(fit.sum_of_squares).c_str(),
                shown(fit.deviation, 4).c_str());
  if (r.starts.size() + r.failed_starts > 1) {
    std::size_t best = 0;
    for (double s : r.starts) best += s <= r.starts[0] * (1 + 1e-6);
    std::printf("  multi-start  %zu of %zu starts reach the best, %zu cannot be simulated\n", best,
                r.starts.size() + r.failed_starts, r.failed_starts);
  }
  print_terms(o);
  print_removed(o);
  print_doubtful_terms(o);
  if (r.direct) {
    double most = (r.direct->a - fit.a).lpNorm<Eigen::Infinity>();
    std::printf("  direct way   %s in %d iterations, sum of squares %s, coefficients differ by %s\n", word(r.direct->status),
                r.direct->iterations, readable(r.direct->sum_of_squares).c_str(), shown(most, 2).c_str());
  }
  std::printf("  effort       %zu simulations, %.3f s\n", r.simulations, o.seconds_total);
}

workflow::IdentificationRequest identification_request(const Arguments& a) {
  workflow::IdentificationRequest request;
  request.load = load_request(a);
  request.data = a.measured.data;
  request.conditions = a.measured.conditions;
  request.starts = a.measured.parameters;
  request.terms = a.identify.terms;
  request.free = a.measured.free;
  request.observe = a.measured.observe;
  request.noise = a.measured.noise;
  if (a.horizon.start) request.start = a.horizon.start;
  request.how.selection.threshold = a.identify.threshold;
  request.how.selection.inversion.lambda = a.identify.lambda;
  request.how.select = !a.identify.all_terms;
  request.how.with_direct = a.identify.direct;
  request.how.starts = {a.measured.starts, a.measured.seed, a.identify.spread};
  return request;
}

}  // namespace

int run_identify(const Arguments& arguments) {
  Sources sources;
  Diagnostics diagnostics;
  auto options = solver_options(arguments, sources, diagnostics);
  if (!options) return refuse_input(diagnostics, sources, arguments);
  workflow::IdentificationRequest request = identification_request(arguments);
  request.options = *options;
  request.load.options = sources;
  Watcher watcher(arguments);
  catch_interrupts();
  workflow::JobRun<workflow::IdentificationOutcome> run = workflow::run(request, budget_of_process(), watcher);
  watcher.line.clear();
  workflow::Model& model = *run.model;
  auto refuse = [&] { return refuse_input(model.diagnostics, model.sources, arguments); };
  if (!run.outcome) return refuse();
  if (!workflow::spare_inputs(std::span(&arguments.outputs.page, 1), model.sources, model.diagnostics)) return refuse();
  if (!arguments.outputs.page.empty() && !write_identification_page(*run.outcome, arguments.outputs.page, model.diagnostics))
    return refuse();
  print_diagnostics(model.diagnostics, model.sources, arguments);
  if (arguments.print.json) print_json(identification_json(model, *run.outcome));
  else print_identification(*run.outcome);
  if (!arguments.print.json && !arguments.outputs.page.empty())
    std::printf("  report       %s\n", arguments.outputs.page.c_str());
  workflow::Verdict verdict = verdict_of(*run.outcome);
  if (verdict == workflow::Verdict::interrupted) return exit_code_of_interrupt(not_solved, arguments);
  return verdict == workflow::Verdict::solved ? fine : not_solved;
}

}  // namespace bolza::cli
