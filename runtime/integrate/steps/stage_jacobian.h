// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/integrate/steps/stage_factors.h"

namespace bolza::integrate {

/// The Jacobian S of the stage equations of an implicit Runge–Kutta method by (K, Z), with its own f_x, f_z, h_x, h_z at
/// every stage; rows K_i − f_i, then h_i.
///
/// Systems with S and Sᵀ are solved by iteration with exact products, preconditioned by StageFactors, whose factors are as
/// old as they may be: those that a run left, as long as they contract. Where that is too slow they are made again from the
/// stages at hand, and where even those do not contract, S itself is factorised.       [HW, IV.8; IDOS, section 6]
/// So it is at once, in every step, where it is small.
class StageJacobian {
 public:
  using Matrix = Eigen::MatrixXd;
  using Sparse = Eigen::SparseMatrix<double>;
  /// @param a  [stages × stages] of the method
  StageJacobian(std::size_t stages, const std::vector<double>& a, std::size_t n_x, std::size_t n_z);

  /// From now on factors of somebody else, who may make them again; null: none.
  void begin_with(std::shared_ptr<const StageFactors> factors) {
    if (factors && factors->are_factorised()) factors_ = std::move(factors);
  }
  /// What S is made of from now on; false when it is not finite.
  /// @param parts  [stages] of (f_x, f_z; h_x, h_z), [n × n]   @param h  length of the step
  bool set(std::vector<Sparse> parts, double h);
  /// X with S X = R, or Sᵀ X = R; nothing when S is singular. [stages·n × m]
  /// Cost: a few products and back-solves; those of linalg::Factors where factors are made.
  std::optional<Matrix> solve(const Matrix& R, bool transposed);
  std::size_t factorisations() const { return factorisations_; }

 private:
  template <class Put>
  void put_parts(const Put& put) const;
  bool factorise();
  bool factorise_whole();
  void factorise_dense();
  Matrix product(const Matrix& X, bool transposed) const;
  Matrix precondition(const Matrix& R, bool transposed) const;
  std::optional<Matrix> iterate(const Matrix& R, bool transposed) const;

  Eigen::Index s_, nx_, nz_, n_;
  Matrix A_;
  std::shared_ptr<StageFactors> own_;
  std::shared_ptr<const StageFactors> factors_;  ///< own or another's
  std::vector<Sparse> parts_;
  double h_ = 0;
  bool fresh_ = false, whole_ = false;
  linalg::Factors<double> all_;  ///< of S itself
  Matrix dense_;                 ///< S itself, where it is small
  Eigen::PartialPivLU<Matrix> dense_factors_;
  std::size_t factorisations_ = 0;
};

}  // namespace bolza::integrate
