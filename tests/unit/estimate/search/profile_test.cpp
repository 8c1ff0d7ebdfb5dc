// SPDX-License-Identifier: Apache-2.0
// Profile likelihoods against closed forms.
#include "runtime/estimate/search/profile.h"
#include "base/normal_distribution.h"

#include <gtest/gtest.h>

#include <cmath>

#include "runtime/estimate/distributions.h"
#include "tests/unit/estimate/search/objectives.h"

namespace bolza::estimate::testing {
namespace {

using End = ProfileSide::End;
constexpr double none = std::numeric_limits<double>::infinity();
constexpr double z = 1.959963984540054;  // Φ(z) = 0.975

ProfileOptions profile_options(std::size_t jobs = 0) { return {.jobs = jobs, .engine = trust_region()}; }

TEST(Profile, takes_its_threshold_from_the_chi_square_distribution) {
  EXPECT_NEAR(profile_threshold({.confidence = 0.95}), 3.841458820694124 / 2, 1e-12);  // tables of χ²(1)
  EXPECT_NEAR(profile_threshold({.confidence = 0.6826894921370859}), 0.5, 1e-12);      // one standard deviation
  double t = 2.776445105197793;                                                        // tables of Student's t, 4 degrees
  EXPECT_NEAR(profile_threshold({.noise_variance = 3, .freedom = 4}), 1.5 * t * t, 1e-9);
  EXPECT_NEAR(normal_quantile(0.975), z, 1e-13);
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-15);
}

TEST(Profile, of_a_linear_regression_is_a_parabola_over_the_standard_errors) {
  Regression regression;
  SumOfSquares objective = regression.objective({{0, 0}, {-none, -none}, {none, none}});
  Eigen::Vector2d best = regression.best();
  Eigen::Matrix2d covariance = regression.covariance();
  ProfileResult result = profile_likelihoods(objective, {best.data(), 2}, profile_options());
  ASSERT_EQ(result.profiles.size(), 2u);
  EXPECT_TRUE(result.better.theta.empty());
  for (const Profile& profile : result.profiles) {
    auto k = static_cast<Eigen::Index>(profile.parameter), other = 1 - k;
    double error = std::sqrt(covariance(k, k));
    EXPECT_TRUE(profile.identifiable());
    // 1e-6 of the value over its slope at the end
    EXPECT_NEAR(profile.lower.at, best[k] - z * error, 1e-6 * error);
    EXPECT_NEAR(profile.upper.at, best[k] + z * error, 1e-6 * error);
    EXPECT_GE(profile.upper.points.size(), 4u);
    for (const ProfileSide* side : {&profile.lower, &profile.upper})
      for (const ProfilePoint& p : side->points) {
        double moved = p.at - best[k];
        EXPECT_NEAR(p.value - result.optimum, 0.5 * moved * moved / covariance(k, k), 1e-9);
        EXPECT_EQ(p.theta[static_cast<std::size_t>(k)], p.at);
        EXPECT_NEAR(p.theta[static_cast<std::size_t>(other)], best[other] + moved * covariance(k, other) / covariance(k, k),
                    1e-6);
      }
  }
}

TEST(Profile, follows_a_curved_valley) {
  // r = (10 (y − x²), 1 − x): along y = x² the profile of x is ½ (1 − x)², and ends at 1 ± z
  SumOfSquares objective({{1, 1}, {-5, -5}, {5, 30}}, [](std::span<const double> t, Eigen::VectorXd& r, Eigen::MatrixXd& J) {
    r = Eigen::Vector2d(10 * (t[1] - t[0] * t[0]), 1 - t[0]);
    J = (Eigen::Matrix2d() << -20 * t[0], 10, -1, 0).finished();
    return true;
  });
  const std::vector<double> optimum{1, 1};
  ProfileSide upper = profile_side(objective, optimum, 0, 1, profile_options()),
              lower = profile_side(objective, optimum, 0, -1, profile_options());
  EXPECT_EQ(upper.end, End::crossed);
  EXPECT_NEAR(upper.at, 1 + z, 1e-6);
  EXPECT_NEAR(lower.at, 1 - z, 1e-6);
  for (const ProfilePoint& p : upper.points) {
    EXPECT_NEAR(p.value, 0.5 * (1 - p.at) * (1 - p.at), 1e-9);
    EXPECT_NEAR(p.theta[1], p.at * p.at, 1e-6);
  }
}

TEST(Profile, is_open_where_a_bound_comes_first) {
  Regression regression;
  Eigen::Vector2d best = regression.best();
  double error = std::sqrt(regression.covariance()(0, 0));
  SumOfSquares objective = regression.objective({{0, 0}, {best[0] - error, -none}, {none, none}});
  ProfileSide lower = profile_side(objective, {best.data(), 2}, 0, -1, profile_options());
  EXPECT_EQ(lower.end, End::bound);
  EXPECT_EQ(lower.at, objective.box().lower[0]);
  Likelihood at;
  objective.evaluate({best.data(), 2}, Order::value, at);
  EXPECT_NEAR(lower.points.back().value - at.value, 0.5, 1e-9);  // one standard error
}

TEST(Profile, of_a_product_alone_is_open_on_every_side) {
  SumOfSquares objective({{2, 0.5}, {0.1, 0.1}, {10, 10}},
                         [](std::span<const double> t, Eigen::VectorXd& r, Eigen::MatrixXd& J) {
                           r = Eigen::Vector2d(5 * (t[0] * t[1] - 1), 3 * (t[0] * t[1] - 1));
                           J = (Eigen::Matrix2d() << 5 * t[1], 5 * t[0], 3 * t[1], 3 * t[0]).finished();
                           return true;
                         });
  const std::vector<double> optimum{2, 0.5};
  ProfileResult result = profile_likelihoods(objective, optimum, profile_options());
  for (const Profile& profile : result.profiles) {
    EXPECT_FALSE(profile.identifiable());
    EXPECT_EQ(profile.lower.end, End::bound);
    EXPECT_EQ(profile.upper.end, End::bound);
    EXPECT_EQ(profile.lower.at, 0.1);
    EXPECT_EQ(profile.upper.at, 10);
    for (const ProfilePoint& p : profile.upper.points) EXPECT_NEAR(p.theta[0] * p.theta[1], 1, 1e-6);
  }
}

TEST(Profile, tells_of_a_lower_value_that_it_meets) {
  SumOfSquares objective = two_valleys(0.2);
  const std::vector<double> upper_valley{1};
  ProfileResult result = profile_likelihoods(objective, upper_valley, profile_options());
  ASSERT_FALSE(result.better.theta.empty());
  EXPECT_LT(result.better.value, 0.5 - 1e-3);
}

TEST(Profile, is_left_off_where_there_is_no_value) {
  Regression regression;
  Eigen::Vector2d best = regression.best();
  SumOfSquares plain = regression.objective({{0, 0}, {-none, -none}, {none, none}});
  SumOfSquares objective(
      {{0, 0}, {-none, -none}, {none, none}}, [&](std::span<const double> t, Eigen::VectorXd& r, Eigen::MatrixXd& J) {
        Likelihood at;
        plain.evaluate(t, Order::fisher, at);
        r.resize(5), J.resize(5, 2);
        for (int i = 0; i < 5; ++i)
          r[i] = (t[0] + t[1] * i - regression.y[static_cast<std::size_t>(i)]) * 2, J(i, 0) = 2, J(i, 1) = 2 * i;
        return t[0] < best[0] + 0.1;
      });
  ProfileSide side = profile_side(objective, {best.data(), 2}, 0, 1, profile_options());
  EXPECT_EQ(side.end, End::failed);
  EXPECT_NEAR(side.at, best[0] + 0.1, 1e-2);
  EXPECT_FALSE(side.message.empty());
}

TEST(Profile, gives_the_same_bits_in_processes) {
  Regression regression;
  Eigen::Vector2d best = regression.best();
  SumOfSquares objective = regression.objective({{0, 0}, {-10, -10}, {10, 10}});
  ProfileResult here = profile_likelihoods(objective, {best.data(), 2}, profile_options(0));
  ProfileResult apart = profile_likelihoods(objective, {best.data(), 2}, profile_options(3));
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(here.profiles[k].lower.at, apart.profiles[k].lower.at);
    EXPECT_EQ(here.profiles[k].upper.at, apart.profiles[k].upper.at);
    ASSERT_EQ(here.profiles[k].upper.points.size(), apart.profiles[k].upper.points.size());
    for (std::size_t i = 0; i < here.profiles[k].upper.points.size(); ++i)
      EXPECT_EQ(here.profiles[k].upper.points[i].theta, apart.profiles[k].upper.points[i].theta);
  }
}

}  // namespace
}  // namespace bolza::estimate::testing
