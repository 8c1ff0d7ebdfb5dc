// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/integrate/model/rate_jacobian.h"

namespace bolza::integrate {

/// B = w₁ J + w₂ (G + J_x J_f), the derivative of w₁ F + w₂ D in an implicit equation y = b + w₁ F + w₂ D of a step, and
/// linear equations with 1 − B_x. J_x J_f is never formed and never applied to what was solved for: where h² λ² is beyond
/// 1/ε its rounding would drown what moves slowly. With v = s J_f y and s² = |w₂| the equations
///
///   (1 − w₁ J_x − w₂ G) x − (w₂/s) J_x v = b,   −s J_x x + v = 0
///
/// are factorised, and v is kept; without w₂ the first with v left out. Algebraics are unknowns alongside x and v, so that
/// the matrix is as sparse as the model: with Ṡ of G, see RateJacobian,
///
///   x − (w₁ F_x + w₂ Ḟ_x) x − (w₁ F_z + w₂ Ḟ_z) z − (w₂/s) (F_x v + F_z ζ) = b          h_x x + h_z z = 0
///   v − s (F_x x + F_z z) = 0                                s (ḣ_x x + ḣ_z z) + h_x v + h_z ζ = 0
///
/// The integrals q are given by x, no x depends on them.
class ImplicitMatrix {
 public:
  using Matrix = Eigen::MatrixXd;
  /// @param S_dot  of G, not looked at without w₂; empty: G is left out
  /// False: singular. Cost: a factorisation of n_x + n_z unknowns, with w₂ of twice as many: sparse where they are many.
  bool compute(RateJacobian J, RateJacobian::Sparse S_dot, double w1, double w2);

  /// x of (1 − B_x) x = b, b [n_x × m].
  Matrix solve(const Matrix& b) const;
  /// y [n × m] of y = out + B (held with y's states in it); `held` [columns × m] has none.
  void tangent(const Matrix& held, Matrix& out) const;
  /// ψ of ψ = psi + (B'ψ)_x, and (J'ψ)_x as it was solved for.
  void adjoint(Matrix& psi, Matrix& back) const;
  /// B'ψ with these. [columns × m]
  Matrix transposed_times(const Matrix& psi, const Matrix& back) const;

 private:
  Matrix solve(const Matrix& x, const Matrix& v, bool transposed) const;
  Matrix G_times(const Matrix& c) const;
  Matrix G_transposed_times(const Matrix& psi) const;

  RateJacobian J_;
  RateJacobian::Sparse S_dot_;
  double w1_ = 0, w2_ = 0, s_ = 0;
  linalg::Factors<double> factors_;
};

}  // namespace bolza::integrate
