// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/search/run_search.h"

namespace bolza::estimate {
namespace {

/// Processes are forked: nothing may run beside them in this one.
EstimatorOptions without_threads(EstimatorOptions options) {
  options.threads = 1;
  return options;
}

/// The engine of one of many fits: it shows no progress of its own.
nlp::EngineOptions silent(nlp::EngineOptions engine) {
  engine.progress = nullptr;
  return engine;
}

}  // namespace

SearchResult search(const bolza_problem& problem, const Estimation& estimation, const EstimateRequest& request,
                    const SearchOptions& options) {
  Estimator estimator(problem, estimation, without_threads(request.estimator));
  EstimatorObjective objective(estimator);
  SearchOptions with = options;
  with.engine = silent(request.fit.engine);
  with.budget = request.fit.engine.budget;
  with.parameters.clear();
  for (const Parameter& p : estimation.parameters) with.parameters.push_back(p.name);
  return multi_start(objective, draws_of(estimation), with);
}

ProfileResult profile(const bolza_problem& problem, const Estimation& estimation, const EstimateRequest& request,
                      std::span<const double> optimum, const ProfileOptions& options) {
  Estimator estimator(problem, estimation, without_threads(request.estimator));
  EstimatorObjective objective(estimator);
  ProfileOptions with = options;
  with.engine = silent(request.fit.engine);
  with.budget = request.fit.engine.budget;
  return profile_likelihoods(objective, optimum, with);
}

}  // namespace bolza::estimate
