// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/inversion/regression.h"

#include <limits>

#include "runtime/linalg/dense_decompositions.h"

namespace bolza::estimate {

Regression::Regression(const Eigen::MatrixXd& B, const Eigen::VectorXd& b) {
  Eigen::Index n = B.cols();
  // rows of zeros where there are more terms than rows
  Eigen::MatrixXd tall = Eigen::MatrixXd::Zero(std::max(B.rows(), n), n);
  size_ = B.colwise().norm();
  for (double& s : size_) s = s > 0 ? s : 1;
  tall.topRows(B.rows()) = B * size_.cwiseInverse().asDiagonal();
  Eigen::VectorXd right = Eigen::VectorXd::Zero(tall.rows());
  right.head(b.size()) = b;
  linalg::SingularValues svd = linalg::singular_values(tall);
  V_ = svd.V;
  D_ = svd.values;
  Utb_ = svd.U.transpose() * right;
  double least = n == 0 ? 0 : D_[0] * std::numeric_limits<double>::epsilon() * static_cast<double>(tall.rows());
  while (rank_ < static_cast<std::size_t>(n) && D_[static_cast<Eigen::Index>(rank_)] > least) ++rank_;
}

Eigen::VectorXd Regression::solve(double lambda, const Eigen::VectorXd& a0) const {
  auto r = static_cast<Eigen::Index>(rank_);
  Eigen::VectorXd y = Utb_.head(r) - D_.head(r).cwiseProduct(V_.leftCols(r).transpose() * size_.cwiseProduct(a0));
  Eigen::ArrayXd d = D_.head(r).array();
  y.array() *= d / (d.square() + lambda * lambda);
  return a0 + (V_.leftCols(r) * y).cwiseQuotient(size_);
}

double Regression::reduction(const Eigen::VectorXd& a0) const {
  auto r = static_cast<Eigen::Index>(rank_);
  return (Utb_.head(r) - D_.head(r).cwiseProduct(V_.leftCols(r).transpose() * size_.cwiseProduct(a0))).squaredNorm();
}

Eigen::MatrixXd Regression::unit_covariance() const {
  auto r = static_cast<Eigen::Index>(rank_);
  Eigen::MatrixXd M = size_.cwiseInverse().asDiagonal() * V_.leftCols(r) * D_.head(r).cwiseInverse().asDiagonal();
  return M * M.transpose();
}

Eigen::VectorXd Regression::hidden() const {
  return V_.rightCols(V_.cols() - static_cast<Eigen::Index>(rank_)).rowwise().norm();
}

Eigen::MatrixXd Regression::null_directions() const {
  Eigen::MatrixXd out = size_.cwiseInverse().asDiagonal() * V_.rightCols(V_.cols() - static_cast<Eigen::Index>(rank_));
  out.colwise().normalize();
  return out;
}

}  // namespace bolza::estimate
