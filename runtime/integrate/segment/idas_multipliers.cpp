// SPDX-License-Identifier: Apache-2.0
// A segment on IDAS: what its adjoint and the adjoint of that have in common.    [SUNDIALS, 6.2.7]
//   λ' = −(f_xᵀ λ − h_xᵀ μ + q_xᵀ w),   0 = f_zᵀ λ − h_zᵀ μ + q_zᵀ w,
// with μ at the end from the second line: the final conditions of equations of index 0 and 1. Those of index 2 are in
// idas_index2.cpp. Beside them go the integrals that make the gradient by inputs.
#include <algorithm>
#include <cmath>

#include "runtime/integrate/segment/idas_internal.h"
#include "runtime/linalg/dense_decompositions.h"

namespace bolza::integrate {

/// Gradient of L = λ'f + w'q − μ'h by (t, x, z, u, p). `back` begins with (λ, μ).
bool IdasSegment::weighted_gradient(const Point& p, const double* back, std::span<const double> weights) {
  combined_.assign(back, back + n_x);
  combined_.insert(combined_.end(), weights.begin(), weights.end());
  combined_.resize(n_x + n_q);
  minus_mu_.assign(back + n_x, back + n_);
  for (double& v : minus_mu_) v = -v;
  std::fill(gradient_.begin(), gradient_.end(), 0.0);
  if (by_entries_)
    return entries(p, [&](bool rate, std::size_t row, std::size_t col, double v) {
      if (col < gradient_.size()) gradient_[col] += (rate ? combined_ : minus_mu_)[row] * v;
    });
  if (!model.at().vjp(Part::rates, p, combined_, gradient_)) return false;
  return !n_z_ || model.at().vjp(Part::residuals, p, minus_mu_, gradient_);
}

// How the gradient by inputs moves with s, at the point of the last `weighted_gradient`. [inputs], without the times when
// these do not move
bool IdasSegment::input_rates(double s, const Point& p, std::span<double> o) {
  double h = times.length, value = 0;
  std::fill(o.begin(), o.end(), 0.0);
  for (std::size_t column = 0; column < 1 + n_ + n_u + n_p; column += column ? 1 : 1 + n_)
    inputs_of(column, s, [&](std::size_t i, double share) { o[i] = -h * share * gradient_[column]; });
  if (!options.times_move) return true;
  if (!find_rates(p)) return false;
  for (std::size_t i = 0; i < rates_.size(); ++i) value += combined_[i] * rates_[i];
  o[length_input()] -= value;
  return true;
}

namespace {

// The integrals that an input's takes part in, and how: it alone, or combinations.
template <class Take>
void integrals_of(std::size_t input, const ManyIntegrals* many, Take&& take) {
  if (!many) return take(input, 1.0);
  for (std::size_t r = 0; r < ManyIntegrals::combinations; ++r) take(r, many->share(r, input));
}

}  // namespace

// Row: the derivative by a state, an algebraic, or an integral. Column: λ or μ.
std::unique_ptr<NewtonSystem> IdasSegment::backward_newton(const ManyIntegrals* many) {
  std::vector<std::pair<std::int32_t, std::int32_t>> all;
  auto add = [&](std::size_t row, std::size_t col) {
    all.emplace_back(static_cast<std::int32_t>(row), static_cast<std::int32_t>(col));
  };
  std::size_t size = n_ + (many ? ManyIntegrals::combinations : moving_inputs());
  places([&](bool rate, std::size_t row, std::size_t column) {
    if (rate && row >= n_x) return;
    std::size_t of = rate ? row : n_x + row;
    if (by_unknown(column)) return add(column - 1, of);
    inputs_of(column, 0,
              [&](std::size_t i, double) { integrals_of(i, many, [&](std::size_t r, double) { add(n_ + r, of); }); });
  });
  if (options.times_move)
    for (std::size_t i = 0; i < n_x; ++i) integrals_of(length_input(), many, [&](std::size_t r, double) { add(n_ + r, i); });
  for (std::size_t i = 0; i < size; ++i) add(i, i);
  Vector like = make_vector(size, context_.get());
  return std::make_unique<NewtonSystem>(size, std::move(all), like.get(), context_.get(),
                                        direct_only(options.method_options));
}

bool IdasSegment::backward_matrix(double s, double c, const double* y, const ManyIntegrals* many, const NewtonSystem& form,
                                  SUNMatrix J) {
  double *data = form.clear(J), h = times.length;
  auto slot = form.slot().begin();
  Point p = point(s, y);
  if (!entries(p, [&](bool rate, std::size_t row, std::size_t column, double v) {
        if (rate && row >= n_x) return;
        if (!rate) v = -v;
        if (by_unknown(column)) {
          data[*slot++] += (column <= n_x ? h : 1) * v;
          return;
        }
        inputs_of(column, s, [&](std::size_t i, double share) {
          integrals_of(i, many, [&](std::size_t, double part) { data[*slot++] += h * share * part * v; });
        });
      }))
    return false;
  if (options.times_move) {
    if (!find_rates(p)) return false;
    for (std::size_t i = 0; i < n_x; ++i)
      integrals_of(length_input(), many, [&](std::size_t, double part) { data[*slot++] += part * rates_[i]; });
  }
  for (std::size_t i = 0; slot != form.slot().end(); ++i, ++slot)
    if (is_differential(i)) data[*slot] += c;
  return true;
}

// μ at the end fits λ and the states there; L's gradient is left at it.
bool IdasSegment::place_multipliers(N_Vector back, std::span<const double> weights) {
  Point end = point(1, end_.data());
  double* multipliers = N_VGetArrayPointer(back);
  if (!weighted_gradient(end, multipliers, weights)) return false;
  if (is_index2()) return guess_multipliers(end, back, weights);
  if (!n_z_) return true;
  Eigen::MatrixXd h_z;
  if (!by_algebraics(end, h_z)) return false;
  Eigen::Map<const Eigen::VectorXd> by_z(gradient_.data() + 1 + n_x, h_z.rows());
  Eigen::VectorXd mu = linalg::solve(h_z.transpose(), by_z);
  if (!mu.allFinite()) return false;
  std::copy_n(mu.data(), n_z_, multipliers + n_x);
  return weighted_gradient(end, multipliers, weights);
}

// Relative to the function's own size, as those of CVODES.
void IdasSegment::backward_tolerances(N_Vector back, std::span<const double> weights, double share,
                                      std::span<double> multiplier, std::span<double> input) const {
  double size = 0, largest = 0;
  for (std::size_t i = 0; i < n_x; ++i) size = std::max(size, std::fabs(view(back)[i]) * size_of(i));
  for (double w : weights) size = std::max(size, share * std::fabs(w));
  if (size == 0) size = 1;
  for (std::size_t i = 0; i < n_x; ++i) multiplier[i] = options.rtol * size / size_of(i);
  // μ has the size that it begins with, or that of λ
  for (std::size_t i = n_x; i < n_; ++i) largest = std::max(largest, std::fabs(view(back)[i]));
  for (std::size_t i = n_x; i < n_; ++i) multiplier[i] = options.rtol * std::max(size, largest);
  for (std::size_t i = 0; i < inputs(); ++i) {
    double moves = i < controls() ? nonlinear::size_of(model.model().u[i % n_u]) : times.length;
    if (i >= controls() && i < begin_input()) moves = std::max(1.0, std::fabs(model.at().shared[i - controls()]));
    input[i] = options.rtol * size / std::max(std::fabs(moves), 1e-300);
  }
}

// [(n_ + integrals) × blocks] from those of (λ, μ) of one block and of its integrals, so that the norm's square is the sum
// of those of multipliers and of integrals, each the mean over the blocks. Returns the relative tolerance for that.
double IdasSegment::share_tolerances(std::span<double> tolerance, std::span<const double> integral,
                                     std::size_t blocks) const {
  std::size_t size = tolerance.size() / blocks, integrals = size - n_;
  auto part = [&](std::size_t of) { return std::sqrt(static_cast<double>(of) / static_cast<double>(size)); };
  for (std::size_t i = 0; i < n_; ++i) tolerance[i] *= part(n_);
  for (std::size_t i = 0; i < integrals; ++i) tolerance[n_ + i] = part(integrals) * integral[i];
  for (std::size_t i = size; i < tolerance.size(); ++i) tolerance[i] = tolerance[i % size];
  return part(n_) * options.rtol;
}

}  // namespace bolza::integrate
