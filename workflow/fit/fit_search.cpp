// SPDX-License-Identifier: Apache-2.0
#include "workflow/fit/fit_search.h"

#include <algorithm>

#include "base/digest.h"
#include "base/numbers.h"
#include "workflow/codes.h"

namespace bolza::workflow {
namespace {

/// Everything that fits depend on: the texts that were read and what the command line says, but for how many processes share
/// the work.
std::string digest_of(const Model& model, const FitRequest& request, const estimate::EstimateRequest& run) {
  std::string text = model.class_name + "\n";
  auto add = [&](std::string_view part) { text += std::to_string(part.size()) + ":" + std::string(part); };
  for (std::size_t k = 0; k < model.sources.size(); ++k) add(model.sources.text(SourceId(static_cast<std::uint32_t>(k))));
  for (const auto* list : {&request.free, &request.observe, &request.noise, &request.load.settings})
    for (const std::string& part : *list) add(part);
  for (const auto& [name, value] : request.options.values)
    if (name != "threads") {
      add(name);
      add(value);
    }
  add(exact_text(request.start.value_or(0)));
  add(std::to_string(static_cast<int>(run.estimator.sensitivity)));
  return digest(text);
}

}  // namespace

Result<Done> search(const SolverLibrary& library, const Model& model, const FitRequest& request,
                    const estimate::EstimateRequest& run, estimate::Estimation& estimation, FitOutcome& outcome,
                    Diagnostics& diagnostics) {
  if (!request.search) return Done{};
  estimate::SearchOptions options = *request.search;
  options.name = outcome.class_name;
  options.problem = digest_of(model, request, run);
  outcome.search = library.search(model.abi(), estimation, run, options);
  if (!outcome.search->wrong.empty()) return diagnostics.error(journal_refused, {}, {outcome.search->wrong});
  if (outcome.search->good == 0) return Done{};
  const std::vector<double>& best = outcome.search->fits.front().theta;
  for (std::size_t k = 0; k < best.size(); ++k) {
    estimate::Parameter& p = estimation.parameters[k];
    p.value = std::clamp(estimate::from_scale(best[k], p.scale), p.lower, p.upper);
  }
  return Done{};
}

Result<Done> profile(const SolverLibrary& library, const Model& model, const FitRequest& request,
                     const estimate::EstimateRequest& run, FitOutcome& outcome, Diagnostics& diagnostics) {
  if (!request.profiles || !outcome.result.fit.at.good || outcome.result.fit.status == nlp::Status::interrupted)
    return Done{};
  estimate::ProfileOptions options = *request.profiles;
  const std::vector<estimate::Parameter>& parameters = outcome.estimation.parameters;
  for (const std::string& name : request.profiled) {
    auto named = std::find_if(parameters.begin(), parameters.end(), [&](const auto& p) { return p.name == name; });
    if (named == parameters.end())
      return diagnostics.error(no_such_fit_name, {}, {name, "not a parameter that is estimated"});
    options.parameters.push_back(static_cast<std::size_t>(named - parameters.begin()));
  }
  const estimate::Likelihood& at = outcome.result.fit.at;
  double freedom = static_cast<double>(at.residuals.size()) - static_cast<double>(parameters.size());
  if (!outcome.problem.noise_is_known && freedom > 0) options.freedom = freedom;
  options.confidence = request.analysis.statistics.level;
  outcome.profiles = library.profile(model.abi(), outcome.estimation, run, outcome.result.fit.theta, options);
  return Done{};
}

}  // namespace bolza::workflow
