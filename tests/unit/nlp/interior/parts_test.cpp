// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <random>

#include "runtime/nlp/interior/filter.h"
#include "runtime/nlp/interior/low_rank.h"
#include "runtime/nlp/interior/quasi_newton.h"

namespace bolza::nlp::interior {
namespace {

TEST(Filter, refuses_what_an_entry_is_better_than_in_both) {
  Filter filter;
  EXPECT_TRUE(filter.accepts(1e9, 1e9));
  filter.add(1, 5);
  filter.add(3, 2);
  EXPECT_TRUE(filter.accepts(0.5, 9));
  EXPECT_TRUE(filter.accepts(2, 4));
  EXPECT_FALSE(filter.accepts(2, 6));
  EXPECT_FALSE(filter.accepts(4, 3));
  filter.add(0.5, 1);  // both leave: neither says more
  EXPECT_FALSE(filter.accepts(0.6, 1.5));
  EXPECT_TRUE(filter.accepts(0.4, 100));
  filter.clear();
  EXPECT_TRUE(filter.empty());
}

Eigen::MatrixXd dense(const QuasiNewton& matrix, std::size_t n) {
  auto rows = static_cast<Eigen::Index>(n), columns = static_cast<Eigen::Index>(matrix.columns());
  Eigen::MatrixXd W(rows, columns), M(columns, columns);
  for (Eigen::Index j = 0; j < columns; ++j) {
    matrix.column(static_cast<std::size_t>(j), W.col(j).data());
    for (Eigen::Index i = 0; i < columns; ++i)
      M(i, j) = matrix.middle(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
  }
  Eigen::MatrixXd B = matrix.curvature() * Eigen::MatrixXd::Identity(rows, rows);
  return B - W * M.fullPivLu().solve(W.transpose());
}

/// Pairs y = A s of a positive definite A.
QuasiNewton learned(std::size_t n, int pairs, std::mt19937& engine, Eigen::VectorXd& s, Eigen::VectorXd& y) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  auto rows = static_cast<Eigen::Index>(n);
  Eigen::MatrixXd A = Eigen::MatrixXd::NullaryExpr(rows, rows, [&] { return uniform(engine); });
  A = A * A.transpose() + Eigen::MatrixXd::Identity(rows, rows);
  QuasiNewton matrix(n);
  for (int k = 0; k < pairs; ++k) {
    s = Eigen::VectorXd::NullaryExpr(rows, [&] { return uniform(engine); });
    y = A * s;
    matrix.update({s.data(), n}, {y.data(), n});
  }
  return matrix;
}

TEST(QuasiNewton, is_positive_definite_and_knows_the_last_pair) {
  std::mt19937 engine(3);
  for (int pairs : {1, 4, 9}) {
    Eigen::VectorXd s, y;
    Eigen::MatrixXd B = dense(learned(7, pairs, engine, s, y), 7);
    EXPECT_LT((B * s - y).norm(), 1e-9 * y.norm()) << pairs;
    EXPECT_LT((B - B.transpose()).norm(), 1e-9 * B.norm());
    EXPECT_GT(B.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff(), 0) << pairs;
  }
}

TEST(QuasiNewton, begins_again_where_the_curvature_is_negative_twice) {
  std::mt19937 engine(3);
  Eigen::VectorXd s, y;
  QuasiNewton matrix = learned(4, 3, engine, s, y);
  y = -s;
  matrix.update({s.data(), 4}, {y.data(), 4});
  EXPECT_EQ(matrix.columns(), 6u);
  matrix.update({s.data(), 4}, {y.data(), 4});
  EXPECT_EQ(matrix.columns(), 0u);
  EXPECT_EQ(matrix.curvature(), 1);
}

TEST(LowRank, solves_with_the_whole_matrix) {
  constexpr std::size_t n = 6, m = 2;
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Eigen::VectorXd s, y;
  QuasiNewton matrix = learned(n, 3, engine, s, y);
  Pattern none, jacobian;
  std::vector<double> J, sigma(n, matrix.curvature()), delta(m, 0.0);
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + m, n + m);
  K.topLeftCorner(n, n) = dense(matrix, n);
  for (std::size_t r = 0; r < m; ++r)
    for (std::size_t v = 0; v < n; ++v) {
      jacobian.row.push_back(static_cast<std::int32_t>(r));
      jacobian.col.push_back(static_cast<std::int32_t>(v));
      J.push_back(uniform(engine));
      K(static_cast<Eigen::Index>(n + r), static_cast<Eigen::Index>(v)) = J.back();
      K(static_cast<Eigen::Index>(v), static_cast<Eigen::Index>(n + r)) = J.back();
    }
  std::unique_ptr<KktFactors> factors = dense_kkt_factors(n, m, none, jacobian);
  ASSERT_TRUE(factors->factor({}, J, sigma, delta));
  LowRank low_rank;
  low_rank.prepare(matrix, n, m, *factors);
  Eigen::VectorXd b = Eigen::VectorXd::NullaryExpr(n + m, [&] { return uniform(engine); }), x = b;
  factors->solve({x.data(), n + m});
  low_rank.correct({x.data(), n + m});
  EXPECT_LT((K * x - b).norm(), 1e-10);
}

}  // namespace
}  // namespace bolza::nlp::interior
