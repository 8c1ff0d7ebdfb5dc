// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/scale.h"

#include <algorithm>
#include <cmath>

#include "base/vectorise.h"

namespace bolza::nlp {
namespace {

/// Products of three are finite and not zero, whatever somebody calls a nominal value.
double usable(double x) {
  constexpr double least = 1e-90, most = 1e90;
  return std::isnan(x) ? 1 : std::clamp(x, least, most);
}

/// values[k] * factor[k] from entry `first` on; null stays null.
BOLZA_VECTORISE const double* times(const double* __restrict values, const std::vector<double>& factors,
                                    std::vector<double>& result, std::size_t first = 0) {
  if (!values) return nullptr;
  const double* __restrict factor = factors.data();
  double* __restrict into = result.data();
  for (std::size_t k = first, n = factors.size(); k < n; ++k) into[k] = values[k] * factor[k];
  return into;
}

class ScaledFunctions final : public Functions {
 public:
  ScaledFunctions(const Nlp& physical, const Scaled& scales)
      : physical_(*physical.functions),
        constant_entries_(physical.constant_entries),
        variable_(scales.variable),
        objective_(scales.objective) {
    std::size_t n = physical.n(), m = physical.m();
    gradient_factor_ = scales.variable;
    for (double& s : gradient_factor_) s /= scales.objective;
    for (double s : scales.row) row_factor_.push_back(1 / s);
    for (std::size_t k = 0; k < physical.jacobian.size(); ++k)
      jacobian_factor_.push_back(scales.variable[static_cast<std::size_t>(physical.jacobian.col[k])] /
                                 scales.row[static_cast<std::size_t>(physical.jacobian.row[k])]);
    hessian_factor_ = outer(physical.hessian);
    gauss_newton_factor_ = outer(physical.gauss_newton);
    w_.resize(n);
    lambda_.resize(m);
    gradient_.resize(n + 1);
    rows_.resize(m + 1);  // no array is null, not even an empty one: null says "not finite"
    jacobian_.resize(physical.jacobian.size() + 1);
    hessian_.resize(physical.hessian.size() + 1);
    gauss_newton_.resize(physical.gauss_newton.size() + 1);
  }

  void move_to(std::span<const double> w) override {
    times(w.data(), variable_, w_);
    physical_.move_to(w_);
  }
  bool objective(double& f) override {
    if (!physical_.objective(f)) return false;
    f /= objective_;
    return true;
  }
  const double* gradient() override { return times(physical_.gradient(), gradient_factor_, gradient_); }
  const double* constraints() override { return times(physical_.constraints(), row_factor_, rows_); }
  const double* jacobian() override {
    const double* values =
        times(physical_.jacobian(), jacobian_factor_, jacobian_, constants_known_ ? constant_entries_ : 0);
    constants_known_ = values != nullptr;
    return values;
  }
  const double* hessian(double sigma, std::span<const double> lambda) override {
    times(lambda.data(), row_factor_, lambda_);
    return times(physical_.hessian(sigma / objective_, lambda_), hessian_factor_, hessian_);
  }
  const double* gauss_newton(double sigma) override {
    return times(physical_.gauss_newton(sigma / objective_), gauss_newton_factor_, gauss_newton_);
  }

 private:
  std::vector<double> outer(const Pattern& pattern) const {
    std::vector<double> factor;
    factor.reserve(pattern.size());
    for (std::size_t k = 0; k < pattern.size(); ++k)
      factor.push_back(variable_[static_cast<std::size_t>(pattern.row[k])] *
                       variable_[static_cast<std::size_t>(pattern.col[k])]);
    return factor;
  }
  Functions& physical_;
  std::size_t constant_entries_ = 0;  // scaled once
  bool constants_known_ = false;
  std::vector<double> variable_;
  double objective_;
  std::vector<double> gradient_factor_, row_factor_, jacobian_factor_, hessian_factor_, gauss_newton_factor_;
  std::vector<double> w_, gradient_, rows_, lambda_, jacobian_, hessian_, gauss_newton_;
};

void divide(std::vector<double>& values, const std::vector<double>& by) {
  for (std::size_t k = 0; k < values.size(); ++k) values[k] /= by[k];
}
void multiply(std::vector<double>& values, const std::vector<double>& by, double factor = 1) {
  for (std::size_t k = 0; k < values.size(); ++k) values[k] *= by[k] * factor;
}

}  // namespace

std::vector<double> usable_scales(const std::vector<double>& x) {
  std::vector<double> result;
  result.reserve(x.size());
  for (double v : x) result.push_back(usable(v));
  return result;
}

double scale_of_objective(double change) {
  constexpr double large = 1000, ordinary = 10;
  return std::isfinite(change) && change > large ? change / ordinary : 1;
}

Scaled scale(const Nlp& physical) {
  Scaled scaled;
  scaled.nlp = physical;
  scaled.variable = usable_scales(physical.scale);
  for (std::size_t v = 0; v < physical.integer.size(); ++v)
    if (physical.integer[v]) scaled.variable[v] = 1;
  scaled.row = usable_scales(physical.row_scale);
  scaled.objective = usable(physical.objective_scale);
  Nlp& nlp = scaled.nlp;
  divide(nlp.start, scaled.variable);
  divide(nlp.lower, scaled.variable);
  divide(nlp.upper, scaled.variable);
  divide(nlp.row_lower, scaled.row);
  divide(nlp.row_upper, scaled.row);
  nlp.scale.assign(nlp.n(), 1);
  nlp.row_scale.assign(nlp.m(), 1);
  nlp.objective_scale = 1;
  if (physical.functions->rescale(scaled.variable, scaled.row, scaled.objective)) return scaled;
  scaled.functions = std::make_unique<ScaledFunctions>(physical, scaled);
  nlp.functions = scaled.functions.get();
  return scaled;
}

void Scaled::release() {
  if (!functions) nlp.functions->rescale({}, {}, 1);
}

Iterate to_scaled(const Scaled& scaled, Iterate it) {
  divide(it.w, scaled.variable);
  multiply(it.lambda, scaled.row, 1 / scaled.objective);
  multiply(it.z_lower, scaled.variable, 1 / scaled.objective);
  multiply(it.z_upper, scaled.variable, 1 / scaled.objective);
  return it;
}

Iterate to_physical(const Scaled& scaled, Iterate it) {
  multiply(it.w, scaled.variable);
  divide(it.lambda, scaled.row);
  divide(it.z_lower, scaled.variable);
  divide(it.z_upper, scaled.variable);
  for (std::vector<double>* v : {&it.lambda, &it.z_lower, &it.z_upper})
    for (double& x : *v) x *= scaled.objective;
  return it;
}

}  // namespace bolza::nlp
