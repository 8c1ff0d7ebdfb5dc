// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "runtime/estimate/estimator.h"
#include "runtime/nlp/nlp.h"

namespace bolza::estimate {

/// From one start.
struct FitOptions {
  nlp::EngineOptions engine;           ///< `hessian` gauss_newton: Fisher information; lbfgs: gradients alone
  Order order_at_end = Order::fisher;  ///< of what `Fit::at` holds
};

struct Fit {
  nlp::Status status = nlp::Status::failed;
  std::string message;
  std::vector<double> start, theta;      ///< [parameters] on their scales
  std::vector<double> z_lower, z_upper;  ///< [parameters] multipliers of bounds
  Likelihood at;                         ///< at theta, with fisher where it can be had
  int iterations = 0;
  std::size_t simulations = 0;
  double seconds = 0;
};

/// Minimises the estimator's value from a start within its bounds by an engine of the table.
/// Errors  as the report's status; the start cannot be simulated: evaluation_error with the trouble.
Fit fit(Estimator& estimator, const FitOptions& options, std::span<const double> start);

}  // namespace bolza::estimate
