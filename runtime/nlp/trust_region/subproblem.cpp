// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/trust_region/subproblem.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/linalg/dense_decompositions.h"

namespace bolza::nlp {

bool TrustRegionSubproblem::set_matrix(const Eigen::MatrixXd& M) {
  values_.resize(0);
  if (M.rows() == 0) return true;
  auto spectrum = linalg::spectrum(M);
  if (!spectrum) return false;
  values_ = std::move(spectrum->values);
  vectors_ = std::move(spectrum->vectors);
  return values_.allFinite();
}

/// |(M + shift)⁻¹ g|, without the directions in which both M + shift and g vanish.
double TrustRegionSubproblem::norm_at(double shift) const {
  double sum = 0;
  for (Eigen::Index i = 0; i < values_.size(); ++i)
    if (along_[i] != 0) sum += std::pow(along_[i] / (values_[i] + shift), 2);
  return std::sqrt(sum);
}

/// Root of 1/radius − 1/norm_at, which is nearly linear in the shift, above `least`: Newton's method within a bracket.
double TrustRegionSubproblem::shift_for(double radius, double least) const {
  constexpr int most = 100;
  constexpr double enough = 1e-12;
  double low = least, high = least + along_.norm() / radius, shift = high;
  for (int iteration = 0; iteration < most; ++iteration) {
    double norm = norm_at(shift), slope = 0;
    if (std::abs(norm - radius) <= enough * radius || high - low <= enough * high) break;
    (norm > radius ? low : high) = shift;
    for (Eigen::Index i = 0; i < values_.size(); ++i)
      if (along_[i] != 0) slope += along_[i] * along_[i] / std::pow(values_[i] + shift, 3);
    shift += (norm - radius) / radius * norm * norm / slope;
    if (!(shift > low && shift < high)) shift = low + (high - low) / 2;
  }
  return shift;
}

void TrustRegionSubproblem::solve(const Eigen::VectorXd& gradient, double radius, Eigen::VectorXd& step) {
  constexpr double rounding = 1e-14;
  step.setZero(gradient.size());
  if (gradient.size() == 0) return;
  along_.noalias() = vectors_.transpose() * gradient;
  double size = std::max(std::abs(values_[0]), std::abs(values_[values_.size() - 1])), none = rounding * along_.norm();
  double least = std::max(0.0, -values_[0]);
  // directions without curvature at the least shift: no step along them where the gradient has no part in them
  for (Eigen::Index i = 0; i < values_.size(); ++i)
    if (std::abs(along_[i]) <= none && values_[i] + least <= rounding * size) along_[i] = 0;
  double shift = least;
  if (!(norm_at(shift) <= radius)) shift = shift_for(radius, least);
  coefficients_.setZero(values_.size());
  for (Eigen::Index i = 0; i < values_.size(); ++i)
    if (along_[i] != 0) coefficients_[i] = -along_[i] / (values_[i] + shift);
  double length = coefficients_.norm();
  bool hard = values_[0] < 0 && shift == least && length < radius;  // the rest of the radius along the lowest eigenvector
  if (hard) coefficients_[0] = std::sqrt(radius * radius - length * length);
  if (!hard && length > radius) coefficients_ *= radius / length;
  step.noalias() = vectors_ * coefficients_;
}

}  // namespace bolza::nlp
