// SPDX-License-Identifier: Apache-2.0
#include "runtime/verify/function_values.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/abi/aligned.h"
#include "runtime/abi/evaluate.h"

namespace bolza::verify {
namespace {

constexpr double least_share = 1e-2;  ///< of its size that a value counts for when a step is chosen

/// (above − below) / distance, where both sides are finite; else by the side that is.
Eigen::MatrixXd quotient(const Eigen::MatrixXd& below, const Eigen::MatrixXd& own, const Eigen::MatrixXd& above,
                         const Eigen::RowVectorXd& step) {
  Eigen::MatrixXd out(below.rows(), below.cols());
  for (Eigen::Index k = 0; k < out.cols(); ++k)
    for (Eigen::Index r = 0; r < out.rows(); ++r) {
      bool low = std::isfinite(below(r, k)), high = std::isfinite(above(r, k));
      double rise = low && high ? 0.5 * (above(r, k) - below(r, k))
                    : high      ? above(r, k) - own(r, k)
                                : own(r, k) - below(r, k);
      out(r, k) = rise / step(k);
    }
  return out;
}

}  // namespace

double difference_step(double value, double size) {
  static const double share = std::cbrt(1.1e-16);  // truncation and rounding of a central difference are about equal
  return share * std::max({std::abs(value), least_share * size, 1e-12});
}

FunctionValues::FunctionValues(const bolza_problem& problem, bolza_function* function, std::vector<double> shared)
    : function_(function),
      shared_(std::move(shared)) {
  if (!function_ || function_->n_rows == 0) return;
  rows_ = static_cast<Eigen::Index>(function_->n_rows);
  possible_ = abi::ensure(problem, *function_, BOLZA_VALUE);
}

Eigen::MatrixXd FunctionValues::with(const Eigen::MatrixXd& points, const std::vector<double>& shared) const {
  auto n = static_cast<std::size_t>(points.cols());
  if (rows_ == 0 || n == 0) return Eigen::MatrixXd(rows_, points.cols());
  std::size_t ld = abi::padded(n);
  abi::AlignedDoubles in((function_->n_point + 1) * ld), out(function_->kernels[BOLZA_VALUE]->n_out * ld);
  for (std::size_t c = 0; c < function_->n_point; ++c)
    for (std::size_t k = 0; k < ld; ++k)
      in[c * ld + k] = points(static_cast<Eigen::Index>(c), static_cast<Eigen::Index>(std::min(k, n - 1)));
  abi::evaluate(*function_, BOLZA_VALUE, {.n = n, .ld = ld, .point = in.data(), .shared = shared.data(), .out = out.data()});
  Eigen::MatrixXd values(rows_, points.cols());
  for (Eigen::Index r = 0; r < rows_; ++r)
    for (Eigen::Index k = 0; k < points.cols(); ++k)
      values(r, k) = out[static_cast<std::size_t>(r) * ld + static_cast<std::size_t>(k)];
  return values;
}

Eigen::MatrixXd FunctionValues::at(const Eigen::MatrixXd& points) const { return with(points, shared_); }

Eigen::MatrixXd FunctionValues::slope(const Eigen::MatrixXd& points, Eigen::Index column, double size) const {
  if (points.cols() == 0) return {rows_, 0};
  Eigen::MatrixXd moved = points;
  Eigen::RowVectorXd step(points.cols());
  for (Eigen::Index k = 0; k < step.size(); ++k) step(k) = difference_step(points(column, k), size);
  moved.row(column) = points.row(column) + step;
  Eigen::MatrixXd above = at(moved);
  moved.row(column) = points.row(column) - step;
  Eigen::MatrixXd below = at(moved);
  if (above.allFinite() && below.allFinite()) return quotient(below, above, above, step);
  return quotient(below, at(points), above, step);
}

Eigen::MatrixXd FunctionValues::slope_by_shared(const Eigen::MatrixXd& points, std::size_t entry) const {
  std::vector<double> shared = shared_;
  double step = difference_step(shared_[entry], 1);
  shared[entry] = shared_[entry] + step;
  Eigen::MatrixXd above = with(points, shared);
  shared[entry] = shared_[entry] - step;
  Eigen::MatrixXd below = with(points, shared);
  return quotient(below, at(points), above, Eigen::RowVectorXd::Constant(points.cols(), step));
}

}  // namespace bolza::verify
