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

/// An objective with the estimator that it is of.
struct OwnObjective {
  OwnObjective(const bolza_problem& problem, const Estimation& estimation, const EstimatorOptions& options)
      : estimator(problem, estimation, options),
        objective(estimator) {}
  Estimator estimator;
  EstimatorObjective objective;
};

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
  auto another = [&] {
    auto own = std::make_shared<OwnObjective>(problem, estimation, without_threads(request.estimator));
    return std::shared_ptr<FitObjective>(own, &own->objective);
  };
  return multi_start(objective, draws_of(estimation), with, another);
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
