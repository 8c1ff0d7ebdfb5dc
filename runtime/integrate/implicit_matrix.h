#pragma once
#include <Eigen/Dense>

namespace bolza::integrate {

/// B = w₁ J + w₂ (G + J_x J_f), the derivative of w₁ F + w₂ D in an implicit equation y = b + w₁ F + w₂ D of a step, and
/// linear equations with 1 − B_x. J_x J_f is never formed and never applied to what was solved for: where h² λ² is beyond
/// 1/ε its rounding would drown what moves slowly. With v = s J_f y and s² = |w₂| the equations
///
///   (1 − w₁ J_x − w₂ G) x − (w₂/s) J_x v = b,   −s J_x x + v = 0
///
/// are factorised, and v is kept; without w₂ the n_x × n_x matrix itself. J's rows are those of (f, q), J_f those of f;
/// columns (t, x, u, p). The integrals q are given by x, no x depends on them.
class ImplicitMatrix {
 public:
  using Matrix = Eigen::MatrixXd;
  /// @param J, G  [n × columns], G is not looked at without w₂     Cost: a factorisation of n_x, with w₂ of 2 n_x.
  void compute(const Matrix& J, const Matrix& G, double w1, double w2, Eigen::Index n_x);

  /// x of (1 − B_x) x = b, b [n_x × m].
  Matrix solve(const Matrix& b) const;
  /// y [n × m] of y = out + B (held with y's states in it); `held` [columns × m] has none.
  void tangent(const Matrix& held, Matrix& out) const;
  /// ψ of ψ = psi + (B'ψ)_x, and (J'ψ)_x as it was solved for.
  void adjoint(Matrix& psi, Matrix& back) const;
  /// B'ψ with these. [columns × m]
  Matrix transposed_times(const Matrix& psi, const Matrix& back) const;

 private:
  Matrix J_, G_;
  double w1_ = 0, w2_ = 0, s_ = 0;
  Eigen::Index n_x_ = 0;
  Eigen::PartialPivLU<Matrix> lu_;
};

}  // namespace bolza::integrate
