// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/trust_region/curvature.h"

#include <algorithm>
#include <cmath>

namespace bolza::nlp {

Curvature::Curvature(const Nlp& nlp, Hessian kind, HybridRule rule, double switch_fraction)
    : nlp_(nlp),
      kind_(kind),
      rule_(kind == Hessian::gauss_newton ? rule : HybridRule::none),
      switch_fraction_(switch_fraction) {
  auto n = static_cast<Eigen::Index>(nlp.n());
  evaluated_.setZero(n, n);
  missing_.setZero(n, n);
  bfgs_.setIdentity(n, n);
  matrix_.setIdentity(n, n);
}

/// The exact or the Gauss-Newton matrix at the point where the functions stand.
bool Curvature::read(Eigen::MatrixXd& into) {
  const Pattern& pattern = kind_ == Hessian::exact ? nlp_.hessian : nlp_.gauss_newton;
  const double* entries = kind_ == Hessian::exact ? nlp_.functions->hessian(1, {}) : nlp_.functions->gauss_newton(1);
  if (!entries) return false;
  into.setZero();
  for (std::size_t k = 0; k < pattern.size(); ++k) {
    into(pattern.row[k], pattern.col[k]) += entries[k];
    if (pattern.row[k] != pattern.col[k]) into(pattern.col[k], pattern.row[k]) += entries[k];
  }
  return into.allFinite();
}

void Curvature::choose() {
  if (kind_ == Hessian::lbfgs || switched_) matrix_ = bfgs_;
  else if (with_missing_) matrix_ = evaluated_ + missing_;
  else matrix_ = evaluated_;
}

bool Curvature::start() {
  if (kind_ != Hessian::lbfgs && !read(evaluated_)) return false;
  if (rule_ == HybridRule::fraction) {  // BFGS learns from the first step on, from what Gauss-Newton knows
    constexpr double least = 1e-8;
    bfgs_ = evaluated_;
    bfgs_.diagonal().array() += least * (1 + evaluated_.diagonal().array());
    fresh_ = false;
  }
  choose();
  return true;
}

bool Curvature::advance(const Eigen::VectorXd& s, const Eigen::VectorXd& y) {
  if (kind_ != Hessian::lbfgs && !read(evaluated_)) return false;
  if (kind_ == Hessian::lbfgs || rule_ == HybridRule::fraction) learn_bfgs(s, y);
  if (rule_ == HybridRule::structured) learn_missing(s, y);
  choose();
  return true;
}

/// Damped as Powell's [POW], so that the matrix stays positive definite.
void Curvature::learn_bfgs(const Eigen::VectorXd& s, const Eigen::VectorXd& y) {
  constexpr double least_curvature = 0.2;
  double sy = s.dot(y);
  if (fresh_ && sy > 0) bfgs_.diagonal().setConstant(std::clamp(y.squaredNorm() / sy, 1e-6, 1e6));
  fresh_ = false;
  Eigen::VectorXd Bs = bfgs_ * s;
  double sBs = s.dot(Bs);
  if (!(sBs > 0) || !std::isfinite(sy)) return;
  double theta = sy >= least_curvature * sBs ? 1 : (1 - least_curvature) * sBs / (sBs - sy);
  Eigen::VectorXd r = theta * y + (1 - theta) * Bs;
  double sr = s.dot(r);
  if (sr > 0) bfgs_ += r * r.transpose() / sr - Bs * Bs.transpose() / sBs;
}

/// The sized update of [DGW1981]: (evaluated + missing) s = y afterwards, and what is missing no larger than the last step
/// saw, so that it vanishes with the residuals.
void Curvature::learn_missing(const Eigen::VectorXd& s, const Eigen::VectorXd& y) {
  constexpr double least_cosine = 1e-8;
  double sy = s.dot(y);
  if (!(std::abs(sy) > least_cosine * s.norm() * y.norm())) return;
  Eigen::VectorXd wanted = y - evaluated_ * s;
  double seen = std::abs(s.dot(wanted)), held = std::abs(s.dot(missing_ * s));
  if (held > seen) missing_ *= seen / held;
  Eigen::VectorXd lacks = wanted - missing_ * s;
  missing_ += (lacks * y.transpose() + y * lacks.transpose()) / sy - s.dot(lacks) / (sy * sy) * y * y.transpose();
}

void Curvature::judge(const Eigen::VectorXd& s, const Eigen::VectorXd& gradient, double change, bool taken,
                      bool same_radius) {
  constexpr double clearly = 1.5;
  constexpr int at_first = 25;
  ++trials_;
  unchanged_ += taken && same_radius;
  if (rule_ == HybridRule::fraction && !switched_)
    switched_ = trials_ >= at_first && unchanged_ > switch_fraction_ * trials_;
  if (rule_ != HybridRule::structured) return;
  double plain = gradient.dot(s) + 0.5 * s.dot(evaluated_ * s), full = plain + 0.5 * s.dot(missing_ * s);
  double error_plain = std::abs(plain - change), error_full = std::abs(full - change);
  if (with_missing_ ? clearly * error_plain < error_full : clearly * error_full < error_plain)
    with_missing_ = !with_missing_;
  if (!taken) choose();
}

bool Curvature::forget() {
  bool learned = kind_ == Hessian::lbfgs ? !fresh_ : with_missing_ || switched_;
  if (kind_ == Hessian::lbfgs) {
    bfgs_.setIdentity();
    fresh_ = true;
  }
  missing_.setZero();
  with_missing_ = switched_ = false;
  trials_ = unchanged_ = 0;
  choose();
  return learned;
}

}  // namespace bolza::nlp
