// SPDX-License-Identifier: Apache-2.0
#include "runtime/linalg/factors.h"

#include <cmath>

namespace bolza::linalg {

template <class Scalar>
bool Factors<Scalar>::compute(const Sparse& A) {
  is_dense_ = A.rows() <= dense_limit || 4 * A.nonZeros() >= A.rows() * A.cols();
  if (!is_dense_) return sparse_.compute(A);
  dense_.compute(Dense(A));
  if (A.rows() == 0) return true;
  auto pivots = dense_.matrixLU().diagonal().cwiseAbs();
  return pivots.minCoeff() > 0 && std::isfinite(pivots.maxCoeff());
}

template <class Scalar>
typename Factors<Scalar>::Dense Factors<Scalar>::solve(const Dense& B, bool transposed) const {
  if (is_dense_) return transposed ? Dense(dense_.transpose().solve(B)) : Dense(dense_.solve(B));
  Dense X = B;
  sparse_.solve(X, transposed);
  return X;
}

template class Factors<double>;
template class Factors<std::complex<double>>;

}  // namespace bolza::linalg
