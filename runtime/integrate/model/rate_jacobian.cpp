// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/model/rate_jacobian.h"

namespace bolza::integrate {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;

namespace {

/// What belongs to (t, x, u, p) of (t, x, z, u, p).
Matrix without_algebraics(const Matrix& y, Index n_x, Index n_z) {
  if (n_z == 0) return y;
  Matrix c(y.rows() - n_z, y.cols());
  c << y.topRows(1 + n_x), y.bottomRows(y.rows() - 1 - n_x - n_z);
  return c;
}

/// Multipliers of h below those of F.
Matrix stack(const Matrix& psi, const Matrix& mu) {
  Matrix all(psi.rows() + mu.rows(), psi.cols());
  all << psi, mu;
  return all;
}

}  // namespace

Matrix RateJacobian::with_algebraics(const Matrix& c) const {
  if (n_z == 0) return c;
  Matrix y = Matrix::Zero(S.cols(), c.cols());
  y.topRows(1 + n_x) = c.topRows(1 + n_x);
  y.bottomRows(c.rows() - 1 - n_x) = c.bottomRows(c.rows() - 1 - n_x);
  Matrix by_c = S * y;
  y.middleRows(1 + n_x, n_z) = algebraic->solve(-by_c.bottomRows(n_z));
  return y;
}

Matrix RateJacobian::times(const Matrix& c) const {
  Matrix all = S * with_algebraics(c);
  return n_z == 0 ? all : Matrix(all.topRows(n()));
}

/// `by` [columns of S]: those of z are taken away by multipliers of h.
Matrix RateJacobian::pull_back(Matrix by) const {
  if (n_z > 0) {
    Matrix mu = algebraic->solve(by.middleRows(1 + n_x, n_z), true);
    by -= S.transpose() * stack(Matrix::Zero(n(), by.cols()), mu);
  }
  return without_algebraics(by, n_x, n_z);
}

Matrix RateJacobian::transposed_times(const Matrix& psi) const {
  if (n_z == 0) return S.transpose() * psi;
  return pull_back(S.transpose() * stack(psi, Matrix::Zero(n_z, psi.cols())));
}

Matrix RateJacobian::curved_times(const Sparse& S_dot, const Matrix& c) const {
  if (n_z == 0) return S_dot * c;
  Matrix bent = S_dot * with_algebraics(c), z = Matrix::Zero(S.cols(), c.cols());
  z.middleRows(1 + n_x, n_z) = algebraic->solve(-bent.bottomRows(n_z));
  Matrix by_z = S * z;
  return bent.topRows(n()) + by_z.topRows(n());
}

Matrix RateJacobian::curved_transposed_times(const Sparse& S_dot, const Matrix& psi) const {
  if (n_z == 0) return S_dot.transpose() * psi;
  Matrix by = S.transpose() * stack(psi, Matrix::Zero(n_z, psi.cols()));
  Matrix mu = algebraic->solve(-by.middleRows(1 + n_x, n_z), true);
  return pull_back(S_dot.transpose() * stack(psi, mu));
}

Matrix RateJacobian::of_states(const Matrix& x) const {
  Matrix c = Matrix::Zero(columns(), x.cols());
  c.middleRows(1, n_x) = x;
  return c;
}

}  // namespace bolza::integrate
