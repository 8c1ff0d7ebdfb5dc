// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/interior/step_system.h"

#include <algorithm>
#include <cmath>

namespace bolza::nlp::interior {
namespace {

// [IPOPT, algorithm IC]
constexpr double first_delta = 1e-4, least_delta = 1e-20, most_delta = 1e20;
constexpr double lowered = 1.0 / 3, raised = 8, raised_at_first = 100;
constexpr double delta_c_factor = 1e-8, delta_c_exponent = 0.25;
constexpr double idle_row = 1e20;       // on the diagonal of a row that always holds
constexpr double most_residual = 1e-5;  // of a matrix that counts as singular if it leaves more
constexpr int often = 3;

}  // namespace

StepSystem::StepSystem(const Pattern& hessian, const Pattern& jacobian, KktFactors& factors)
    : hessian_size_(hessian.size()),
      jacobian_size_(jacobian.size()),
      factors_(factors) {}

StepSystem::Try StepSystem::attempt(const BarrierModel& model, const Matrix& matrix) {
  std::size_t n = model.n, m = model.m, T = model.columns.size();
  Dx_.resize(n);
  Dc_.resize(m);
  inverse_.resize(T);
  zeros_.resize(matrix.hessian ? 0 : hessian_size_, 0.0);
  double add = delta_w_ + (matrix.quasi_newton ? matrix.quasi_newton->curvature() : 0);
  for (std::size_t v = 0; v < n; ++v) Dx_[v] = matrix.sigma[v] + add;
  for (std::size_t r = 0; r < m; ++r) Dc_[r] = model.is_idle[r] ? idle_row : delta_c_;
  for (std::size_t k = 0; k < T; ++k) {
    inverse_[k] = 1 / (matrix.sigma[n + k] + delta_w_);
    Dc_[static_cast<std::size_t>(model.columns.row[k])] += inverse_[k];
  }
  const double* hessian = matrix.hessian ? matrix.hessian : zeros_.data();
  bool done = factors_.factor({hessian, hessian_size_}, {matrix.jacobian, jacobian_size_}, Dx_, Dc_);
  KktFactors::Inertia inertia = factors_.inertia();
  if (!done || inertia.singular || inertia.negative < m) return Try::singular;
  if (inertia.negative > m) return Try::downwards;
  if (matrix.quasi_newton) low_rank_.prepare(*matrix.quasi_newton, n, m, factors_);
  else low_rank_.leave();
  return Try::good;
}

void StepSystem::raise_delta_w() {
  if (delta_w_ == 0) delta_w_ = last_delta_w_ == 0 ? first_delta : std::max(least_delta, lowered * last_delta_w_);
  else delta_w_ *= last_delta_w_ == 0 ? raised_at_first : raised;
}

bool StepSystem::factor(const BarrierModel& model, const Matrix& matrix, double mu) {
  double delta_c = delta_c_factor * std::pow(mu, delta_c_exponent);
  delta_w_ = 0;
  delta_c_ = degenerate_ >= often ? delta_c : 0;
  bool was_degenerate = false;
  for (Try last = attempt(model, matrix); last != Try::good; last = attempt(model, matrix)) {
    if (last == Try::singular && delta_c_ == 0) {
      delta_c_ = delta_c;
      was_degenerate = true;
    } else {
      raise_delta_w();
    }
    if (!(delta_w_ <= most_delta)) return false;
  }
  if (degenerate_ < often) degenerate_ = was_degenerate ? degenerate_ + 1 : 0;
  if (delta_w_ > 0) last_delta_w_ = delta_w_;
  return true;
}

bool StepSystem::raise(const BarrierModel& model, const Matrix& matrix, double mu) {
  delta_c_ = delta_c_factor * std::pow(mu, delta_c_exponent);
  do {
    raise_delta_w();
    if (!(delta_w_ <= most_delta)) return false;
  } while (attempt(model, matrix) != Try::good);
  last_delta_w_ = delta_w_;
  return true;
}

bool StepSystem::factor_as_is(const BarrierModel& model, const Matrix& matrix, double delta_w, double delta_c) {
  delta_w_ = delta_w;
  delta_c_ = delta_c;
  return attempt(model, matrix) != Try::singular;
}

bool StepSystem::solve(const BarrierModel& model, const double* slope, const double* violation, double* step,
                       double* step_lambda) {
  std::size_t n = model.n, m = model.m;
  const SingleColumns& columns = model.columns;
  rhs_.resize(n + m);
  for (std::size_t v = 0; v < n; ++v) rhs_[v] = -slope[v];
  for (std::size_t r = 0; r < m; ++r) rhs_[n + r] = -violation[r];
  double* rows = rhs_.data() + n;
  for (std::size_t k = 0; k < columns.size(); ++k) rows[columns.row[k]] += columns.sign[k] * slope[n + k] * inverse_[k];
  factors_.solve(rhs_);
  low_rank_.correct(rhs_);
  double finite = 0;
  for (std::size_t v = 0; v < n; ++v) {
    step[v] = rhs_[v];
    finite += step[v];
  }
  for (std::size_t r = 0; r < m; ++r) {
    step_lambda[r] = rows[r];
    finite += rows[r];
  }
  for (std::size_t k = 0; k < columns.size(); ++k)
    step[n + k] = -(slope[n + k] + columns.sign[k] * rows[columns.row[k]]) * inverse_[k];
  return std::isfinite(finite) && factors_.residual() <= most_residual;
}

}  // namespace bolza::nlp::interior
