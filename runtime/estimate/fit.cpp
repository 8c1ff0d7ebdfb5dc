// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/fit.h"

#include "base/clock.h"
#include "runtime/estimate/objective.h"

namespace bolza::estimate {

Fit fit(Estimator& estimator, const FitOptions& options, std::span<const double> start) {
  Clock::time_point began = Clock::now();
  std::size_t simulations = estimator.n_simulations();
  Fit result;
  result.start.assign(start.begin(), start.end());
  result.theta = result.start;
  estimator.set_open_variance(estimator.estimation().open_variance);
  bool has_slopes = options.engine.hessian == nlp::Hessian::gauss_newton;
  if (!estimator.evaluate(start, has_slopes ? Order::fisher : Order::value, result.at)) {
    result.status = nlp::or_limit(nlp::Status::evaluation_error, options.engine.budget);
    result.message = result.at.trouble.text;
    return result;
  }
  EstimatorObjective objective(estimator);
  LocalFit local = minimise(objective, objective.box(), start, options.engine, options.order_at_end);
  result.status = local.status;
  result.message = local.message;
  result.iterations = local.iterations;
  result.theta = local.theta;
  result.z_lower = local.z_lower;
  result.z_upper = local.z_upper;
  if (local.status != nlp::Status::bad_option) result.at = std::move(local.at);
  result.simulations = estimator.n_simulations() - simulations;
  result.seconds = seconds_since(began);
  return result;
}

}  // namespace bolza::estimate
