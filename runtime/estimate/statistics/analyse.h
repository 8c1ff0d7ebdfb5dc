// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "runtime/estimate/run.h"
#include "runtime/estimate/statistics/plan_times.h"
#include "runtime/estimate/statistics/statistics.h"

namespace bolza::estimate {

/// What is to be said about a fit.
struct AnalysisOptions {
  StatisticsOptions statistics;
  bool exact_hessian =
      false;  ///< covariances by the exact Hessian, by differences of gradients, instead of the Fisher matrix
  std::size_t planned_times = 0;  ///< so many sampling times are chosen for a repetition
  Criterion criterion = Criterion::d;
};

/// What is said about a fit once it is done.
struct Analysis {
  bool known = false;  ///< false: could not be had, `reason` says why
  std::string reason;
  FitStatistics statistics;
  std::string verdict;                   ///< one sentence
  std::vector<std::vector<Band>> bands;  ///< [curves of the result][observables of the curves]; empty without derivatives
  std::optional<TimePlan> plan;
  std::string no_plan;  ///< why there is none, where one was wanted
};

/// Statistics of a fit at its end and the bands of its curves. Where sensitivities were not forward the Fisher matrix is
/// computed forward, once, unless the request says that there is no `information`. Cost  one evaluation, with
/// `exact_hessian` two gradients per parameter; `plan_times`.
Analysis analyse(const bolza_problem& problem, const Estimation& estimation, const EstimateRequest& request,
                 const EstimateResult& result, const AnalysisOptions& options);

}  // namespace bolza::estimate
