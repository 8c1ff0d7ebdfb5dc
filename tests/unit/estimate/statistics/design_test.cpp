// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/statistics/design.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace bolza::estimate {
namespace {

// Rows of y = A exp(−k t) at times 0 … 4 with k = 1, A = 1.
DesignProblem decay_times(std::size_t n) {
  DesignProblem problem;
  for (std::size_t i = 0; i < n; ++i) {
    double t = 4.0 * static_cast<double>(i) / static_cast<double>(n - 1);
    Eigen::MatrixXd row(1, 2);
    row << std::exp(-t), -t * std::exp(-t);
    problem.candidates.push_back(row);
  }
  return problem;
}

// A decay is best measured at the start and after one time constant, in equal shares [BOXLUCAS].
TEST(Design, finds_the_two_times_of_a_decay) {
  DesignProblem problem = decay_times(41);  // steps of 0.1
  EXPECT_EQ(best_subset(problem, 2).chosen, (std::vector<std::size_t>{0, 10}));
  Weights weights = best_weights(problem, 1e-5);
  EXPECT_GT(weights.efficiency, 1 - 1e-5);
  EXPECT_NEAR(weights.share[0], 0.5, 2e-3);
  EXPECT_NEAR(weights.share[9] + weights.share[10] + weights.share[11], 0.5, 2e-3);
}

// A parabola on [−1, 1]: a third each at −1, 0 and 1 for D, 1/4, 1/2, 1/4 for A [KW].
TEST(Design, gives_the_shares_of_polynomial_regression) {
  DesignProblem problem;
  for (int i = -4; i <= 4; ++i) {
    double x = i / 4.0;
    Eigen::MatrixXd row(1, 3);
    row << 1, x, x * x;
    problem.candidates.push_back(row);
  }
  Weights d = best_weights(problem);
  for (std::size_t i : {0u, 4u, 8u}) EXPECT_NEAR(d.share[i], 1.0 / 3, 1e-4);
  EXPECT_NEAR(d.value, -std::log(4.0 / 27), 1e-5);  // det = 4/27
  problem.criterion = Criterion::a;
  Weights a = best_weights(problem);
  EXPECT_NEAR(a.share[0], 0.25, 1e-3);
  EXPECT_NEAR(a.share[4], 0.5, 1e-3);
  EXPECT_NEAR(a.value, 8, 1e-4);
}

void every_subset(const DesignProblem& problem, std::size_t count, double& least) {
  std::vector<bool> in(problem.candidates.size(), false);
  std::fill(in.begin(), in.begin() + static_cast<long>(count), true);
  do {
    Eigen::Index n = problem.candidates[0].cols();
    Eigen::MatrixXd f = Eigen::MatrixXd::Zero(n, n);
    for (std::size_t i = 0; i < in.size(); ++i)
      if (in[i]) f += problem.candidates[i].transpose() * problem.candidates[i];
    least = std::min(least, criterion_of(f, problem.criterion));
  } while (std::prev_permutation(in.begin(), in.end()));
}

// Against all 792 choices of 5 out of 12 random candidates of one or two rows: exchanges may end in a local optimum, near
// the best.
TEST(Design, is_near_the_best_of_all_choices) {
  std::mt19937 random(7);
  auto uniform = [&] { return static_cast<double>(random()) / 4294967296.0 - 0.5; };
  int exact = 0, problems = 0;
  for (Criterion criterion : {Criterion::a, Criterion::d, Criterion::e, Criterion::modified_e})
    for (int k = 0; k < 5; ++k, ++problems) {
      DesignProblem problem{.criterion = criterion};
      for (int i = 0; i < 12; ++i) {
        Eigen::MatrixXd rows(1 + i % 2, 3);
        for (double& v : rows.reshaped()) v = uniform();
        problem.candidates.push_back(rows);
      }
      double least = std::numeric_limits<double>::infinity();
      every_subset(problem, 5, least);
      Design design = best_subset(problem, 5);
      exact += design.value <= least + 1e-9 * std::fabs(least);
      double factor = criterion == Criterion::d ? std::exp((design.value - least) / 3) : design.value / least;
      EXPECT_LT(factor, 1.05) << k;
      EXPECT_GE(factor, 1 - 1e-9) << k;
    }
  EXPECT_GE(exact, problems * 9 / 10);
}

TEST(Design, builds_on_what_is_known_and_says_what_cannot_be) {
  DesignProblem problem = decay_times(5);
  EXPECT_TRUE(std::isinf(best_subset(problem, 1).value));  // one measurement, two parameters
  problem.known = Eigen::MatrixXd::Zero(2, 2);
  problem.known(0, 0) = 1e6;  // A is known: k is best measured where t exp(−t) is largest, at t = 1
  EXPECT_EQ(best_subset(problem, 1).chosen, std::vector<std::size_t>{1});
  Eigen::MatrixXd diagonal = Eigen::Vector3d(1, 2, 4).asDiagonal();
  EXPECT_NEAR(criterion_of(diagonal, Criterion::a), 1.75, 1e-14);
  EXPECT_NEAR(criterion_of(diagonal, Criterion::d), -std::log(8.0), 1e-14);
  EXPECT_NEAR(criterion_of(diagonal, Criterion::e), 1, 1e-14);
  EXPECT_NEAR(criterion_of(diagonal, Criterion::modified_e), 4, 1e-14);
}

}  // namespace
}  // namespace bolza::estimate
