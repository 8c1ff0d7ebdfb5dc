// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/statistics/residual_tests.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/normal_distribution.h"


namespace bolza::estimate {
namespace {

std::vector<double> normal_sample(std::size_t n, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<double> out(n);
  for (double& v : out) v = normal_quantile((random() + 0.5) / 4294967296.0);
  return out;
}

// The weights of eleven men: the example of Shapiro and Wilk, W = 0.79 [SW]; with Royston's weights 0.7888 and p = 0.0067
// [ROYSTON].
TEST(ShapiroWilk, gives_the_published_example) {
  std::vector<double> weights{148, 154, 158, 160, 161, 162, 166, 170, 182, 195, 236};
  TestResult test = shapiro_wilk(weights);
  EXPECT_NEAR(test.statistic, 0.7888, 5e-5);
  EXPECT_NEAR(test.p, 0.006704, 5e-7);
}

// Under the hypothesis p-values are uniform: 5 % lie below 0.05, within 3.5 standard deviations of a binomial count.
TEST(ShapiroWilk, rejects_normal_samples_as_often_as_it_says) {
  for (std::size_t n : {5u, 10u, 25u, 80u}) {
    int rejected = 0, samples = 2000;
    for (int k = 0; k < samples; ++k) rejected += shapiro_wilk(normal_sample(n, 1000u * n + k)).p < 0.05;
    EXPECT_NEAR(rejected, 0.05 * samples, 3.5 * std::sqrt(samples * 0.05 * 0.95)) << n;
  }
}

TEST(ShapiroWilk, rejects_what_is_not_normal) {
  std::vector<double> skewed = normal_sample(50, 3);
  for (double& v : skewed) v = std::exp(v);
  EXPECT_LT(shapiro_wilk(skewed).p, 1e-4);
  EXPECT_TRUE(std::isnan(shapiro_wilk(std::vector<double>{1, 1, 1, 1}).p));
  EXPECT_TRUE(std::isnan(shapiro_wilk(std::vector<double>{1, 2}).p));
}

// By hand: −1, 0, 0, 1 has skewness 0 and kurtosis 2: JB = 4/6 · (2 − 3)²/4 = 1/6, p = exp(−1/12).
TEST(JarqueBera, agrees_with_a_calculation_by_hand) {
  TestResult test = jarque_bera(std::vector<double>{-1, 0, 0, 1});
  EXPECT_NEAR(test.statistic, 1.0 / 6, 1e-14);
  EXPECT_NEAR(test.p, std::exp(-1.0 / 12), 1e-13);
}

// By hand: 1, −1, 1, −1: Σ differences² = 12, Σ squares = 4; first autocorrelation −3/4, Q = 4·6·(9/16)/3 = 4.5.
TEST(Autocorrelation, agrees_with_a_calculation_by_hand) {
  std::vector<double> alternating{1, -1, 1, -1};
  EXPECT_NEAR(durbin_watson(alternating), 3, 1e-14);
  TestResult test = ljung_box(alternating, 1);
  EXPECT_NEAR(test.statistic, 4.5, 1e-13);
  EXPECT_NEAR(test.p, std::erfc(1.5), 1e-13);  // χ² of one degree of freedom: P = erfc(√(Q/2))
}

TEST(Autocorrelation, is_found_where_it_is_and_as_often_as_said_where_it_is_not) {
  int rejected = 0, by_runs = 0, samples = 1000;
  for (int k = 0; k < samples; ++k) {
    std::vector<double> e = normal_sample(60, 50000u + k);
    rejected += ljung_box(e, 10).p < 0.05, by_runs += runs_test(e).p < 0.05;
  }
  EXPECT_NEAR(rejected, 0.055 * samples, 3.5 * std::sqrt(samples * 0.05 * 0.95));  // slightly liberal for 60 values
  EXPECT_LT(by_runs, 0.06 * samples);                                              // discrete: the largest level below 5 %
  EXPECT_GT(by_runs, 0.01 * samples);
  std::vector<double> drift = normal_sample(60, 1);
  for (std::size_t i = 1; i < drift.size(); ++i) drift[i] = 0.8 * drift[i - 1] + 0.6 * drift[i];
  EXPECT_LT(ljung_box(drift, 10).p, 1e-4);
  EXPECT_LT(runs_test(drift).p, 1e-2);
  EXPECT_LT(durbin_watson(drift), 1);
}

// Two of either sign: 6 orders, of them 2 with 2 runs (++−−, −−++), 2 with 3, 2 with 4: p = 2·2/6, 2·min(4/6, 4/6) → 1.
TEST(Runs, are_counted_exactly) {
  EXPECT_NEAR(runs_test(std::vector<double>{1, 2, -1, -2}).p, 2.0 / 3, 1e-12);
  EXPECT_NEAR(runs_test(std::vector<double>{1, -2, -1, 2}).p, 1, 1e-12);
  EXPECT_EQ(runs_test(std::vector<double>{1, -2, -1, 2}).statistic, 3);
  EXPECT_NEAR(runs_test(std::vector<double>{1, 1, 1, 1}).p, 0.125, 1e-12);  // the sign test
}

}  // namespace
}  // namespace bolza::estimate
