// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "runtime/estimate/statistics/covariance.h"
#include "runtime/estimate/statistics/goodness.h"
#include "runtime/estimate/statistics/identifiability.h"
#include "runtime/estimate/statistics/information.h"

namespace bolza::estimate {

struct StatisticsOptions {
  double level = 0.95;  ///< of intervals and bands
  bool noise_known =
      true;  ///< false: standard deviations are relative, the residuals say how large they are (t instead of normal)
  double rank_tolerance = 1e-6;  ///< of identifiability; about a hundred times the relative error of sensitivities
  double poor = 0.5;             ///< relative standard error from which on a parameter is poorly determined: beyond, its
                                 ///< interval of 95 % holds 0
  double open = 1;               ///< the same of a direction of several parameters, from which on it is named
  const Eigen::MatrixXd* hessian =
      nullptr;  ///< exact, of −log posterior [parameters²]: covariances by it instead of the Fisher matrix
};

/// In the order of `verdict_words`.
enum class Determination : std::uint8_t {
  determined,
  poor,            ///< relative standard error above the limit, or the interval reaches beyond the bounds
  at_bound,        ///< without an interval
  open,            ///< structurally: others can make up for it
  without_effect,  ///< nothing measured depends on it
  by_prior,        ///< open for the data, held by a prior
  by_bound         ///< open for the data; the error is that where others keep to their bounds
};
/// In reports, by Determination.
inline constexpr std::array verdict_words{"determined",     "poorly determined", "at its bound",   "not determined",
                                          "without effect", "by the prior only", "by a bound only"};
constexpr const char* name_of(Determination verdict) { return verdict_words[static_cast<std::size_t>(verdict)]; }

struct ParameterStatistics {
  double value = 0;  ///< physical units
  Uncertainty interval;
  AtBound at_bound = AtBound::no;
  Determination verdict = Determination::determined;
};

struct FitStatistics {
  std::vector<ParameterStatistics> parameters;
  Covariance covariance;
  Eigen::MatrixXd correlation;  ///< [parameters²]
  bool minimum = true;          ///< false: an exact Hessian was not positive semidefinite
  double noise_factor = 1;      ///< of the noise's variance: 1 where it is known, else χ²/freedom
  double quantile = 0;          ///< standard errors to either side of an interval
  Identifiability structure;
  std::vector<Combination> poor;
  Goodness goodness;
  ResidualStatistics residuals;
};

/// All that the fit at θ says about parameters and data.
/// Requires  `at` evaluated with Order::fisher; without a Jacobian (adjoint gradients) a Hessian must be given.
/// Cost  O(measurements × parameters²).
FitStatistics statistics_of(const Estimation& estimation, const Likelihood& at, std::span<const double> theta,
                            const StatisticsOptions& options);

/// One sentence about what the data determine.
std::string verdict_of(const FitStatistics& statistics, const Estimation& estimation);

/// Confidence band of an observable's curve, physical units, by the delta method on the observable's scale.
struct Band {
  std::vector<double> lower, upper;                    ///< [times] of the curve
  std::vector<double> measured_lower, measured_upper;  ///< [times] of a new measurement, noise included
};
/// @param curves  simulated with derivatives. `observable` an index of the estimation's.
Band band_of(const Estimator::Curves& curves, std::size_t observable, const Estimation& estimation,
             const FitStatistics& statistics);

}  // namespace bolza::estimate
