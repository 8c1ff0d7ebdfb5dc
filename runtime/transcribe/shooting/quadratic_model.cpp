// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/shooting/quadratic_model.h"

#include <algorithm>
#include <cmath>

#include "runtime/nlp/sqp/quadratic_program.h"

namespace bolza::transcribe {

QuadraticModel::QuadraticModel(const nlp::Nlp& of, std::span<const double> point)
    : nlp_(of),
      point_(point.begin(), point.end()) {
  nlp_.functions = this;
  nlp_.gauss_newton = {};
  nlp_.linear.assign(of.m(), 1);
  nlp_.constant_entries = of.jacobian.size();
  for (std::size_t v = 0; v < of.n(); ++v) nlp_.start[v] = std::clamp(point_[v], of.lower[v], of.upper[v]);
  H_.assign(of.hessian.size(), 0.0);
  of.functions->move_to(point_);
  if (!of.functions->objective(f_)) return;
  const double *g = of.functions->gradient(), *c = of.functions->constraints(), *J = of.functions->jacobian();
  if (!g || !c || !J) return;
  g_.assign(g, g + of.n());
  c_.assign(c, c + of.m());
  J_.assign(J, J + of.jacobian.size());
  J_.reserve(1);  // a null pointer would mean a failure
  auto finite = [](const std::vector<double>& values) {
    return std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
  };
  good_ = std::isfinite(f_) && finite(g_) && finite(c_) && finite(J_);
}

std::vector<double> QuadraticModel::times_hessian(std::span<const double> d) const {
  std::vector<double> out(nlp_.n());
  nlp::add_symmetric_product(nlp_.hessian, H_, d, out);
  return out;
}

std::vector<double> QuadraticModel::slopes_with(std::span<const double> lambda) const {
  std::vector<double> out = g_;
  nlp::add_transposed_product(nlp_.jacobian, J_, lambda, out);
  return out;
}

void QuadraticModel::move_to(std::span<const double> w) {
  d_.resize(w.size());
  for (std::size_t v = 0; v < w.size(); ++v) d_[v] = w[v] - point_[v];
  Hd_ = times_hessian(d_);
}

bool QuadraticModel::objective(double& f) {
  f = f_ + nlp::dot(g_, d_) + 0.5 * nlp::dot(d_, Hd_);
  return std::isfinite(f);
}

const double* QuadraticModel::gradient() {
  gradient_ = g_;
  for (std::size_t v = 0; v < g_.size(); ++v) gradient_[v] += Hd_[v];
  return gradient_.data();
}

const double* QuadraticModel::constraints() {
  rows_ = c_;
  rows_.reserve(1);
  nlp::add_product(nlp_.jacobian, J_, d_, rows_);
  return rows_.data();
}

const double* QuadraticModel::hessian(double sigma, std::span<const double>) {
  scaled_ = H_;
  scaled_.reserve(1);
  for (double& v : scaled_) v *= sigma;
  return scaled_.data();
}

}  // namespace bolza::transcribe
