// SPDX-License-Identifier: Apache-2.0
// What experiments need and add, each by itself.
#pragma once
#include <Eigen/Dense>
#include <vector>

#include "runtime/abi/solution.h"
#include "runtime/estimate/estimator.h"

namespace bolza::estimate {

/// What of an experiment does not depend on θ.
struct ExperimentPlan {
  std::size_t first = 0;                ///< row of its first measurement
  std::vector<double> times;            ///< of measurements, distinct, ascending
  std::vector<std::size_t> time;        ///< [measurements] index of times
  std::vector<std::size_t> parameters;  ///< that have a say in it, ascending
};

/// What one experiment adds; derivatives by its own parameters.
struct ExperimentShare {
  double value = 0, log_likelihood = 0, sum_of_squares = 0;
  OpenNoise open;     ///< sums of its measurements
  double errors = 0;  ///< of the integration, squared, in standard deviations
  Eigen::VectorXd gradient;
  Eigen::MatrixXd fisher;
  Eigen::MatrixXd jumps;  ///< [n_x × times] of the value by the states, for an adjoint; else empty
  bool good = false;
  abi::Finding trouble;
};

}  // namespace bolza::estimate
