// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <complex>
#include <span>
#include <vector>

#include "runtime/linalg/factors.h"

namespace bolza::integrate {

/// The systems into which those of the stages of an implicit Runge–Kutta method with invertible A decouple when one
/// Jacobian J = (f_x, f_z; h_x, h_z) stands for that of every stage. With A⁻¹ = T Λ T⁻¹ there is a real system (μ/h M − J)
/// of n = n_x + n_z unknowns for every real eigenvalue μ, a complex one for every pair; M is the identity for the first n_x
/// unknowns and zero for the others. Steps (in increments of the stages) and adjoints (in rates of the stages) have the same
/// factors.                                                                                       [HW, IV.8]
class StageFactors {
 public:
  using Matrix = Eigen::MatrixXd;
  using Sparse = Eigen::SparseMatrix<double>;
  /// @param a  [stages × stages]
  StageFactors(std::size_t stages, std::span<const double> a, std::size_t n_x, std::size_t n);

  /// Factorises with J [n × n] for a step of length h; false when singular.
  bool factorise(const Sparse& J, double h);
  bool are_factorised() const { return factorised_; }

  /// One correction of simplified Newton: W, F in transformed coordinates T⁻¹ of the stages, [stages × n]; F := increments
  /// of W.
  void solve(const Matrix& W, Matrix& F) const;
  /// (μ/h M − J)⁻¹ r with the first real eigenvalue μ.
  Eigen::VectorXd solve_real(const Eigen::VectorXd& r) const { return real_.front().factors.solve(r); }
  double real_eigenvalue() const { return real_.front().eigenvalue; }
  /// For every transformed stage (I − hα f_x, −f_z; hα h_x, h_z)⁻¹ of its rows or the transposed of it, α = 1/μ.
  /// @param rows  [stages] of [n × m]
  void solve_rates(std::vector<Matrix>& rows, bool transposed) const;

  const Matrix& transform() const { return T_; }  ///< stages = T × transformed
  const Matrix& inverse() const { return T_inverse_; }

 private:
  template <class Scalar>
  struct System {
    Scalar eigenvalue;
    std::size_t first;  // row of the transformed stages
    linalg::Factors<Scalar> factors;
  };
  template <class Scalar>
  bool factorise(System<Scalar>& system, const Sparse& J);
  template <class Scalar>
  void solve_rates(const System<Scalar>& system, typename linalg::Factors<Scalar>::Dense& rows, bool transposed) const;

  Eigen::Index n_x_, n_;
  double h_ = 0;
  bool factorised_ = false;
  Matrix T_, T_inverse_;
  std::vector<System<double>> real_;
  std::vector<System<std::complex<double>>> pairs_;
};

}  // namespace bolza::integrate
