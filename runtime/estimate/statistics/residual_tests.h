// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bolza::estimate {

/// A statistic and its p-value: the probability of one at least as extreme if the hypothesis holds. NaN: too few values.
struct TestResult {
  double statistic = 0, p = 0;
};

/// Whether values are normal, W of Shapiro and Wilk with the approximations of Royston [ROYSTON]; 3 … 5000 values, otherwise
/// NaN.
TestResult shapiro_wilk(std::span<const double> values);

/// Whether values are normal, by skewness and kurtosis [JB]; the p-value holds for some hundred values and more.
TestResult jarque_bera(std::span<const double> values);

/// Durbin–Watson statistic Σ(e[i] − e[i−1])²/Σe²: about 2 without autocorrelation, towards 0 with positive.
double durbin_watson(std::span<const double> series);

/// Whether the first `lags` autocorrelations are zero, Q of Ljung and Box [LB] with χ² of `lags` degrees of freedom.
TestResult ljung_box(std::span<const double> series, int lags);

/// Whether signs alternate as often as by chance: the number of runs of equal sign, two-sided and exact for up to 60 values
/// of either sign, then the normal approximation [WW]. Zeros are left out; where all signs are equal, the p-value is that of
/// the sign test.
TestResult runs_test(std::span<const double> series);

}  // namespace bolza::estimate
