// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>

#include "runtime/nlp/trust_region/subproblem.h"

namespace bolza::nlp {

/// The affine scaling of a problem with bounds at a point: v is the distance to the bound that −g points to, 1 where there
/// is none; the scaled variables are s/√v, and M = D B D + diag(|g_i| where there is a bound), D = diag(√v) [CL1996].
struct AffineScaling {
  Eigen::VectorXd d;         ///< [n] √v
  Eigen::VectorXd gradient;  ///< [n] D g
  Eigen::VectorXd bounds;    ///< [n] |g_i|, or 0
  Eigen::MatrixXd matrix;    ///< [n × n] M

  void set(const Eigen::VectorXd& w, const Eigen::VectorXd& g, const Eigen::MatrixXd& B, const Eigen::VectorXd& lower,
           const Eigen::VectorXd& upper);
  double model(const Eigen::VectorXd& scaled) const { return gradient.dot(scaled) + 0.5 * scaled.dot(matrix * scaled); }
};

/// Steps that stay strictly between bounds. Where the exact step of the trust region leaves them, the best of four by the
/// model is taken: cut off at the first bound, reflected there, along the scaled gradient, and exact again in the variables
/// that are left when those which hit a bound have stopped before it.
class BoundedStep {
 public:
  /// @param keep   share of the way to a bound that a step may go, below 1
  /// @param step   [n] in the units of w; its scaled form is `scaled()`
  /// False: the eigenvalues of a matrix did not converge.
  bool compute(const AffineScaling& at, const Eigen::VectorXd& to_lower, const Eigen::VectorXd& to_upper, double radius,
               double keep, Eigen::VectorXd& step);
  const Eigen::VectorXd& scaled() const { return best_; }
  double predicted() const { return value_; }  ///< change of the model, <= 0

 private:
  struct Hit {
    double length = 0;           // at which the first bound is met; infinity: none
    Eigen::Index variable = -1;  // that meets it
  };
  Hit first_bound(const Eigen::VectorXd& from, const Eigen::VectorXd& direction) const;
  void consider(const Eigen::VectorXd& scaled);
  void along_ray(const Eigen::VectorXd& from, const Eigen::VectorXd& direction);
  void reflected(const Eigen::VectorXd& exact);
  bool with_stopped_variables();

  const AffineScaling* at_ = nullptr;
  double radius_ = 0, keep_ = 0, value_ = 0;
  TrustRegionSubproblem whole_, part_;
  Eigen::VectorXd low_, high_;  // bounds of the scaled step
  Eigen::VectorXd exact_, best_, candidate_, direction_, part_gradient_, part_step_;
  Eigen::MatrixXd part_matrix_;
  std::vector<Eigen::Index> free_, left_;
};

}  // namespace bolza::nlp
