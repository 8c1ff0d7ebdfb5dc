#pragma once
#include <Eigen/Dense>
#include <Eigen/SparseLU>
#include <complex>
#include <memory>
#include <span>
#include <vector>

#include "runtime/nonlinear/newton.h"

namespace bolza::integrate {

/// The linear systems of simplified Newton for an implicit Runge–Kutta method with invertible A: one real n × n system
/// (μ/h M − J) per real eigenvalue μ of A⁻¹, one complex system per pair.                        [HW, IV.8]
/// M is the identity for the first n_x unknowns and zero for the others.
class StageSystems {
 public:
  /// @param a  [stages × stages]
  StageSystems(std::size_t stages, std::span<const double> a, std::size_t n_x, std::size_t n);

  /// Keeps J, given by entries (places may repeat).
  void set_jacobian(std::span<const nonlinear::Entry> entries) { entries_.assign(entries.begin(), entries.end()); }
  /// Factorises for a step of length h; false when singular. Cost: O(n³) dense up to 60 unknowns, else sparse.
  bool factorise(double h);
  /// One correction: W, F in transformed coordinates T⁻¹ of the stages, [stages × n]; F := increments of W.
  void solve(const Eigen::MatrixXd& W, Eigen::MatrixXd& F) const;
  /// (μ/h M − J)⁻¹ r with the first real eigenvalue μ.
  Eigen::VectorXd solve_real(const Eigen::VectorXd& r) const { return real_.front().solve(r); }

  const Eigen::MatrixXd& transform() const { return T_; }  ///< stages = T × transformed
  const Eigen::MatrixXd& inverse() const { return T_inverse_; }

 private:
  template <class Scalar>
  struct Factor {
    Scalar eigenvalue;
    std::size_t first;  // row of the transformed stages
    Eigen::PartialPivLU<Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>> dense;
    std::unique_ptr<Eigen::SparseLU<Eigen::SparseMatrix<Scalar>>> sparse;
    Eigen::Matrix<Scalar, Eigen::Dynamic, 1> solve(const Eigen::Matrix<Scalar, Eigen::Dynamic, 1>& r) const {
      return sparse ? sparse->solve(r).eval() : dense.solve(r).eval();
    }
  };
  template <class Scalar>
  bool factorise(Factor<Scalar>& factor, double h);

  std::size_t n_x_, n_;
  double h_ = 0;
  Eigen::MatrixXd T_, T_inverse_;
  std::vector<Factor<double>> real_;
  std::vector<Factor<std::complex<double>>> pairs_;
  std::vector<nonlinear::Entry> entries_;
};

}  // namespace bolza::integrate
