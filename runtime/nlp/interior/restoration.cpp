// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/interior/restoration.h"

#include <algorithm>
#include <cmath>

namespace bolza::nlp::interior {
namespace {

constexpr double rho = 1000;                // price of violation
constexpr double required_reduction = 0.9;  // of violation

}  // namespace

RestorationModel::RestorationModel(BarrierModel& of) : of_(of) {
  n = of.n;
  m = of.m;
  columns = of.columns;
  std::fill(columns.price.begin(), columns.price.end(), 0.0);
  lower = of.lower;
  upper = of.upper;
  is_idle = of.is_idle;
  p_of_row_.assign(m, -1);
  for (std::size_t r = 0; r < m; ++r) {
    if (is_idle[r]) continue;
    p_of_row_[r] = static_cast<std::int32_t>(of.N() + count_++);
    columns.add(r, -1, rho);
  }
  for (std::size_t r = 0; r < m; ++r)
    if (!is_idle[r]) columns.add(r, 1, rho);
  lower.resize(N(), 0.0);
  upper.resize(N(), INFINITY);
  x0_.resize(n);
  x_.resize(n);
  weight_.resize(n);
  diagonal_.resize(n);
  own_c_.resize(m);
}

void RestorationModel::stay_near(const double* x) {
  std::copy_n(x, n, x0_.begin());
  for (std::size_t v = 0; v < n; ++v) weight_[v] = std::pow(std::max(1.0, std::fabs(x[v])), -2);
}

bool RestorationModel::follow(double mu) {
  eta_ = std::sqrt(mu);
  for (std::size_t v = 0; v < n; ++v) diagonal_[v] = eta_ * weight_[v];
  return true;
}

bool RestorationModel::values(const double* v, double& f, double* c) {
  if (!of_.values(v, f_, own_c_.data())) return false;
  std::copy_n(v, n, x_.begin());
  f = 0;
  for (std::size_t i = 0; i < n; ++i) f += 0.5 * diagonal_[i] * (v[i] - x0_[i]) * (v[i] - x0_[i]);
  for (std::size_t r = 0; r < m; ++r)
    c[r] = p_of_row_[r] < 0 ? 0 : own_c_[r] - v[p_of_row_[r]] + v[p_of_row_[r] + static_cast<std::int32_t>(count_)];
  return true;
}

bool RestorationModel::slopes(double* gradient, const double*& jacobian) {
  if (!of_.slopes(gradient, jacobian)) return false;
  for (std::size_t i = 0; i < n; ++i) gradient[i] = diagonal_[i] * (x_[i] - x0_[i]);
  return true;
}

const double* RestorationModel::hessian(double, const double* lambda) { return of_.hessian(0, lambda); }

void RestorationModel::split(const double* violation, double mu, double* v) const {
  for (std::size_t r = 0; r < m; ++r) {
    if (p_of_row_[r] < 0) continue;
    double c = violation[r], half = (mu - rho * c) / (2 * rho);
    double root = std::sqrt(half * half + mu * c / (2 * rho));
    double q = half >= 0 ? half + root : mu * c / (2 * rho) / (root - half);  // without cancellation
    v[p_of_row_[r]] = c + q;
    v[p_of_row_[r] + static_cast<std::int32_t>(count_)] = q;
  }
}

Restoration::Restoration(BarrierModel& model, const Pattern& jacobian, StepSystem& system, Monitor& monitor,
                         const Settings& settings, InteriorLoop& loop)
    : model_(model),
      loop_(loop),
      inner_(model_, jacobian, system, monitor, settings),
      system_(system),
      settings_(settings),
      quasi_newton_(model.n),
      candidate_(loop.point()),
      start_(model_.N()) {
  if (loop.quasi_newton) inner_.quasi_newton = &quasi_newton_;
  inner_.recover = [this] { return split_again(); };
  inner_.leaves = [this](const InteriorPoint& point) { return will_do(point); };
  inner_.shown = [this](double& objective, double& primal) {
    objective = model_.objective() / loop_.objective_scale;
    primal = 0;
    for (double c : model_.violation()) primal = std::max(primal, std::fabs(c));
  };
}

/// Where no step is found the p and q of the point are chosen again, once in a row.
std::optional<Exit> Restoration::split_again() {
  if (split_already_) return Exit{Status::failed, "the restoration phase failed"};
  split_already_ = true;
  start_ = inner_.point().v;
  if (!inner_.evaluate(inner_.point())) return Exit{Status::evaluation_error, "a value was not finite"};
  model_.split(model_.violation().data(), inner_.mu(), start_.data());
  inner_.point().v = start_;
  if (!inner_.evaluate(inner_.point())) return Exit{Status::evaluation_error, "a value was not finite"};
  return std::nullopt;
}

bool Restoration::will_do(const InteriorPoint& point) {
  double theta = 0;
  for (double c : model_.violation()) theta += std::fabs(c);
  if (theta > required_reduction * theta_before_) return false;
  std::copy_n(point.v.begin(), candidate_.v.size(), candidate_.v.begin());
  return loop_.evaluate(candidate_) && loop_.would_take(candidate_);
}

std::optional<Exit> Restoration::run() {
  constexpr double nearly_feasible = 1e-2, feasible = 100;
  const InteriorPoint& from = loop_.point();
  double most = loop_.errors().primal;
  if (most <= nearly_feasible * settings_.tol) return loop_.nearly("no step could be computed");
  loop_.forbid_here();
  theta_before_ = from.theta;
  double mu = std::max(loop_.mu(), most);
  std::copy(from.v.begin(), from.v.end(), start_.begin());
  model_.stay_near(from.v.data());
  model_.split(from.c.data(), mu, start_.data());
  if (!inner_.begin(start_.data(), mu)) return Exit{Status::evaluation_error, "a value was not finite"};
  for (std::size_t s = 0; s < 2; ++s) {
    std::vector<double>& z = inner_.point().z[s];
    const std::vector<double>& own = from.z[s];
    for (std::size_t k = 0; k < own.size(); ++k) z[k] = std::min(rho, own[k]);
    for (std::size_t k = own.size(); k < z.size(); ++k) z[k] = mu / inner_.point().distance[s][k];
  }
  split_already_ = false;
  system_.forget();
  Exit exit = inner_.run();
  system_.forget();
  if (exit.left) {
    if (!loop_.continue_from(inner_.point().v.data())) return Exit{Status::evaluation_error, "a value was not finite"};
    return std::nullopt;
  }
  double left = 0;
  for (double c : model_.violation()) left = std::max(left, std::fabs(c));
  bool moves = exit.status != Status::evaluation_error;
  if (moves) loop_.continue_from(inner_.point().v.data());
  if (exit.status != Status::solved && !exit.stuck) return exit;
  if (left > feasible * settings_.tol) return Exit{Status::infeasible, "converged to a point of local infeasibility"};
  return Exit{Status::failed, "the restoration phase ended at a point that holds, but that the filter refuses"};
}

}  // namespace bolza::nlp::interior
