// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/statistics/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "runtime/estimate/distributions.h"
#include "tests/unit/estimate/statistics/closed_form.h"
#include "tests/unit/estimate/statistics/reference_regressions.h"

namespace bolza::estimate::testing {
namespace {

std::vector<std::string> numbered(std::size_t n) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < n; ++i) names.push_back("b" + std::to_string(i + 1));
  return names;
}

// Estimates, their standard deviations and the residual standard deviation of regressions with certified results.
TEST(Statistics, give_the_certified_standard_deviations_of_nonlinear_regressions) {
  for (const ReferenceRegression& r : reference_regressions()) {
    ClosedForm form(r.formula, numbered(r.start.size()));
    form.measure(r.x, r.y);
    std::vector<double> theta = form.fitted(r.start);
    Likelihood at = form.at(theta);
    FitStatistics s = statistics_of(form.estimation, at, theta, {.noise_known = false});
    EXPECT_NEAR(at.sum_of_squares / r.sum_of_squares, 1, 1e-9) << r.name;
    double freedom = static_cast<double>(r.x.size() - r.start.size());
    EXPECT_EQ(s.goodness.freedom, freedom);
    EXPECT_NEAR(s.goodness.variance_factor * freedom / r.sum_of_squares, 1, 1e-9);
    for (std::size_t i = 0; i < theta.size(); ++i) {
      EXPECT_NEAR(theta[i] / r.estimates[i], 1, 1e-6) << r.name << " " << i;
      EXPECT_NEAR(s.parameters[i].interval.error / r.deviations[i], 1, 1e-5) << r.name << " " << i;
      EXPECT_NEAR(s.parameters[i].interval.upper - theta[i], student_quantile(0.975, freedom) * r.deviations[i],
                  1e-4 * r.deviations[i])
          << r.name << " " << i;
    }
  }
}

const double longley[16][7] = {
    {60323, 83.0, 234289, 2356, 1590, 107608, 1947},  {61122, 88.5, 259426, 2325, 1456, 108632, 1948},
    {60171, 88.2, 258054, 3682, 1616, 109773, 1949},  {61187, 89.5, 284599, 3351, 1650, 110929, 1950},
    {63221, 96.2, 328975, 2099, 3099, 112075, 1951},  {63639, 98.1, 346999, 1932, 3594, 113270, 1952},
    {64989, 99.0, 365385, 1870, 3547, 115094, 1953},  {63761, 100.0, 363112, 3578, 3350, 116219, 1954},
    {66019, 101.2, 397469, 2904, 3048, 117388, 1955}, {67857, 104.6, 419180, 2822, 2857, 118734, 1956},
    {68169, 108.4, 442769, 2936, 2798, 120445, 1957}, {66513, 110.8, 444546, 4681, 2637, 121950, 1958},
    {68655, 112.6, 482704, 3813, 2552, 123366, 1959}, {69564, 114.2, 502601, 3931, 2514, 125368, 1960},
    {69331, 115.7, 518173, 4806, 2572, 127852, 1961}, {70551, 116.9, 554894, 4007, 2827, 130081, 1962}};

// Longley's data, nearly collinear: certified estimates, standard deviations, residual deviation and R² [STRD].
TEST(Statistics, give_the_certified_results_of_a_nearly_collinear_regression) {
  const double estimates[] = {-3482258.63459582, 15.0618722713733,    -0.0358191792925910, -2.02022980381683,
                              -1.03322686717359, -0.0511041056535807, 1829.15146461355};
  const double deviations[] = {890420.383607373,  84.9149257747669,  0.0334910077722432, 0.488399681651699,
                               0.214274163161675, 0.226073200069370, 455.478499142212};
  ClosedForm form(
      [](double x, std::span<const Complex> p) {
        Complex sum = p[0];
        for (std::size_t k = 1; k < 7; ++k) sum += p[k] * longley[static_cast<int>(x)][k];
        return sum;
      },
      numbered(7));
  std::vector<double> x, y;
  for (int i = 0; i < 16; ++i) x.push_back(i), y.push_back(longley[i][0]);
  form.measure(x, y);
  std::vector<double> theta = form.fitted(std::vector<double>(7, 0.0));
  FitStatistics s = statistics_of(form.estimation, form.at(theta), theta, {.noise_known = false, .rank_tolerance = 1e-9});
  EXPECT_NEAR(std::sqrt(s.goodness.variance_factor) / 304.854073561965, 1, 1e-9);
  EXPECT_NEAR(s.residuals.observables[0].r_squared, 0.995479004577296, 1e-10);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_NEAR(theta[i] / estimates[i], 1, 1e-7) << i;
    EXPECT_NEAR(s.parameters[i].interval.error / deviations[i], 1, 1e-8) << i;
  }
  // Relative standard errors of 564 % and 442 %: the price deflator and the population are poorly determined.
  EXPECT_EQ(s.parameters[1].verdict, Determination::poor);
  EXPECT_EQ(s.parameters[5].verdict, Determination::poor);
  EXPECT_EQ(s.parameters[6].verdict, Determination::determined);
}

ClosedForm decay() {
  ClosedForm form([](double x, std::span<const Complex> p) { return p[0] * std::exp(-p[1] * x); }, {"A", "k"});
  std::vector<double> x, y;
  for (int i = 0; i <= 20; ++i) x.push_back(0.1 * i), y.push_back(2 * std::exp(-0.15 * i) + 0.02 * std::sin(3.7 * i));
  form.measure(x, y);
  form.noise(0.02);
  return form;
}

// The error of ln k is that of k over k: the transformed interval is not symmetric, and the same on log and log10.
TEST(Statistics, transform_intervals_from_logarithmic_scales) {
  ClosedForm linear = decay(), log = decay(), log10 = decay();
  log.estimation.parameters[1].scale = Scale::log, log10.estimation.parameters[1].scale = Scale::log10;
  std::vector<double> theta = linear.fitted({1, 1}), in_log{theta[0], std::log(theta[1])},
                      in_log10{theta[0], std::log10(theta[1])};
  FitStatistics a = statistics_of(linear.estimation, linear.at(theta), theta, {});
  FitStatistics b = statistics_of(log.estimation, log.at(in_log), in_log, {});
  FitStatistics c = statistics_of(log10.estimation, log10.at(in_log10), in_log10, {});
  EXPECT_NEAR(b.parameters[1].interval.error * theta[1] / a.parameters[1].interval.error, 1, 1e-8);
  EXPECT_NEAR(b.parameters[1].interval.physical_error / a.parameters[1].interval.error, 1, 1e-8);
  EXPECT_NEAR(b.parameters[1].interval.upper * b.parameters[1].interval.lower, theta[1] * theta[1], 1e-10);
  EXPECT_NEAR(c.parameters[1].interval.upper / b.parameters[1].interval.upper, 1, 1e-8);
  EXPECT_NEAR(a.correlation(0, 1), b.correlation(0, 1), 1e-8);
}

TEST(Statistics, leave_parameters_at_bounds_out_and_name_them) {
  ClosedForm form = decay();
  form.estimation.parameters[0].lower = 0, form.estimation.parameters[0].upper = 1.5;
  std::vector<double> theta{1.5, 1.2};
  FitStatistics s = statistics_of(form.estimation, form.at(theta), theta, {});
  EXPECT_EQ(s.parameters[0].verdict, Determination::at_bound);
  EXPECT_EQ(s.parameters[0].at_bound, AtBound::upper);
  EXPECT_EQ(s.covariance.matrix(0, 0), 0);
  EXPECT_NEAR(s.covariance.matrix(1, 1), 1 / form.at(theta).fisher(1, 1), 1e-12);
  EXPECT_NE(verdict_of(s, form.estimation).find("`A` is at its bound"), std::string::npos);
}

// The exact Hessian of a sum of squares is J'J + Σ r ∇²r; here ∇² of A exp(−k x) is known in closed form.
TEST(Statistics, take_an_exact_hessian) {
  ClosedForm form = decay();
  std::vector<double> theta = form.fitted({1, 1});
  auto gradient = [&](std::span<const double> at, Eigen::VectorXd& out) {
    out = form.at(at).gradient;
    return true;
  };
  Eigen::MatrixXd hessian, exact = form.at(theta).fisher;
  ASSERT_TRUE(hessian_by_differences(gradient, theta, box_of(form.estimation), 1e-4, hessian));
  Likelihood at = form.at(theta);
  for (std::size_t i = 0; i < at.residuals.size(); ++i) {
    double x = form.estimation.experiments[0].measurements[i].time, e = std::exp(-theta[1] * x) / 0.02;
    exact(0, 1) += at.residuals[i] * -x * e, exact(1, 0) += at.residuals[i] * -x * e;
    exact(1, 1) += at.residuals[i] * theta[0] * x * x * e;
  }
  EXPECT_LT((hessian - exact).norm(), 1e-6 * exact.norm());
  FitStatistics s = statistics_of(form.estimation, at, theta, {.hessian = &hessian});
  EXPECT_TRUE(s.minimum);
  EXPECT_LT((s.covariance.matrix - exact.inverse()).norm(), 1e-6 * exact.inverse().norm());
  hessian(0, 0) = -hessian(0, 0);
  EXPECT_FALSE(statistics_of(form.estimation, at, theta, {.hessian = &hessian}).minimum);
}

// A constant measured n times: the band is mean ± q σ/√n, of a new measurement mean ± q σ √(1 + 1/n).
TEST(Statistics, give_the_bands_of_a_mean) {
  ClosedForm form([](double, std::span<const Complex> p) { return p[0]; }, {"m"});
  std::vector<double> y{3, 5, 4, 4.5, 3.5};
  form.measure({0, 1, 2, 3, 4}, y);
  form.noise(2);
  std::vector<double> theta{4};
  FitStatistics s = statistics_of(form.estimation, form.at(theta), theta, {.level = 0.9});
  Estimator::Curves curves{
      {0}, Eigen::MatrixXd::Constant(1, 1, 4), Eigen::MatrixXd::Constant(1, 1, 2), {Eigen::MatrixXd::Ones(1, 1)}};
  Band band = band_of(curves, 0, form.estimation, s);
  double q = 1.6448536269514722;
  EXPECT_NEAR(band.upper[0], 4 + q * 2 / std::sqrt(5), 1e-10);
  EXPECT_NEAR(band.measured_lower[0], 4 - q * 2 * std::sqrt(1.2), 1e-10);
}

// −2 log L = n ln(2π s²) + n at the best variance s² = SSR/n; AIC = 2 (k + 1) − 2 log L.
TEST(Statistics, count_an_unknown_variance_as_a_number) {
  ClosedForm form = decay();
  form.noise(1);
  std::vector<double> theta = form.fitted({1, 1});
  Likelihood at = form.at(theta);
  FitStatistics s = statistics_of(form.estimation, at, theta, {.noise_known = false});
  double n = 21, minus_two = n * std::log(2 * std::acos(-1.0) * at.sum_of_squares / n) + n;
  EXPECT_NEAR(s.goodness.aic, minus_two + 2 * 3, 1e-9);
  EXPECT_NEAR(s.goodness.aicc, minus_two + 6 + 2 * 3 * 4 / (n - 4), 1e-9);
  EXPECT_NEAR(s.goodness.bic, minus_two + 3 * std::log(n), 1e-9);
  EXPECT_TRUE(std::isnan(s.goodness.p));
  form.noise(0.02);
  FitStatistics known = statistics_of(form.estimation, form.at(theta), theta, {});
  EXPECT_NEAR(known.goodness.p, chi_square_upper(at.sum_of_squares / 4e-4, 19), 1e-10);
}

TEST(Statistics, find_the_one_measurement_that_is_off) {
  ClosedForm form = decay();
  form.estimation.experiments[0].measurements[13].value += 0.3;
  std::vector<double> theta = form.fitted({1, 1});
  for (bool known : {true, false}) {
    FitStatistics s = statistics_of(form.estimation, form.at(theta), theta, {.noise_known = known});
    ASSERT_FALSE(s.residuals.outliers.empty());
    EXPECT_EQ(s.residuals.outliers[0].row, 13u);
    EXPECT_TRUE(known || s.residuals.outliers.size() == 1);
  }
  ClosedForm clean = decay();
  EXPECT_TRUE(statistics_of(clean.estimation, clean.at(theta), clean.fitted({1, 1}), {.noise_known = false})
                  .residuals.outliers.empty());
}

}  // namespace
}  // namespace bolza::estimate::testing
