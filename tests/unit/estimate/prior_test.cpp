// SPDX-License-Identifier: Apache-2.0
// Priors as densities: their slopes, and that they integrate to one, also within bounds.
#include "runtime/estimate/prior.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bolza::estimate {
namespace {

using Kind = Prior::Kind;

Parameter with(Prior prior, double lower, double upper) {
  Parameter p;
  p.name = "p";
  p.lower = lower;
  p.upper = upper;
  p.prior = prior;
  return p;
}

const std::vector<Prior>& all_priors() {
  static const std::vector<Prior> priors{
      {.kind = Kind::uniform, .location = 0.5, .width = 4},    {.kind = Kind::log_uniform, .location = 0.5, .width = 4},
      {.kind = Kind::normal, .location = 1, .width = 0.7},     {.kind = Kind::laplace, .location = 1, .width = 0.7},
      {.kind = Kind::log_normal, .location = 0.3, .width = 1}, {.kind = Kind::log_laplace, .location = 0.3, .width = 0.8},
      {.kind = Kind::cauchy, .location = 1, .width = 2},       {.kind = Kind::gamma, .location = 3, .width = 0.5},
      {.kind = Kind::gamma, .location = 1, .width = 0.5},      {.kind = Kind::rayleigh, .location = 1, .width = 1.3}};
  return priors;
}

// ∫ exp(-value) over [lower, upper] by the midpoint rule, which does not see the ends.
double integral(const Parameter& p) {
  constexpr int points = 200000;
  double sum = 0, step = (p.upper - p.lower) / points;
  for (int k = 0; k < points; ++k) sum += step * std::exp(-prior_term(p, p.lower + (k + 0.5) * step).value);
  return sum;
}

TEST(Prior, is_a_density_within_its_bounds) {
  for (Prior prior : all_priors()) {
    prior.is_truncated = true;
    EXPECT_NEAR(integral(with(prior, 0.6, 3)), 1, 1e-7) << static_cast<int>(prior.kind);
  }
}

TEST(Prior, gives_a_stretch_the_share_of_its_density) {
  for (const Prior& prior : all_priors()) {
    if (prior.kind == Kind::uniform || prior.kind == Kind::log_uniform) continue;  // their constant is left out
    Parameter p = with(prior, 0.6, 3);
    EXPECT_NEAR(probability_between(p, 0.6, 3), integral(p), 1e-7) << static_cast<int>(prior.kind);
  }
}

TEST(Prior, has_the_slope_of_its_value_on_every_scale) {
  for (const Prior& prior : all_priors())
    for (Scale scale : {Scale::lin, Scale::log, Scale::log10}) {
      Parameter p = with(prior, 0.6, 3);
      p.scale = scale;
      double theta = to_scale(1.7, scale), step = 1e-6;
      double quotient = (prior_term(p, theta + step).value - prior_term(p, theta - step).value) / (2 * step);
      EXPECT_NEAR(prior_term(p, theta).slope, quotient, 1e-7) << static_cast<int>(prior.kind);
    }
}

TEST(Prior, keeps_its_digits_far_from_its_middle) {
  Parameter p = with({.kind = Kind::normal, .location = 0, .width = 1}, 20, 21);
  EXPECT_NEAR(std::log(probability_between(p, 20, 21)), std::log(2.7536241186062337e-89 - 3.2792780189791205e-98),
              1e-12);  // 1/2 erfc(20/√2), of 21
}

TEST(Prior, is_infinite_where_it_has_no_density_and_nothing_where_bounds_exclude_it) {
  Parameter p = with({.kind = Kind::gamma, .location = 3, .width = 1}, -4, -2);
  EXPECT_TRUE(std::isinf(prior_term(p, -3).value));
  p.prior.is_truncated = true;
  EXPECT_TRUE(std::isnan(prior_term(p, -3).value));
}

}  // namespace
}  // namespace bolza::estimate
