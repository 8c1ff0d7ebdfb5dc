// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <Eigen/SparseCore>
#include <memory>

#include "runtime/linalg/factors.h"

namespace bolza::integrate {

/// Total derivatives J = dF/d(t, x, u, p) of F = (f, q) at a point, algebraics z solved for, as products: nothing full is
/// formed. With S the sparse derivatives of (F, h) by (t, x, z, u, p), a dot for how a thing moves,
///
///   J c = F_y y,   y = (c, ż), h_y y = 0;          J'ψ = F_c'ψ − h_c'μ,   h_z'μ = F_z'ψ.
///
/// How J d moves with the point, d held, is G: with Ṡ, how S moves along y(d),   G c = Ḟ_y y(c) + F_z z̈, h_z z̈ = −ḣ_y y(c).
struct RateJacobian {
  using Matrix = Eigen::MatrixXd;
  using Sparse = Eigen::SparseMatrix<double>;

  Sparse S;                                                  ///< [(n + n_z) × (1 + n_x + n_z + n_u + n_p)], n = n_x + n_q
  std::shared_ptr<const linalg::Factors<double>> algebraic;  ///< of h_z, null without algebraics
  Eigen::Index n_x = 0, n_z = 0;

  Eigen::Index n() const { return S.rows() - n_z; }
  Eigen::Index columns() const { return S.cols() - n_z; }  ///< t, x, u, p
  /// J c. [n × m], c [columns × m]
  Matrix times(const Matrix& c) const;
  /// J'ψ. [columns × m], ψ [n × m]
  Matrix transposed_times(const Matrix& psi) const;
  /// G c, G'ψ for Ṡ [like S].
  Matrix curved_times(const Sparse& S_dot, const Matrix& c) const;
  Matrix curved_transposed_times(const Sparse& S_dot, const Matrix& psi) const;
  /// y = (c, ż) with h_y y = 0, as S has the columns.
  Matrix with_algebraics(const Matrix& c) const;
  /// (0, x, 0, 0) [columns × m] of x [n_x × m].
  Matrix of_states(const Matrix& x) const;

 private:
  Matrix pull_back(Matrix by) const;
};

}  // namespace bolza::integrate
