// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/statistics/residual_tests.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/normal_distribution.h"
#include "runtime/estimate/distributions.h"


namespace bolza::estimate {
namespace {

constexpr TestResult too_few{std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Σ c[k] x^k
double polynomial(std::span<const double> c, double x) {
  double sum = 0;
  for (std::size_t k = c.size(); k-- > 0;) sum = sum * x + c[k];
  return sum;
}

// Weights of the ordered values, antisymmetric with Σa² = 1: normal scores, the outermost corrected [ROYSTON, 2].
std::vector<double> weights_of_order(std::size_t n) {
  std::vector<double> m(n), a(n);
  double count = static_cast<double>(n), square = 0;
  for (std::size_t i = 0; i < n; ++i) {
    m[i] = normal_quantile((static_cast<double>(i) + 1 - 0.375) / (count + 0.25));
    square += m[i] * m[i];
  }
  if (n == 3) return {-std::sqrt(0.5), 0, std::sqrt(0.5)};
  static constexpr double last[] = {0, 0.221157, -0.147981, -2.071190, 4.434685, -2.706056};
  static constexpr double second[] = {0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633};
  double u = 1 / std::sqrt(count);
  double outer = m[n - 1] / std::sqrt(square) + polynomial(last, u);
  double inner = m[n - 2] / std::sqrt(square) + polynomial(second, u);
  bool two = n > 5;
  double left = square - 2 * m[n - 1] * m[n - 1] - (two ? 2 * m[n - 2] * m[n - 2] : 0);
  double share = left / (1 - 2 * outer * outer - (two ? 2 * inner * inner : 0));
  for (std::size_t i = 0; i < n; ++i) a[i] = m[i] / std::sqrt(share);
  a[n - 1] = outer;
  a[0] = -outer;
  if (two) {
    a[n - 2] = inner;
    a[1] = -inner;
  }
  return a;
}

// p-value of W by its transformation to a normal variable [ROYSTON, table 1].
double royston_p(double w, double n) {
  if (n == 3) {
    double p = 6 / std::acos(-1.0) * (std::asin(std::sqrt(w)) - std::asin(std::sqrt(0.75)));
    return std::clamp(p, 0.0, 1.0);
  }
  double y = std::log1p(-w), centre = 0, spread = 0;
  if (n <= 11) {
    static constexpr double mu[] = {0.5440, -0.39978, 0.025054, -6.714e-4},
                            sigma[] = {1.3822, -0.77857, 0.062767, -0.0020322};
    double limit = -2.273 + 0.459 * n;
    if (y >= limit) return 0;
    y = -std::log(limit - y);
    centre = polynomial(mu, n);
    spread = std::exp(polynomial(sigma, n));
  } else {
    static constexpr double mu[] = {-1.5861, -0.31082, -0.083751, 0.0038915}, sigma[] = {-0.4803, -0.082676, 0.0030302};
    centre = polynomial(mu, std::log(n));
    spread = std::exp(polynomial(sigma, std::log(n)));
  }
  return normal_cdf(-(y - centre) / spread);
}

double log_choose(double n, double k) { return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1); }

// P(number of runs = r) for a and b values of either sign, in random order.
double probability_of_runs(double r, double a, double b) {
  double k = std::floor(r / 2);
  auto ways = [&](double i, double j) {  // a in i runs, b in j runs
    return i > a || j > b || i < 1 || j < 1
               ? 0
               : std::exp(log_choose(a - 1, i - 1) + log_choose(b - 1, j - 1) - log_choose(a + b, a));
  };
  return 2 * k == r ? 2 * ways(k, k) : ways(k + 1, k) + ways(k, k + 1);
}

double exact_runs_p(double runs, double a, double b) {
  double up_to = 0, at = probability_of_runs(runs, a, b);
  for (double r = 2; r < runs; ++r) up_to += probability_of_runs(r, a, b);
  return std::min(1.0, 2 * std::min(up_to + at, 1 - up_to));
}

}  // namespace

TestResult shapiro_wilk(std::span<const double> values) {
  std::size_t n = values.size();
  if (n < 3 || n > 5000) return too_few;
  std::vector<double> x(values.begin(), values.end());
  std::sort(x.begin(), x.end());
  if (!(x.back() > x.front())) return too_few;
  std::vector<double> a = weights_of_order(n);
  double mean = mean_of(x), top = 0, bottom = 0;
  for (std::size_t i = 0; i < n; ++i) {
    top += a[i] * x[i];
    bottom += (x[i] - mean) * (x[i] - mean);
  }
  double w = std::min(1.0, top * top / bottom);
  return {w, royston_p(w, static_cast<double>(n))};
}

TestResult jarque_bera(std::span<const double> values) {
  double n = static_cast<double>(values.size());
  if (n < 4) return too_few;
  double mean = mean_of(values), m2 = 0, m3 = 0, m4 = 0;
  for (double v : values) {
    double d = v - mean;
    m2 += d * d / n;
    m3 += d * d * d / n;
    m4 += d * d * d * d / n;
  }
  if (!(m2 > 0)) return too_few;
  double skewness = m3 / std::pow(m2, 1.5), excess = m4 / (m2 * m2) - 3;
  double statistic = n / 6 * (skewness * skewness + excess * excess / 4);
  return {statistic, chi_square_upper(statistic, 2)};
}

double durbin_watson(std::span<const double> series) {
  double top = 0, bottom = 0;
  for (std::size_t i = 0; i < series.size(); ++i) {
    bottom += series[i] * series[i];
    if (i) top += (series[i] - series[i - 1]) * (series[i] - series[i - 1]);
  }
  return bottom > 0 ? top / bottom : too_few.statistic;
}

TestResult ljung_box(std::span<const double> series, int lags) {
  auto n = static_cast<double>(series.size());
  if (lags < 1 || n < lags + 2) return too_few;
  double mean = mean_of(series), square = 0, statistic = 0;
  for (double v : series) square += (v - mean) * (v - mean);
  if (!(square > 0)) return too_few;
  for (int lag = 1; lag <= lags; ++lag) {
    double product = 0;
    for (std::size_t i = static_cast<std::size_t>(lag); i < series.size(); ++i)
      product += (series[i] - mean) * (series[i - static_cast<std::size_t>(lag)] - mean);
    statistic += product * product / (square * square) / (n - lag);
  }
  statistic *= n * (n + 2);
  return {statistic, chi_square_upper(statistic, lags)};
}

TestResult runs_test(std::span<const double> series) {
  double above = 0, below = 0, runs = 0, last = 0;
  for (double v : series) {
    if (v == 0) continue;
    (v > 0 ? above : below) += 1;
    if (last == 0 || (v > 0) != (last > 0)) ++runs;
    last = v;
  }
  if (above == 0 || below == 0) return {runs, std::min(1.0, 2 * std::exp2(-(above + below)))};
  if (above <= 60 && below <= 60) return {runs, exact_runs_p(runs, above, below)};
  double n = above + below, product = 2 * above * below;
  double expected = product / n + 1, variance = product * (product - n) / (n * n * (n - 1));
  return {runs, 2 * normal_cdf(-std::fabs(runs - expected) / std::sqrt(variance))};
}

}  // namespace bolza::estimate
