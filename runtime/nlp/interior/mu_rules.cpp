// SPDX-License-Identifier: Apache-2.0
// Barrier parameters that follow each iterate [NWW].
#include <algorithm>
#include <cmath>

#include "runtime/nlp/interior/loop.h"

namespace bolza::nlp::interior {
namespace {

constexpr double least_sigma = 1e-6, most_sigma = 100;  // of the average product of distance and multiplier

double sum_of_squares(const std::vector<double>& v) {
  double sum = 0;
  for (double x : v) sum += x * x;
  return sum;
}

/// The least of f on [low, up] by a golden section of the logarithm.
template <class F>
double golden_section(double low, double up, F f) {
  constexpr double ratio = 0.6180339887498949, enough = 1e-2;
  constexpr int most = 8;
  double a = std::log(low), b = std::log(up);
  double x = b - ratio * (b - a), y = a + ratio * (b - a), of_x = f(std::exp(x)), of_y = f(std::exp(y));
  for (int k = 0; k < most && b - a > enough; ++k) {
    bool lower = of_x <= of_y;
    (lower ? b : a) = lower ? y : x;
    double next = lower ? b - ratio * (b - a) : a + ratio * (b - a), of_next = f(std::exp(next));
    if (lower) {
      y = x;
      of_y = of_x;
      x = next;
      of_x = of_next;
    } else {
      x = y;
      of_x = of_y;
      y = next;
      of_y = of_next;
    }
  }
  return std::exp(of_x <= of_y ? x : y);
}

}  // namespace

/// Free: the parameter is an oracle's as long as the points make progress by a filter of objective and violation. Else it
/// is fixed, and falls as `lower_barrier` has it, until they do.
bool InteriorLoop::adapt_barrier() {
  constexpr double margin_factor = 1e-5, of_average = 0.8, most_factor = 1e3;
  if (errors_.products == 0) return lower_barrier();
  double average = errors_.product_sum / static_cast<double>(errors_.products);
  double margin = margin_factor * std::min(1.0, errors_.total(0));
  bool progress = !is_stuck_ && progress_filter_.accepts(now_.theta + margin, now_.f + margin);
  if (mu_most_ == 0) mu_most_ = most_factor * average;
  if (!progress) {
    if (fixed_mode_) return lower_barrier();
    fixed_mode_ = true;
    is_stuck_ = false;
    set_barrier(std::max(least_barrier(), of_average * average));
    return true;
  }
  fixed_mode_ = false;
  progress_filter_.add(now_.theta, now_.f);
  if (!factor()) return true;  // the step finds that out, too
  is_factored_ = true;
  double mu = settings_.oracle == Oracle::loqo ? loqo_barrier(average) : barrier_by_steps(average);
  set_barrier(std::clamp(mu, least_barrier(), std::max(mu_most_, least_barrier())));
  tau_ = std::max(tau_, 1 - errors_.total(0));
  return true;
}

/// [NWW, section 3]: by how far the products are from each other.
double InteriorLoop::loqo_barrier(double average) const {
  double spread = std::max(1e-12, errors_.least_product / average);
  return 0.1 * std::pow(std::min(0.05 * (1 - spread) / spread, 2.0), 3) * average;
}

/// The affine step, and the one towards the centre, which the quality of their sums is measured by.
double InteriorLoop::barrier_by_steps(double average) {
  right_side(0, rhs_);
  if (!system_.solve(model_, rhs_.data(), now_.c.data(), affine_.v.data(), affine_.lambda.data())) return average;
  step_of_sides(0, affine_);
  if (settings_.oracle == Oracle::probing) return probed_barrier(average);
  right_side(average, soft_);
  for (std::size_t v = 0; v < rhs_.size(); ++v) rhs_[v] = soft_[v] - rhs_[v];
  if (!system_.solve(model_, rhs_.data(), no_violation_.data(), centering_.v.data(), centering_.lambda.data()))
    return average;
  const double* d = centering_.v.data();
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t k = 0; k < sides_[s].at.size(); ++k)
      centering_.z[s][k] = (average - now_.z[s][k] * sides_[s].sign * d[sides_[s].at[k]]) / now_.distance[s][k];
  measure();  // rhs_ is ∇L
  double dual = sum_of_squares(rhs_), primal = sum_of_squares(now_.c);
  auto quality = [&](double sigma) { return quality_of(sigma, dual, primal); };
  constexpr double near = 1e-4;
  double least = std::max(least_sigma, least_barrier() / average);
  if (least >= 1 - near) return average;
  bool larger = quality(1 - near) > quality(1);
  return (larger ? golden_section(1, most_sigma, quality) : golden_section(least, 1 - near, quality)) * average;
}

/// What a linear model leaves of the conditions after the step with σ, each by its number [NWW, section 4].
double InteriorLoop::quality_of(double sigma, double dual, double primal) {
  for (std::size_t v = 0; v < step_.v.size(); ++v) step_.v[v] = affine_.v[v] + sigma * centering_.v[v];
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t k = 0; k < step_.z[s].size(); ++k) step_.z[s][k] = affine_.z[s][k] + sigma * centering_.z[s][k];
  double alpha = to_boundary(step_), alpha_of_z = to_boundary_of_z(step_);
  double products = sum_of_products(step_, alpha, alpha_of_z, /*squares=*/true);
  double of_m = model_.m > 0 ? (1 - alpha) * (1 - alpha) * primal / static_cast<double>(model_.m) : 0;
  return (1 - alpha_of_z) * (1 - alpha_of_z) * dual / static_cast<double>(model_.N()) + of_m +
         products / static_cast<double>(errors_.products);
}

double InteriorLoop::sum_of_products(const Step& step, double alpha, double alpha_of_z, bool squares) const {
  double sum = 0;
  const double* d = step.v.data();
  for (std::size_t s = 0; s < 2; ++s) {
    const BoundSide& side = sides_[s];
    for (std::size_t k = 0; k < side.at.size(); ++k) {
      double product =
          (now_.distance[s][k] + alpha * side.sign * d[side.at[k]]) * (now_.z[s][k] + alpha_of_z * step.z[s][k]);
      sum += squares ? product * product : product;
    }
  }
  return sum;
}

/// Mehrotra's: by what the affine step leaves of the products.
double InteriorLoop::probed_barrier(double average) const {
  double tau = 1, alpha = 1, alpha_of_z = 1;
  const double* d = affine_.v.data();
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t k = 0; k < sides_[s].at.size(); ++k) {
      double towards = -sides_[s].sign * d[sides_[s].at[k]], distance = now_.distance[s][k], z = now_.z[s][k];
      if (towards * alpha > tau * distance) alpha = tau * distance / towards;
      if (-affine_.z[s][k] * alpha_of_z > tau * z) alpha_of_z = -tau * z / affine_.z[s][k];
    }
  double left = sum_of_products(affine_, alpha, alpha_of_z, /*squares=*/false) / static_cast<double>(errors_.products);
  return std::min(most_sigma, std::pow(left / average, 3)) * average;
}

}  // namespace bolza::nlp::interior
