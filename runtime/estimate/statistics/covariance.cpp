// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/statistics/covariance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/linalg/dense_decompositions.h"

namespace bolza::estimate {
namespace {

constexpr double infinite_variance = std::numeric_limits<double>::infinity();

bool near_bound(const Box& box, std::size_t k, double theta, double bound) {
  double width = box.upper[k] - box.lower[k], size = std::isfinite(width) ? width : box.scale(k, bound);
  return std::isfinite(bound) && std::fabs(theta - bound) <= 1e-6 * size;
}

// Of M with columns of length 1: (M'M)⁻¹ across the directions that are not open, and the open ones as rows.
struct Inverse {
  Eigen::MatrixXd matrix, open;
};

Inverse inverse_of(const Eigen::MatrixXd& unit_columns, double tolerance) {
  Eigen::Index n = unit_columns.cols(), rank = 0;
  linalg::SingularValues svd = linalg::singular_values(unit_columns);
  const Eigen::VectorXd& s = svd.values;
  while (rank < s.size() && s[rank] > tolerance * s[0]) ++rank;
  Eigen::MatrixXd half = svd.V.leftCols(rank) * s.head(rank).cwiseInverse().asDiagonal();
  return {half * half.transpose(), svd.V.rightCols(n - rank).transpose()};
}

}  // namespace

std::vector<AtBound> at_bounds(const Box& box, std::span<const double> theta) {
  std::vector<AtBound> out(theta.size(), AtBound::no);
  for (std::size_t i = 0; i < theta.size(); ++i) {
    if (near_bound(box, i, theta[i], box.lower[i])) out[i] = AtBound::lower;
    else if (near_bound(box, i, theta[i], box.upper[i])) out[i] = AtBound::upper;
  }
  return out;
}

Covariance covariance_of(const Eigen::MatrixXd& rows, std::span<const AtBound> at_bound, double factor, double tolerance) {
  Eigen::Index n = rows.cols();
  std::vector<Eigen::Index> free;
  for (Eigen::Index i = 0; i < n; ++i)
    if (at_bound[static_cast<std::size_t>(i)] == AtBound::no) free.push_back(i);
  Covariance out{Eigen::MatrixXd::Zero(n, n), Eigen::MatrixXd::Zero(n, n), Eigen::MatrixXd::Zero(0, n)};
  if (free.empty()) return out;
  Eigen::MatrixXd used = rows(Eigen::all, free);
  Eigen::VectorXd size = used.colwise().norm();
  for (double& s : size) s = s > 0 ? s : 1;
  Inverse inverse = inverse_of(used * size.cwiseInverse().asDiagonal(), tolerance);
  out.open.setZero(inverse.open.rows(), n);
  for (std::size_t i = 0; i < free.size(); ++i) {
    auto a = static_cast<Eigen::Index>(i);
    out.open.col(free[i]) = inverse.open.col(a) / size[a];
    for (std::size_t j = 0; j < free.size(); ++j) {
      auto b = static_cast<Eigen::Index>(j);
      out.held(free[i], free[j]) = factor * inverse.matrix(a, b) / (size[a] * size[b]);
    }
  }
  out.matrix = out.held;
  for (std::size_t i = 0; i < free.size(); ++i)
    if (inverse.open.col(static_cast<Eigen::Index>(i)).squaredNorm() > 1e-6) {
      out.matrix.row(free[i]).setZero();
      out.matrix.col(free[i]).setZero();
      out.matrix(free[i], free[i]) = infinite_variance;
    }
  return out;
}

double variance_along(const Eigen::RowVectorXd& derivative, const Covariance& covariance) {
  for (Eigen::Index k = 0; k < covariance.open.rows(); ++k) {
    Eigen::RowVectorXd direction = covariance.open.row(k), parts = derivative.cwiseProduct(direction);
    double rounding = 1e-6 * derivative.cwiseAbs().maxCoeff() * direction.cwiseAbs().maxCoeff();
    if (std::fabs(parts.sum()) > 1e-3 * parts.cwiseAbs().sum() + rounding) return infinite_variance;
  }
  return derivative * covariance.held * derivative.transpose();
}

Eigen::MatrixXd correlation_of(const Eigen::MatrixXd& covariance) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Identity(covariance.rows(), covariance.cols());
  for (Eigen::Index i = 0; i < out.rows(); ++i)
    for (Eigen::Index j = 0; j < out.cols(); ++j) {
      double size = std::sqrt(covariance(i, i)) * std::sqrt(covariance(j, j));
      bool known = size > 0 && std::isfinite(size);
      if (i != j) out(i, j) = known ? covariance(i, j) / size : std::numeric_limits<double>::quiet_NaN();
    }
  return out;
}

Uncertainty interval_of(const Parameter& parameter, double theta, double variance, double quantile) {
  Uncertainty out;
  double value = from_scale(theta, parameter.scale);
  out.error = std::sqrt(variance);
  out.physical_error = std::fabs(slope_of(value, parameter.scale)) * out.error;
  out.relative_error = out.error == 0 ? 0 : out.physical_error / std::fabs(value);
  out.lower = from_scale(theta - quantile * out.error, parameter.scale);
  out.upper = from_scale(theta + quantile * out.error, parameter.scale);
  return out;
}

}  // namespace bolza::estimate
