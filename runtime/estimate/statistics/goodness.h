// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <cstddef>
#include <vector>

#include "runtime/estimate/estimator.h"
#include "runtime/estimate/statistics/residual_tests.h"

namespace bolza::estimate {

/// Residuals of one observable in one experiment, in time: where they stand in the likelihood's arrays, and their tests.
struct SeriesStatistics {
  std::size_t experiment = 0, observable = 0;
  std::vector<std::size_t> rows;  ///< ascending, of measurements with a weight
  double durbin_watson = 0;
  TestResult ljung_box, runs;  ///< NaN for fewer than 8
};

struct ObservableStatistics {
  std::size_t count = 0;
  double r_squared = 0;         ///< 1 − Σ(residual)²/Σ(deviation from the mean)², on its scale; NaN without spread
  double root_mean_square = 0;  ///< of residuals in standard deviations
};

/// A residual that chance alone does not explain at 5 %, given how many there are.
struct Outlier {
  std::size_t row = 0;
  double studentised = 0, p = 0;  ///< p: corrected for the number of measurements [BK]
};

struct ResidualStatistics {
  std::vector<ObservableStatistics> observables;
  std::vector<SeriesStatistics> series;
  std::vector<Outlier> outliers;    ///< worst first
  std::vector<double> studentised;  ///< [measurements] residual over its own standard error; NaN: no weight, or leverage 1
  TestResult normality;             ///< of all residuals of normal noise; NaN where there is none
  bool shapiro_wilk = true;         ///< else Jarque–Bera, for more than 5000
};

struct Goodness {
  std::size_t n = 0;                          ///< measurements with a weight
  double chi_square = 0, freedom = 0, p = 0;  ///< p: NaN where the noise is not known beforehand, or estimated
  double variance_factor = 1;                 ///< χ²/freedom
  double log_likelihood = 0;                  ///< natural, with constants; of the best variance where it is not known
  double estimated = 0;                       ///< numbers that were estimated
  double aic = 0, aicc = 0, bic = 0;          ///< aicc infinite: too few measurements
};

/// How well the model explains the data.
/// @param rank  of the measurements' sensitivities: what the fit took from the degrees of freedom
/// @param n_estimated  parameters
/// @param noise_known  false: the variance is χ²/freedom, and counts as one number more
Goodness goodness_of(const Estimation& estimation, const Likelihood& at, std::size_t rank, std::size_t n_estimated,
                     bool noise_known);

/// Tests of the residuals. A residual's own standard error is √(factor (1 − leverage)).
/// @param rows  √weight × sensitivities [measurements × parameters] of the parameters within their bounds, for the leverage;
/// may have no rows
ResidualStatistics residuals_of(const Estimation& estimation, const Likelihood& at, const Eigen::MatrixXd& rows,
                                const Goodness& goodness, bool noise_known);

}  // namespace bolza::estimate
