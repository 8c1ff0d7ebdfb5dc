// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>

namespace bolza::nlp {

/// min gᵀs + ½ sᵀM s over |s| <= radius, solved exactly from the eigenvalues of M, which may be indefinite: the secular
/// equation by Newton's method, the hard case by a step along an eigenvector [NW, 4.3]. Cost: one eigenvalue problem, 9 n³,
/// for each matrix; n² for each gradient and radius.
class TrustRegionSubproblem {
 public:
  /// M: [n × n] symmetric. False: its eigenvalues did not converge.
  bool set_matrix(const Eigen::MatrixXd& M);
  /// step: [n], |step| <= radius but for rounding.     Requires  `set_matrix`
  void solve(const Eigen::VectorXd& gradient, double radius, Eigen::VectorXd& step);
  double smallest_eigenvalue() const { return values_.size() ? values_[0] : 0; }

 private:
  double norm_at(double shift) const;
  double shift_for(double radius, double least) const;

  Eigen::MatrixXd vectors_;                        // orthonormal eigenvectors
  Eigen::VectorXd values_, along_, coefficients_;  // eigenvalues, ascending; gradient and step along the eigenvectors
};

}  // namespace bolza::nlp
