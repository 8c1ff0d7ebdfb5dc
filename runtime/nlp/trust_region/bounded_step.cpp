// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/trust_region/bounded_step.h"

#include <algorithm>
#include <cmath>

namespace bolza::nlp {
namespace {

/// Largest t >= 0 with |from + t direction| <= radius.
double to_sphere(const Eigen::VectorXd& from, const Eigen::VectorXd& direction, double radius) {
  double a = direction.squaredNorm(), b = from.dot(direction), c = from.squaredNorm() - radius * radius;
  if (!(a > 0)) return 0;
  return std::max(0.0, (-b + std::sqrt(std::max(0.0, b * b - a * c))) / a);
}

}  // namespace

void AffineScaling::set(const Eigen::VectorXd& w, const Eigen::VectorXd& g, const Eigen::MatrixXd& B,
                        const Eigen::VectorXd& lower, const Eigen::VectorXd& upper) {
  d.resize(w.size());
  bounds.resize(w.size());
  for (Eigen::Index i = 0; i < w.size(); ++i) {
    double room = g[i] < 0 ? upper[i] - w[i] : w[i] - lower[i];
    bool bounded = std::isfinite(room);
    d[i] = bounded ? std::sqrt(std::max(0.0, room)) : 1;
    bounds[i] = bounded ? std::abs(g[i]) : 0;
  }
  gradient = d.cwiseProduct(g);
  matrix = d.asDiagonal() * B * d.asDiagonal();
  matrix.diagonal() += bounds;
}

/// Where from + t direction meets a bound first.
BoundedStep::Hit BoundedStep::first_bound(const Eigen::VectorXd& from, const Eigen::VectorXd& direction) const {
  Hit hit{INFINITY, -1};
  for (Eigen::Index i = 0; i < direction.size(); ++i) {
    if (direction[i] == 0) continue;
    double length = std::max(0.0, ((direction[i] > 0 ? high_[i] : low_[i]) - from[i]) / direction[i]);
    if (length < hit.length) hit = {length, i};
  }
  return hit;
}

void BoundedStep::consider(const Eigen::VectorXd& scaled) {
  double value = at_->model(scaled);
  if (value < value_) {
    value_ = value;
    best_ = scaled;
  }
}

/// The lowest point of the model on a ray, within bounds and radius.
void BoundedStep::along_ray(const Eigen::VectorXd& from, const Eigen::VectorXd& direction) {
  double most = std::min(keep_ * first_bound(from, direction).length, to_sphere(from, direction, radius_));
  double slope = (at_->gradient + at_->matrix * from).dot(direction), curvature = direction.dot(at_->matrix * direction);
  if (!(slope < 0)) return;
  double length = curvature > 0 ? std::min(most, -slope / curvature) : most;
  candidate_ = from + length * direction;
  consider(candidate_);
}

/// On from the first bound as light from a mirror; a point short of the bound is where the ray starts.
void BoundedStep::reflected(const Eigen::VectorXd& exact) {
  Eigen::VectorXd zero = Eigen::VectorXd::Zero(exact.size());
  Hit hit = first_bound(zero, exact);
  along_ray(zero, exact);
  if (hit.variable < 0) return;
  direction_ = exact;
  direction_[hit.variable] = -direction_[hit.variable];
  along_ray(keep_ * hit.length * exact, direction_);
}

/// Exact in fewer and fewer variables.
bool BoundedStep::with_stopped_variables() {
  auto n = exact_.size();
  Eigen::VectorXd s = Eigen::VectorXd::Zero(n);
  free_.clear();
  for (Eigen::Index i = 0; i < n; ++i) free_.push_back(i);
  part_step_ = exact_;
  while (true) {
    bool stopped = false;
    left_.clear();
    for (std::size_t k = 0; k < free_.size(); ++k) {
      Eigen::Index i = free_[k];
      double value = part_step_[static_cast<Eigen::Index>(k)];
      bool outside = value >= high_[i] || value <= low_[i];
      if (outside) s[i] = keep_ * std::clamp(value, low_[i], high_[i]);
      else left_.push_back(i);
      stopped = stopped || outside;
    }
    if (!stopped) break;
    free_ = left_;
    double rest = radius_ * radius_ - s.squaredNorm();
    if (free_.empty() || !(rest > 0)) break;
    part_matrix_ = at_->matrix(free_, free_);
    part_gradient_ = at_->gradient(free_) + (at_->matrix * s)(free_);
    if (!part_.set_matrix(part_matrix_)) return false;
    part_.solve(part_gradient_, std::sqrt(rest), part_step_);
  }
  for (std::size_t k = 0; k < free_.size(); ++k)
    if (part_step_.size() == static_cast<Eigen::Index>(free_.size())) s[free_[k]] = part_step_[static_cast<Eigen::Index>(k)];
  if (s.norm() > radius_) s *= radius_ / s.norm();
  consider(s);
  return true;
}

bool BoundedStep::compute(const AffineScaling& at, const Eigen::VectorXd& to_lower, const Eigen::VectorXd& to_upper,
                          double radius, double keep, Eigen::VectorXd& step) {
  at_ = &at;
  radius_ = radius;
  keep_ = keep;
  value_ = 0;
  auto n = at.gradient.size();
  best_.setZero(n);
  low_.resize(n);
  high_.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    low_[i] = at.d[i] > 0 ? to_lower[i] / at.d[i] : 0;
    high_[i] = at.d[i] > 0 ? to_upper[i] / at.d[i] : 0;
  }
  if (!whole_.set_matrix(at.matrix)) return false;
  whole_.solve(at.gradient, radius, exact_);
  bool inside = (exact_.array() == 0 || (exact_.array() < high_.array() && exact_.array() > low_.array())).all();
  if (inside) {
    consider(exact_);
  } else {
    reflected(exact_);
    along_ray(Eigen::VectorXd::Zero(n), -at.gradient);
    if (!with_stopped_variables()) return false;
  }
  step = at.d.cwiseProduct(best_);
  return true;
}

}  // namespace bolza::nlp
