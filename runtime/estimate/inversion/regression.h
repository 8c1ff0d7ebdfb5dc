// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <vector>

namespace bolza::estimate {

/// The linear problem of one iteration, min ‖B a − b‖² + λ²‖N (a − a0)‖², decomposed once for all λ [MI, (5)–(8)]. N has the
/// lengths of the columns of B on its diagonal, so that units of coefficients do not matter.
class Regression {
 public:
  /// @param B  [rows × terms]     @param b  [rows]     Cost O(rows terms² + terms³).
  Regression(const Eigen::MatrixXd& B, const Eigen::VectorXd& b);

  /// The minimiser: a = a0 + V (D² + λ²)⁻¹ D (Uᵀb − D Vᵀa0), which is (8) without its cancellation. Directions that B does
  /// not see keep a0. Cost O(terms²).
  Eigen::VectorXd solve(double lambda, const Eigen::VectorXd& a0) const;

  /// By how much the minimiser for λ = 0 has a smaller ‖B a − b‖² than a0.
  double reduction(const Eigen::VectorXd& a0) const;

  /// M Mᵀ = V D⁻² Vᵀ over the directions that B sees: the covariance of a for errors of variance 1 [MI, (10)].
  Eigen::MatrixXd unit_covariance() const;
  const Eigen::VectorXd& singular_values() const { return D_; }  ///< [terms] of B N⁻¹, descending
  std::size_t rank() const { return rank_; }
  /// Share of each coefficient's direction that B does not see, 0 to 1; above 1e-6 the coefficient is not determined.
  Eigen::VectorXd hidden() const;
  /// Directions that B does not see, of length 1, one a column [terms × terms − rank].
  Eigen::MatrixXd null_directions() const;

 private:
  Eigen::MatrixXd V_;               // of B N⁻¹ = U D V'
  Eigen::VectorXd D_, Utb_, size_;  // size_: N
  std::size_t rank_ = 0;
};

}  // namespace bolza::estimate
