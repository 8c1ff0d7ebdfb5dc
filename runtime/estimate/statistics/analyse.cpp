// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/statistics/analyse.h"

#include "runtime/estimate/statistics/named_relations.h"

namespace bolza::estimate {
namespace {

EstimatorOptions forward(const EstimateRequest& request) {
  EstimatorOptions options = request.estimator;
  options.sensitivity = Sensitivity::forward;
  return options;
}

// Parameters that more data of the same kind could determine.
std::vector<std::uint8_t> within_reach(const FitStatistics& statistics) {
  std::vector<std::uint8_t> out;
  for (const ParameterStatistics& p : statistics.parameters)
    out.push_back(p.at_bound == AtBound::no && p.verdict != Determination::without_effect);
  return out;
}

}  // namespace

Analysis analyse(const bolza_problem& problem, const Estimation& estimation, const EstimateRequest& request,
                 const EstimateResult& result, const AnalysisOptions& options) {
  Analysis out;
  StatisticsOptions wanted = options.statistics;
  const std::vector<double>& theta = result.fit.theta;
  Estimator estimator(problem, estimation, forward(request));
  Likelihood at = result.fit.at;
  if (request.estimator.sensitivity == Sensitivity::none) {
    out.reason = "no derivatives were asked for";
    return out;
  }
  if (theta.size() != estimation.parameters.size() || !at.good) {
    out.reason = "the fit gave no parameters";
    return out;
  }
  if (request.estimator.sensitivity == Sensitivity::adjoint && !request.information) {
    out.reason = "the sensitivities of " + std::to_string(problem.models[problem.phases[0].model]->n_x) + " states by " +
                 std::to_string(theta.size()) +
                 " parameters, which standard errors come from, were left out; `--by forward --evaluate` computes them";
    return out;
  }
  bool complete = at.jacobian.rows() == static_cast<Eigen::Index>(estimation.n_measurements()) && at.fisher.size() > 0;
  if (!complete && !estimator.evaluate(theta, Order::fisher, at)) {
    out.reason = "the sensitivities at the result could not be computed";
    return out;
  }
  Eigen::MatrixXd hessian;
  auto gradient = [&](std::span<const double> where, Eigen::VectorXd& g) {
    Likelihood there;
    bool good = estimator.evaluate(where, Order::gradient, there);
    g = there.gradient;
    return good;
  };
  if (options.exact_hessian) {
    if (!hessian_by_differences(gradient, theta, box_of(estimation), 1e-4, hessian)) {
      out.reason = "the gradients for the Hessian could not be computed";
      return out;
    }
    wanted.hessian = &hessian;
  }
  out.statistics = statistics_of(estimation, at, theta, wanted);
  estimator.set_open_variance(at.open.variance);
  auto residuals_at = [&](std::span<const double> where, Likelihood& there) {
    return estimator.evaluate(where, Order::value, there);
  };
  check_names(residuals_at, estimation, at, theta, out.statistics);
  out.verdict = verdict_of(out.statistics, estimation);
  for (const ExperimentCurves& one : result.curves) {
    out.bands.emplace_back();
    if (one.curves.derivative.empty()) continue;
    for (std::size_t observable : one.observables)
      out.bands.back().push_back(band_of(one.curves, observable, estimation, out.statistics));
  }
  if (options.planned_times > 0) {
    out.plan = plan_times(estimation, result, within_reach(out.statistics), options.planned_times, options.criterion);
    if (!out.plan)
      out.no_plan = "no design of " + std::to_string(options.planned_times) +
                    " times: there are fewer to choose from, or no parameter that they could determine";
  }
  out.known = true;
  return out;
}

}  // namespace bolza::estimate
