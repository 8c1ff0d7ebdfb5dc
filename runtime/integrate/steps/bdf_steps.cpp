// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/steps/bdf_steps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace bolza::integrate {
namespace {

constexpr std::size_t lanes = 4;  ///< numbers that inner loops take together
constexpr double rounding = std::numeric_limits<double>::epsilon();

// How a step's length may change. [SUNDIALS, 2.1]
constexpr double bias_lower = 6, bias_same = 6, bias_higher = 10, addend = 1e-6;
constexpr double least_step_growth = 1.5;  ///< below it a change is not worth while
constexpr double first_growth = 1e4, early_growth = 10, late_growth = 10;
constexpr long early_steps = 10;
constexpr double after_no_solution = 0.25, least_after_error = 0.1, most_after_errors = 0.2;
constexpr int errors_before_lower_order = 3, long_wait = 10;

// z_j += Σ_{k>j} binomial(k, j) z_k, or back again.
template <int Q, bool Back>
void pascal(double* z, std::size_t stride) {
  for (std::size_t i = 0; i < stride; i += lanes) {
    double a[Q + 1][lanes];
    for (int j = 0; j <= Q; ++j)
      for (std::size_t l = 0; l < lanes; ++l) a[j][l] = z[static_cast<std::size_t>(j) * stride + i + l];
    for (int k = 1; k <= Q; ++k)
      for (int j = Q; j >= k; --j)
        for (std::size_t l = 0; l < lanes; ++l) a[j - 1][l] += Back ? -a[j][l] : a[j][l];
    for (int j = 0; j < Q; ++j)
      for (std::size_t l = 0; l < lanes; ++l) z[static_cast<std::size_t>(j) * stride + i + l] = a[j][l];
  }
}

template <bool Back>
void pascal(int order, double* z, std::size_t stride) {
  switch (order) {
    case 1:
      return pascal<1, Back>(z, stride);
    case 2:
      return pascal<2, Back>(z, stride);
    case 3:
      return pascal<3, Back>(z, stride);
    case 4:
      return pascal<4, Back>(z, stride);
    default:
      return pascal<5, Back>(z, stride);
  }
}

constexpr auto most_for_growth = [] {  // [powers] what the bias times the error may be there
  std::array<double, 7> out{};
  double power = 1;
  for (double& v : out) {
    v = power;
    power /= least_step_growth;
  }
  return out;
}();

double ratio_for(double bias, double error, int power) { return 1 / (std::pow(bias * error, 1.0 / power) + addend); }

// The same where it is worth while, else 0: most often that is seen without a root.
double growth_for(double bias, double error, int power) {
  return bias * error < most_for_growth[static_cast<std::size_t>(power)] ? ratio_for(bias, error, power) : 0;
}

double whole_power(double v, int power) {
  double out = 1;
  for (int k = 0; k < power; ++k) out *= v;
  return out;
}

}  // namespace

BdfSteps::BdfSteps(BdfEquations& equations, std::size_t size)
    : equations_(equations),
      size_(size),
      stride_((size + lanes - 1) / lanes * lanes),
      z_((most + 2) * stride_),
      e_(stride_),
      y_(stride_),
      weights_(stride_) {}

void BdfSteps::begin(double s, double stop, const double* y, const Options& options) {
  options_ = options;
  options_.highest_order = std::clamp(options.highest_order, 1, most);
  s_ = s;
  stop_ = stop;
  h_ = scale_ = next_h_ = last_h_ = 0;
  order_ = next_order_ = 1;
  wait_ = 2;
  last_order_ = 0;
  steps_ = 0;
  ratio_ = 1;
  largest_ratio_ = first_growth;
  saved_test_ = 0;
  std::fill_n(z_.data(), z_.size(), 0.0);
  std::fill_n(tau_, most + 2, 0.0);
  known_order_ = 0;
  std::copy_n(y, size_, row(0));
}

void BdfSteps::at(double s, double* out, std::size_t first, std::size_t count) const {
  double share = last_h_ != 0 ? (s - s_) / last_h_ : 0;
  std::copy_n(row(last_order_) + first, count, out);
  for (int j = last_order_ - 1; j >= 0; --j)
    for (std::size_t i = 0; i < count; ++i) out[i] = out[i] * share + row(j)[first + i];
}

// The norm of y'' by a quotient over h; y' is in row 1. < 0: f is not finite there.
double BdfSteps::second_derivative(double h) {
  for (std::size_t i = 0; i < size_; ++i) y_[i] = row(0)[i] + h * row(1)[i];
  if (!equations_.rates(s_ + h, y_.data(), e_.data())) return -1;
  for (std::size_t i = 0; i < size_; ++i) e_[i] = (e_[i] - row(1)[i]) / h;
  return norm(e_.data());
}

// |h² y''| / 2 is the tolerance, and no number moves by more than a tenth of itself.
bool BdfSteps::first_step() {
  if (!equations_.rates(s_, row(0), row(1))) return false;
  double distance = std::fabs(stop_ - s_), sign = stop_ < s_ ? -1 : 1;
  double h = options_.initial_step;
  if (!(h > 0)) {
    double least = 100 * rounding * std::max(std::fabs(s_), std::fabs(stop_)), inverse = 0;
    for (std::size_t i = 0; i < size_; ++i)
      inverse = std::max(inverse, std::fabs(row(1)[i]) / (0.1 * std::fabs(row(0)[i]) + 1 / weights_[i]));
    double longest = 0.1 * distance;
    if (longest * inverse > 1) longest = 1 / inverse;
    double guess = std::sqrt(least * longest), found = guess;
    for (int k = 1; k <= 4 && longest >= least; ++k) {
      double bend = second_derivative(sign * guess);
      for (int tries = 1; bend < 0 && tries < 4; ++tries) bend = second_derivative(sign * (guess *= 0.2));
      if (!(bend >= 0)) return false;
      found = bend * longest * longest > 2 ? std::sqrt(2 / bend) : std::sqrt(guess * longest);
      double by = found / guess;
      if (k == 4 || (by > 0.5 && by < 2)) break;
      if (k > 1 && by > 2) {
        found = guess;
        break;
      }
      guess = found;
    }
    h = longest < least ? guess : std::clamp(0.5 * found, least, longest);
  }
  if (options_.max_step > 0) h = std::min(h, options_.max_step);
  h = std::max(h, options_.min_step);
  if (h >= distance) h = distance * (1 - 4 * rounding);
  h_ = scale_ = next_h_ = sign * h;
  for (std::size_t i = 0; i < size_; ++i) row(1)[i] *= h_;
  return h > 0;
}

void BdfSteps::predict(double sign) {
  if (sign > 0) pascal<false>(order_, z_.data(), stride_);
  else pascal<true>(order_, z_.data(), stride_);
}

// l: how the rows follow the correction, Λ(x) = Π (1 + x / ξ_i).
void BdfSteps::set_coefficients() {
  bool same = order_ == known_order_ && h_ == known_[0] && wait_ != 1;
  for (int i = 1; i <= order_; ++i) same = same && tau_[i] == known_[i];
  if (same) return;
  known_order_ = order_;
  known_[0] = h_;
  std::copy_n(tau_ + 1, most, known_ + 1);
  std::fill_n(l_, most + 2, 0.0);
  l_[0] = l_[1] = 1;
  double xi_inv = 1, xistar_inv = 1, alpha0 = -1, alpha0_hat = -1, sum = h_;
  if (order_ > 1) {
    for (int j = 2; j < order_; ++j) {
      sum += tau_[j - 1];
      xi_inv = h_ / sum;
      alpha0 -= 1.0 / j;
      for (int i = j; i >= 1; --i) l_[i] += l_[i - 1] * xi_inv;
    }
    alpha0 -= 1.0 / order_;
    xistar_inv = -l_[1] - alpha0;
    sum += tau_[order_ - 1];
    xi_inv = h_ / sum;
    alpha0_hat = -l_[1] - xi_inv;
    for (int i = order_; i >= 1; --i) l_[i] += l_[i - 1] * xistar_inv;
  }
  set_test_coefficients(alpha0, alpha0_hat, xi_inv, xistar_inv, sum);
}

// Factors that make errors of corrections, at the order below (1), this one (2) and the one above (3, 5).
void BdfSteps::set_test_coefficients(double alpha0, double alpha0_hat, double xi_inv, double xistar_inv, double sum) {
  double q = order_, A1 = 1 - alpha0_hat + alpha0, A2 = 1 + q * A1;
  test_[2] = std::fabs(A1 / (alpha0 * A2));
  test_[5] = std::fabs(A2 * xistar_inv / (l_[order_] * xi_inv));
  test_[4] = options_.nonlinear_coefficient / test_[2];
  if (wait_ != 1) return;
  test_[1] = 1;
  if (order_ > 1) {
    double A3 = alpha0 + 1 / q, A4 = alpha0_hat + xi_inv;
    test_[1] = std::fabs(xistar_inv / l_[order_] * (1 - A4 + A3) / A3);
  }
  sum += tau_[order_];
  xi_inv = h_ / sum;
  double A5 = alpha0 - 1 / (q + 1), A6 = alpha0_hat - xi_inv;
  test_[3] = std::fabs((1 - A6 + A5) / A2 / (xi_inv * (q + 2) * A5));
}

void BdfSteps::rescale(double ratio) {
  double factor = ratio;
  for (int j = 1; j <= order_; ++j, factor *= ratio)
    for (std::size_t i = 0; i < stride_; ++i) row(j)[i] *= factor;
  h_ = scale_ = next_h_ = scale_ * ratio;
}

void BdfSteps::change_order(int by) {
  if (by > 0) raise_order();
  else if (order_ > 2) lower_order();
  order_ += by;
  wait_ = order_ + 1;
}

// The new row is what the correction in the last one says.
void BdfSteps::raise_order() {
  double l[most + 2] = {};
  l[2] = 1;
  double alpha1 = 1, prod = 1, xi_old = 1, alpha0 = -1, sum = scale_;
  for (int j = 1; j < order_; ++j) {
    sum += tau_[j + 1];
    double xi = sum / scale_;
    prod *= xi;
    alpha0 -= 1.0 / (j + 1);
    alpha1 += 1 / xi;
    for (int i = j + 2; i >= 2; --i) l[i] = l[i] * xi_old + l[i - 1];
    xi_old = xi;
  }
  double A1 = (-alpha0 - alpha1) / prod;
  const double* last = row(most + 1);
  double* made = row(order_ + 1);
  for (std::size_t i = 0; i < stride_; ++i) made[i] = A1 * last[i];
  for (int j = 2; j <= order_; ++j)
    for (std::size_t i = 0; i < stride_; ++i) row(j)[i] += l[j] * made[i];
}

void BdfSteps::lower_order() {
  double l[most + 2] = {};
  l[2] = 1;
  double sum = 0;
  for (int j = 1; j <= order_ - 2; ++j) {
    sum += tau_[j];
    double xi = sum / scale_;
    for (int i = j + 2; i >= 2; --i) l[i] = l[i] * xi + l[i - 1];
  }
  for (int j = 2; j < order_; ++j)
    for (std::size_t i = 0; i < stride_; ++i) row(j)[i] -= l[j] * row(order_)[i];
}

// Predicts and corrects. False: no correction was found, and nothing has moved.
bool BdfSteps::attempt(double& error) {
  double begin = s_;
  s_ += h_;
  if ((s_ - stop_) * h_ > 0) s_ = stop_;
  predict(1);
  set_coefficients();
  double c = 1 / l_[1];
  bool found = equations_.correct({s_, h_ * c, c, row(0), row(1), weights_.data(), y_.data(), e_.data(), test_[4]});
  if (found) error = norm(e_.data()) * test_[2];
  if (found && std::isfinite(error)) return true;
  s_ = begin;
  predict(-1);
  return false;
}

// A shorter step after the test of errors has failed; after some more, of a lower order.
bool BdfSteps::after_error(double error, int failures, double begin) {
  s_ = begin;
  predict(-1);
  double least = std::max(least_after_error, options_.min_step / std::fabs(h_));
  largest_ratio_ = 1;
  if (failures >= options_.max_error_failures || std::fabs(h_) <= options_.min_step * (1 + 1e-6)) return false;
  if (failures <= errors_before_lower_order) {
    double ratio = std::max(ratio_for(bias_same, error, order_ + 1), least);
    if (failures >= 2) ratio = std::min(ratio, most_after_errors);
    rescale(ratio);
    return true;
  }
  if (order_ > 1) {
    change_order(-1);
    rescale(least);
    return true;
  }
  h_ *= least;
  scale_ = next_h_ = h_;
  wait_ = long_wait;
  if (!equations_.rates(s_, row(0), row(1))) return false;
  for (std::size_t i = 0; i < size_; ++i) row(1)[i] *= h_;
  return true;
}

bool BdfSteps::step() {
  equations_.weigh(row(0), weights_.data());
  if (steps_ == 0 && !first_step()) return false;
  if (steps_ > 0) {
    if ((s_ + next_h_ * (1 + 1e-6) - stop_) * next_h_ > 0) {
      next_h_ = (stop_ - s_) * (1 - 4 * rounding);
      ratio_ = next_h_ / h_;
    }
    if (rounding * norm(row(0)) > 1) return false;  // no step has this accuracy
    if (next_h_ != h_) {
      if (next_order_ != order_) change_order(next_order_ - order_);
      rescale(ratio_);
    }
  }
  double begin = s_, error = 0;
  for (int no_solutions = 0, errors = 0;;) {
    if (!attempt(error)) {
      largest_ratio_ = 1;
      if (++no_solutions >= options_.max_convergence_failures || std::fabs(h_) <= options_.min_step * (1 + 1e-6))
        return false;
      rescale(std::max(after_no_solution, options_.min_step / std::fabs(h_)));
    } else if (error <= 1) break;
    else if (!after_error(error, ++errors, begin)) return false;
  }
  accept();
  select(error);
  if (std::fabs(stop_ - s_) <= 100 * rounding * (std::fabs(s_) + std::fabs(h_))) s_ = stop_;
  return true;
}

void BdfSteps::accept() {
  ++steps_;
  last_h_ = h_;
  last_order_ = order_;
  for (int i = order_; i >= 2; --i) tau_[i] = tau_[i - 1];
  if (order_ == 1 && steps_ > 1) tau_[2] = tau_[1];
  tau_[1] = h_;
  for (int j = 0; j <= order_; ++j)
    for (std::size_t i = 0; i < stride_; ++i) row(j)[i] += l_[j] * e_[i];
  if (--wait_ == 1 && order_ != options_.highest_order) {
    std::copy_n(e_.data(), stride_, row(most + 1));
    saved_test_ = test_[5];
  }
}

// Step and order of the next one.
void BdfSteps::select(double error) {
  if (largest_ratio_ == 1) {  // after a failure
    wait_ = std::max(wait_, 2);
    next_order_ = order_;
    next_h_ = h_;
    ratio_ = 1;
  } else {
    next_order_ = order_;
    double same = ratio_ = growth_for(bias_same, error, order_ + 1);
    if (wait_ == 0) {
      wait_ = 2;
      double lower = order_ > 1 ? growth_for(bias_lower, norm(row(order_)) * test_[1], order_) : 0, higher = 0;
      if (order_ != options_.highest_order && saved_test_ != 0) {
        double quotient = test_[5] / saved_test_ * whole_power(h_ / tau_[2], order_ + 1);
        const double* last = row(most + 1);
        for (std::size_t i = 0; i < stride_; ++i) y_[i] = e_[i] - quotient * last[i];
        higher = growth_for(bias_higher, norm(y_.data()) * test_[3], order_ + 2);
      }
      choose(same, lower, higher);
    }
    set_ratio();
  }
  largest_ratio_ = steps_ <= early_steps ? early_growth : late_growth;
}

void BdfSteps::choose(double same, double lower, double higher) {
  ratio_ = std::max({same, lower, higher});
  if (ratio_ < least_step_growth) ratio_ = 1;
  else if (ratio_ == same) return;
  else if (ratio_ == lower) next_order_ = order_ - 1;
  else {
    next_order_ = order_ + 1;
    std::copy_n(e_.data(), stride_, row(most + 1));
  }
}

void BdfSteps::set_ratio() {
  if (ratio_ < least_step_growth) {
    ratio_ = 1;
    next_h_ = h_;
    return;
  }
  ratio_ = std::min(ratio_, largest_ratio_);
  if (options_.max_step > 0) ratio_ /= std::max(1.0, std::fabs(h_) * ratio_ / options_.max_step);
  next_h_ = h_ * ratio_;
}

}  // namespace bolza::integrate
