// SPDX-License-Identifier: Apache-2.0
#include "runtime/linalg/dense_decompositions.h"

#include <gtest/gtest.h>

namespace bolza::linalg {
namespace {

using Eigen::MatrixXd;

TEST(DenseDecompositions, take_a_matrix_without_columns) {
  MatrixXd none(3, 0);
  SingularValues svd = singular_values(none);
  EXPECT_EQ(svd.values.size(), 0);
  EXPECT_EQ(svd.U.rows(), 3);
  EXPECT_EQ(svd.V.size(), 0);
  EXPECT_EQ(least_squares(none, MatrixXd::Ones(3, 2)).cols(), 2);
  EXPECT_EQ(null_space(none, 1e-12).size(), 0);
}

TEST(DenseDecompositions, take_a_matrix_without_rows) {
  MatrixXd none(0, 2);
  EXPECT_EQ(singular_values(none).V, MatrixXd::Identity(2, 2));
  EXPECT_EQ(least_squares(none, MatrixXd(0, 1)), MatrixXd::Zero(2, 1));
  EXPECT_EQ(null_space(none, 1e-12), MatrixXd::Identity(2, 2));
}

TEST(DenseDecompositions, take_an_empty_square_matrix) {
  MatrixXd none(0, 0);
  ASSERT_TRUE(spectrum(none));
  EXPECT_EQ(spectrum(none)->values.size(), 0);
  EXPECT_EQ(eigenvectors(none).values.size(), 0);
  EXPECT_EQ(solve(none, MatrixXd(0, 2)).cols(), 2);
  EXPECT_TRUE(solve_if_regular(none, MatrixXd(0, 2)));
  EXPECT_EQ(inverse(none).size(), 0);
}

TEST(DenseDecompositions, give_the_solution_of_smallest_norm) {
  MatrixXd A(1, 2);
  A << 3, 4;
  MatrixXd x = least_squares(A, MatrixXd::Constant(1, 1, 25));  // along (3, 4), and (3, 4)·(3, 4) = 25
  EXPECT_NEAR(x(0, 0), 3, 1e-14);
  EXPECT_NEAR(x(1, 0), 4, 1e-14);
}

}  // namespace
}  // namespace bolza::linalg
