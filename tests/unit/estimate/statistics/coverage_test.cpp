// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/normal_distribution.h"
#include "runtime/estimate/statistics/statistics.h"
#include "tests/unit/estimate/statistics/closed_form.h"

namespace bolza::estimate::testing {
namespace {

const std::vector<double> truth{2, 0.7};
constexpr int samples = 2000;

// A decay with 3 % of noise, nearly linear over it. The amplitude linear, the rate on a logarithmic scale.
ClosedForm noisy_decay(std::mt19937& random) {
  ClosedForm form([](double x, std::span<const Complex> p) { return p[0] * std::exp(-p[1] * x); }, {"A", "k"});
  form.estimation.parameters[1].scale = Scale::log;
  std::vector<double> x, y;
  for (int i = 0; i < 12; ++i) {
    x.push_back(0.25 * i);
    double uniform = (static_cast<double>(random()) + 0.5) / 4294967296.0;
    y.push_back(truth[0] * std::exp(-truth[1] * x.back()) + 0.06 * normal_quantile(uniform));
  }
  form.measure(x, y);
  return form;
}

// How often the interval of each parameter holds the truth.
std::vector<double> coverage(bool noise_known) {
  std::mt19937 random(20240229);
  std::vector<double> held(2, 0);
  for (int k = 0; k < samples; ++k) {
    ClosedForm form = noisy_decay(random);
    if (noise_known) form.noise(0.06);
    std::vector<double> theta = form.fitted({truth[0], std::log(truth[1])});
    FitStatistics s = statistics_of(form.estimation, form.at(theta), theta, {.noise_known = noise_known});
    for (std::size_t i = 0; i < 2; ++i) {
      const Uncertainty& interval = s.parameters[i].interval;
      held[i] += (interval.lower <= truth[i] && truth[i] <= interval.upper) / static_cast<double>(samples);
    }
  }
  return held;
}

// 95 % of 2000: a standard deviation of the share of 0.49 %; the limits are three of them.
TEST(Coverage, of_intervals_is_what_they_say_where_the_noise_is_known) {
  for (double share : coverage(true)) EXPECT_NEAR(share, 0.95, 0.015);
}

// Ten degrees of freedom: normal quantiles instead of Student's would hold 92.2 %.
TEST(Coverage, of_intervals_is_what_they_say_where_residuals_tell_the_noise) {
  for (double share : coverage(false)) EXPECT_NEAR(share, 0.95, 0.015);
}

}  // namespace
}  // namespace bolza::estimate::testing
