// SPDX-License-Identifier: Apache-2.0
// Factors of matrices against their residuals: dense and by KLU, real and complex.
#include "runtime/linalg/factors.h"

#include <gtest/gtest.h>

#include "runtime/linalg/entry_matrix.h"

namespace bolza::linalg {
namespace {

template <class Scalar>
Eigen::SparseMatrix<Scalar> band(Eigen::Index n, double shift) {
  std::vector<typename EntryMatrix<Scalar>::Place> places;
  for (int i = 0; i < n; ++i)
    for (int j : {i, i - 1, i + 2, i})  // the diagonal twice
      if (j >= 0 && j < n) places.push_back({i, j});
  EntryMatrix<Scalar> matrix(n, n, places);
  for (int round = 0; round < 2; ++round) {
    matrix.clear();
    for (std::size_t k = 0; k < places.size(); ++k)
      matrix.add(k, Scalar(places[k].row == places[k].col ? 1 + shift : std::sin(1.0 + static_cast<double>(k))));
  }
  return matrix.matrix();
}

template <class Scalar>
void check(Eigen::Index n, Scalar factor) {
  using Dense = typename Factors<Scalar>::Dense;
  Factors<Scalar> factors, older;
  for (double shift : {0.5, 0.7}) {
    Eigen::SparseMatrix<Scalar> A = band<Scalar>(n, shift);
    A *= factor;
    ASSERT_TRUE(factors.compute(A));
    if (shift == 0.5) older = factors;
    Dense B = Dense::Random(n, 3), X = factors.solve(B), Y = factors.solve(B, true);
    EXPECT_LT((A * X - B).cwiseAbs().maxCoeff(), 1e-12) << n;
    EXPECT_LT((Dense(A).transpose() * Y - B).cwiseAbs().maxCoeff(), 1e-12) << n;
  }
  Dense B = Dense::Random(n, 1), X = older.solve(B);
  Eigen::SparseMatrix<Scalar> A = band<Scalar>(n, 0.5);
  EXPECT_LT((factor * (A * X) - B).cwiseAbs().maxCoeff(), 1e-12) << "a copy keeps its factors";
}

TEST(Factors, solve_with_the_matrix_and_its_transpose_again_and_again) {
  for (Eigen::Index n : {1, 7, 60, 61, 400}) {
    check<double>(n, 2.0);
    check<std::complex<double>>(n, {1.0, 0.8});
  }
}

TEST(Factors, say_that_a_matrix_is_singular) {
  for (Eigen::Index n : {3, 100}) {
    Eigen::SparseMatrix<double> A = band<double>(n, 1.0);
    Factors<double> factors;
    for (Eigen::SparseMatrix<double>::InnerIterator e(A, 1); e; ++e) e.valueRef() = 0;
    EXPECT_FALSE(factors.compute(A)) << n;
    A = band<double>(n, 1.0);
    A.valuePtr()[0] = std::nan("");
    EXPECT_FALSE(factors.compute(A)) << n;
    EXPECT_TRUE(factors.compute(band<double>(n, 1.0))) << n;
  }
  Eigen::SparseMatrix<double> nothing(0, 0);
  Factors<double> factors;
  EXPECT_TRUE(factors.compute(nothing));
  EXPECT_EQ(factors.solve(Eigen::MatrixXd(0, 2)).cols(), 2);
}

}  // namespace
}  // namespace bolza::linalg
