#pragma once
#include <Eigen/Dense>
#include <Eigen/SparseLU>
#include <complex>
#include <memory>
#include <optional>
#include <vector>

namespace bolza::integrate {

/// The Jacobian S of the stage equations of an implicit Runge–Kutta method by (K, Z), with its own f_x, f_z, h_x, h_z at
/// every stage; rows K_i − f_i, then h_i.
///
/// Systems with S and Sᵀ are solved by iteration with exact products, preconditioned by factors that are as old as they may
/// be: with one Jacobian for all stages, A = T Λ T⁻¹ decouples S into (I − hα f_x, −f_z; hα h_x, h_z), one real system of n
/// = n_x + n_z unknowns for every real eigenvalue α of A, a complex one for every pair. Where that contracts too slowly they
/// are made anew from the stages at hand, and where even those do not contract, S itself is factorised.  [HW, IV.8; 001,
/// section 6]
class StageMatrix {
 public:
  using Matrix = Eigen::MatrixXd;
  /// @param a  [stages × stages] of the method
  StageMatrix(std::size_t stages, const std::vector<double>& a, std::size_t n_x, std::size_t n_z);

  /// What S is made of from now on; false when it is not finite.
  /// @param parts  [stages] of (f_x, f_z; h_x, h_z), [n × n]   @param h  length of the step
  bool set(std::vector<Matrix> parts, double h);
  /// X with S X = R, or Sᵀ X = R; nothing when S is singular. [stages·n × m]
  /// Cost: a few products and back-solves; O(n³) dense up to 60 unknowns, else sparse, where factors are made.
  std::optional<Matrix> solve(const Matrix& R, bool transposed);
  std::size_t factorisations() const { return factorisations_; }

 private:
  template <class Scalar>
  struct Factor {
    using Dense = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
    Scalar alpha;
    Eigen::Index first;  ///< row of the transformed stages
    Eigen::PartialPivLU<Dense> dense;
    std::shared_ptr<Eigen::SparseLU<Eigen::SparseMatrix<Scalar>>> sparse;
    bool compute(const Matrix& J, Eigen::Index n_x, double h);
    Dense solve(const Dense& R, bool transposed) const;
  };
  bool factorise();
  bool factorise_whole();
  Matrix product(const Matrix& X, bool transposed) const;
  Matrix precondition(const Matrix& R, bool transposed) const;
  std::optional<Matrix> iterate(const Matrix& R, bool transposed) const;
  Matrix mix(const Matrix& by, const Matrix& R) const;

  Eigen::Index s_, nx_, nz_, n_;
  Matrix A_, T_, T_inverse_;
  std::vector<Factor<double>> real_;
  std::vector<Factor<std::complex<double>>> pairs_;
  std::vector<Matrix> parts_;
  double h_ = 0;
  bool factorised_ = false, fresh_ = false, whole_ = false;
  Factor<double> all_{};  ///< of S itself
  std::size_t factorisations_ = 0;
};

}  // namespace bolza::integrate
