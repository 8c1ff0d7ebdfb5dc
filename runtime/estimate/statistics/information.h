// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <functional>
#include <span>
#include <vector>

#include "runtime/estimate/estimator.h"

namespace bolza::estimate {

/// Rows M [m × parameters] of the information about θ on its scales: M'M is the Fisher matrix, without having been squared.
/// The measurements' rows come first, in their order: √weight × Likelihood::jacobian.
struct Information {
  Eigen::MatrixXd rows;
  std::size_t n_measurements = 0;  ///< of the rows
  Eigen::VectorXd prior;           ///< [parameters] curvature of −log prior; belongs to no row
};

/// What measurements and priors say about θ. Parameters of standard deviations, on which no observable depends, get rows
/// from the part of `fisher` that the Jacobian and the priors do not explain. Requires  `likelihood` evaluated with
/// Order::fisher.  Cost  O(measurements × parameters²).
Information information_of(const Estimation& estimation, const Likelihood& likelihood, std::span<const double> theta);

/// The same with the priors as rows: for covariances, not for what data alone determine.
Eigen::MatrixXd with_priors(const Information& information);

/// Rows of a symmetric matrix H = M'M, for Hessians. False: H has a negative eigenvalue beyond rounding, so that θ is no
/// minimum; its direction is left out.
bool rows_of(const Eigen::MatrixXd& hessian, Eigen::MatrixXd& rows);

/// Gradient [parameters] at θ; false: cannot be had there.
using GradientAt = std::function<bool(std::span<const double> theta, Eigen::VectorXd& gradient)>;

/// Exact Hessian [parameters²] by central differences of gradients, symmetric. Steps: `step` × max(1, |θ|), inside the box
/// one-sided at bounds. Error O(step²), and of the gradients over the step. Cost 2 gradients per parameter. False: a
/// gradient failed.
bool hessian_by_differences(const GradientAt& gradient, std::span<const double> theta, const Box& box, double step,
                            Eigen::MatrixXd& hessian);

/// d²(−log prior)/dθ² on the parameter's scale; 0 of Laplace kinds, whose logarithm is piecewise linear.
double prior_information(const Parameter& parameter, double theta);

}  // namespace bolza::estimate
