// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/sqp/second_derivatives.h"

#include <algorithm>
#include <cmath>

#include "runtime/nlp/sqp/quadratic_program.h"

namespace bolza::nlp {
SecondDerivatives::SecondDerivatives(const Nlp& nlp, Hessian kind) : nlp_(nlp), kind_(kind) {
  if (kind != Hessian::lbfgs) return;
  for (std::size_t r = 0; r < nlp.n(); ++r)
    for (std::size_t c = 0; c <= r; ++c) {
      full_.row.push_back(static_cast<std::int32_t>(r));
      full_.col.push_back(static_cast<std::int32_t>(c));
    }
  approximation_.resize(full_.size());
  fresh_ = false;
  reset();
}

bool SecondDerivatives::reset() {
  if (kind_ != Hessian::lbfgs || fresh_) return false;
  for (std::size_t k = 0; k < full_.size(); ++k) approximation_[k] = full_.row[k] == full_.col[k] ? 1 : 0;
  return fresh_ = true;
}

bool SecondDerivatives::evaluate(std::span<const double> lambda, std::vector<double>& values) {
  if (kind_ == Hessian::lbfgs) {
    values = approximation_;
    return true;
  }
  const double* entries = kind_ == Hessian::exact ? nlp_.functions->hessian(1, lambda) : nlp_.functions->gauss_newton(1);
  if (entries) values.assign(entries, entries + pattern().size());
  return entries != nullptr && std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

void SecondDerivatives::update(std::span<const double> s, std::span<const double> y) {
  constexpr double least_curvature = 0.2;
  if (kind_ != Hessian::lbfgs) return;
  double ss = dot(s, s), sy = dot(s, y), yy = dot(y, y);
  if (!(ss > 0) || !std::isfinite(sy)) return;
  if (fresh_ && sy > 0)
    for (std::size_t k = 0; k < full_.size(); ++k)
      if (full_.row[k] == full_.col[k]) approximation_[k] = std::clamp(yy / sy, 1e-6, 1e6);
  fresh_ = false;
  std::vector<double> Bs(s.size(), 0.0);
  add_symmetric_product(full_, approximation_, s, Bs);
  double sBs = dot(s, Bs);
  if (!(sBs > 0)) return;
  double theta = sy >= least_curvature * sBs ? 1 : (1 - least_curvature) * sBs / (sBs - sy);
  std::vector<double> r(s.size());
  for (std::size_t v = 0; v < r.size(); ++v) r[v] = theta * y[v] + (1 - theta) * Bs[v];
  double sr = dot(s, r);
  for (std::size_t k = 0; k < full_.size(); ++k) {
    auto i = static_cast<std::size_t>(full_.row[k]), j = static_cast<std::size_t>(full_.col[k]);
    approximation_[k] += r[i] * r[j] / sr - Bs[i] * Bs[j] / sBs;
  }
}

}  // namespace bolza::nlp
