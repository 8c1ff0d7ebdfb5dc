// SPDX-License-Identifier: Apache-2.0
// Steps of the interior-point loop and how much of them is taken [IPOPT, sections 2.2 to 3.2].
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "runtime/nlp/interior/loop.h"

namespace bolza::nlp::interior {
namespace {

// [IPOPT, section 4]
constexpr double gamma_theta = 1e-5, gamma_phi = 1e-8, delta = 1, s_theta = 1.1, s_phi = 2.3, eta = 1e-8;
constexpr double gamma_alpha = 0.05, kappa_soc = 0.99, kappa_sigma = 1e10, kappa_d = 1e-5;
constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int watchdog_trials = 3;

/// a <= b but for what rounding, or more noise than that, makes of numbers of this size.
bool at_most(double a, double b, double size, double noise) {
  constexpr double of_rounding = 1e-13;
  double more = noise > of_rounding ? noise * (1 + std::fabs(size)) : 0;
  return a - b <= std::max(10 * epsilon * std::fabs(size), more);
}

}  // namespace

// ---- directions

/// Σ of the sides, and the Hessian.
void InteriorLoop::assemble() {
  const double* diagonal = model_.diagonal();
  std::fill(sigma_.begin(), sigma_.end(), 0.0);
  if (diagonal) std::copy_n(diagonal, model_.n, sigma_.begin());
  double* sigma = sigma_.data();
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t k = 0; k < sides_[s].at.size(); ++k) sigma[sides_[s].at[k]] += now_.z[s][k] / now_.distance[s][k];
  matrix_ = {hessian_, jacobian_, sigma_.data(), quasi_newton};
}

/// ∇φ + J'λ of a barrier parameter.
void InteriorLoop::right_side(double mu, std::vector<double>& slope) const {
  std::copy(slope_.begin(), slope_.end(), slope.begin());
  double* to = slope.data();
  for (std::size_t s = 0; s < 2; ++s) {
    const BoundSide& side = sides_[s];
    for (std::size_t k = 0; k < side.at.size(); ++k)
      to[side.at[k]] -= side.sign * mu * (1 / now_.distance[s][k] - kappa_d * side.alone[k]);
  }
}

void InteriorLoop::step_of_sides(double mu, Step& step) const {
  const double* d = step.v.data();
  for (std::size_t s = 0; s < 2; ++s) {
    const BoundSide& side = sides_[s];
    for (std::size_t k = 0; k < side.at.size(); ++k) {
      double z = now_.z[s][k], distance = now_.distance[s][k];
      step.z[s][k] = (mu - z * side.sign * d[side.at[k]]) / distance - z;
    }
  }
}

/// Factors of the matrix at the point.
bool InteriorLoop::factor() {
  if (!quasi_newton) {
    hessian_ = model_.hessian(1, now_.lambda.data());
    if (!hessian_) {
      evaluation_failed_ = true;
      return false;
    }
  }
  assemble();
  return system_.factor(model_, matrix_, mu_);
}

bool InteriorLoop::find_step() {
  bool done = is_factored_ || factor();
  is_factored_ = false;
  if (!done) return false;
  right_side(mu_, rhs_);
  constexpr int attempts = 3;
  for (int k = 0; k < attempts; ++k) {
    if (system_.solve(model_, rhs_.data(), now_.c.data(), step_.v.data(), step_.lambda.data())) {
      if (is_contradictory()) return false;
      step_of_sides(mu_, step_);
      return true;
    }
    system_.take_more_care();
    if (!system_.raise(model_, matrix_, mu_)) return false;
  }
  return false;
}

/// Whether the linearised rows contradict each other: δc dλ is what the step leaves of them. Multipliers would grow without
/// bound; a restoration looks for a point where that is not so.
bool InteriorLoop::is_contradictory() const {
  constexpr double most = 0.5, nearly = 100;
  if (leaves || system_.delta_c() == 0 || errors_.primal <= nearly * settings_.tol) return false;
  double left = 0;
  for (std::size_t r = 0; r < model_.m; ++r)
    if (!model_.is_idle[r]) left += std::fabs(step_.lambda[r]);
  return system_.delta_c() * left > most * now_.theta;
}

/// ∇φ' d
double InteriorLoop::slope_along(const Step& step) const {
  double sum = 0;
  for (std::size_t v = 0; v < model_.n; ++v) sum += gradient_[v] * step.v[v];
  for (std::size_t k = 0; k < model_.columns.size(); ++k) sum += model_.columns.price[k] * step.v[model_.n + k];
  const double* d = step.v.data();
  for (std::size_t s = 0; s < 2; ++s) {
    const BoundSide& side = sides_[s];
    for (std::size_t k = 0; k < side.at.size(); ++k)
      sum -= side.sign * mu_ * d[side.at[k]] * (1 / now_.distance[s][k] - kappa_d * side.alone[k]);
  }
  return sum;
}

double InteriorLoop::to_boundary(const Step& step) const {
  double alpha = 1;
  const double* d = step.v.data();
  for (std::size_t s = 0; s < 2; ++s) {
    const BoundSide& side = sides_[s];
    for (std::size_t k = 0; k < side.at.size(); ++k) {
      double towards = -side.sign * d[side.at[k]];
      if (towards * alpha > tau_ * now_.distance[s][k]) alpha = tau_ * now_.distance[s][k] / towards;
    }
  }
  return alpha;
}

double InteriorLoop::to_boundary_of_z(const Step& step) const {
  double alpha = 1;
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t k = 0; k < now_.z[s].size(); ++k)
      if (-step.z[s][k] * alpha > tau_ * now_.z[s][k]) alpha = -tau_ * now_.z[s][k] / step.z[s][k];
  return alpha;
}

bool InteriorLoop::is_tiny() const {
  constexpr double tiny = 10 * epsilon, feasible = 1e-4;
  if (errors_.primal > feasible) return false;
  for (std::size_t v = 0; v < model_.N(); ++v)
    if (std::fabs(step_.v[v]) > tiny * (1 + std::fabs(now_.v[v]))) return false;
  return true;
}

// ---- tests

bool InteriorLoop::is_f_type(double alpha) const {
  return reference_.slope < 0 && alpha * std::pow(-reference_.slope, s_phi) > delta * std::pow(reference_.theta, s_theta) &&
         reference_.theta <= theta_min_;
}

bool InteriorLoop::armijo(double alpha, double phi) const {
  return at_most(phi - reference_.phi, eta * alpha * reference_.slope, reference_.phi, monitor_.options().noise);
}

bool InteriorLoop::acceptable(double alpha, const InteriorPoint& trial) const {
  constexpr double most_orders = 5;
  refused_by_filter_ = false;
  if (trial.theta > theta_max_) return false;
  if (is_f_type(alpha)) {
    if (!armijo(alpha, trial.phi)) return false;
  } else {
    if (trial.phi > reference_.phi) {  // not by orders of magnitude
      double base = std::fabs(reference_.phi) > 10 ? std::log10(std::fabs(reference_.phi)) : 1;
      if (std::log10(trial.phi - reference_.phi) > most_orders + base) return false;
    }
    double noise = monitor_.options().noise;
    bool less = at_most(trial.theta, (1 - gamma_theta) * reference_.theta, reference_.theta, 0) ||
                at_most(trial.phi - reference_.phi, -gamma_phi * reference_.theta, reference_.phi, noise);
    if (!less) return false;
  }
  refused_by_filter_ = !filter_.accepts(trial.theta, trial.phi);
  return !refused_by_filter_;
}

double InteriorLoop::shortest() const {
  double share = gamma_theta;
  if (reference_.slope < 0) {
    share = std::min(share, gamma_phi * reference_.theta / -reference_.slope);
    if (reference_.theta <= theta_min_)
      share = std::min(share, delta * std::pow(reference_.theta, s_theta) / std::pow(-reference_.slope, s_phi));
  }
  return gamma_alpha * share;
}

// ---- the search

InteriorLoop::Trial InteriorLoop::attempt(const Step& step, double alpha, double alpha_of_test) {
  for (std::size_t v = 0; v < model_.N(); ++v) trial_.v[v] = now_.v[v] + alpha * step.v[v];
  for (std::size_t s = 0; s < 2; ++s) std::copy(now_.z[s].begin(), now_.z[s].end(), trial_.z[s].begin());
  if (!evaluate(trial_)) return Trial::not_finite;
  return acceptable(alpha_of_test, trial_) ? Trial::taken : Trial::refused;
}

/// The trial point becomes the point; multipliers follow.
void InteriorLoop::move(const Step& step, double alpha) {
  double alpha_of_z = to_boundary_of_z(step);
  for (std::size_t r = 0; r < model_.m; ++r) trial_.lambda[r] = now_.lambda[r] + alpha * step.lambda[r];
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t k = 0; k < now_.z[s].size(); ++k) {
      double central = mu_ / trial_.distance[s][k];
      trial_.z[s][k] = std::clamp(now_.z[s][k] + alpha_of_z * step.z[s][k], central / kappa_sigma, central * kappa_sigma);
    }
  std::swap(now_, trial_);
}

void InteriorLoop::accept(const Step& step, double alpha, bool augments) {
  if (augments) filter_.add((1 - gamma_theta) * reference_.theta, reference_.phi - gamma_phi * reference_.theta);
  move(step, alpha);
}

/// Second-order corrections of a step whose trial point violates more [IPOPT, section 2.4].
bool InteriorLoop::corrected(double alpha) {
  double before = INFINITY, alpha_soc = alpha;
  soc_c_ = now_.c;
  for (int k = 0; k < settings_.max_soc; ++k) {
    if (trial_.theta > kappa_soc * before) return false;
    before = trial_.theta;
    for (std::size_t r = 0; r < model_.m; ++r) soc_c_[r] = trial_.c[r] + alpha_soc * soc_c_[r];
    if (!system_.solve(model_, rhs_.data(), soc_c_.data(), corrected_.v.data(), corrected_.lambda.data())) return false;
    alpha_soc = to_boundary(corrected_);
    Trial outcome = attempt(corrected_, alpha_soc, alpha);
    if (outcome == Trial::not_finite) return false;
    if (outcome == Trial::refused) continue;
    step_of_sides(mu_, corrected_);
    accept(corrected_, alpha_soc, !(is_f_type(alpha) && armijo(alpha, trial_.phi)));
    return true;
  }
  return false;
}

/// Where the filter refuses points iteration after iteration it may hold some that are far away: it begins again.
void InteriorLoop::count_refusals(bool by_filter) {
  constexpr int often = 5, most_resets = 5;
  filter_refusals_ = by_filter ? filter_refusals_ + 1 : 0;
  if (filter_refusals_ < often || filter_resets_ >= most_resets) return;
  filter_refusals_ = 0;
  ++filter_resets_;
  filter_.clear();
}

bool InteriorLoop::backtrack(First first) {
  double longest = to_boundary(step_), least = in_watchdog_ ? longest : shortest(), alpha = longest;
  bool finite_once = false, by_filter = false;
  for (int steps = 0; steps == 0 || alpha > least; ++steps, alpha *= 0.5) {
    if (steps == 0 && first == First::skipped) continue;
    Trial outcome = attempt(step_, alpha, alpha);
    finite_once = finite_once || outcome != Trial::not_finite;
    if (outcome == Trial::refused && refused_by_filter_) by_filter = true;
    if (outcome == Trial::taken) {
      count_refusals(by_filter);
      accept(step_, alpha, !(is_f_type(alpha) && armijo(alpha, trial_.phi)));
      shortened_ = steps == 0 ? 0 : shortened_ + 1;
      return true;
    }
    if (steps == 0 && outcome == Trial::refused && settings_.max_soc > 0 && trial_.theta >= reference_.theta &&
        model_.m > 0 && corrected(alpha)) {
      shortened_ = 0;
      return true;
    }
    if (in_watchdog_) break;
    if (alpha < epsilon) break;
  }
  evaluation_failed_ = !finite_once && !in_watchdog_;
  return false;
}

void InteriorLoop::start_watchdog() {
  in_watchdog_ = true;
  watchdog_trials_ = 0;
  saved_ = now_;
  saved_step_ = step_;
  saved_reference_ = reference_;
}

/// Back to where it began.
void InteriorLoop::stop_watchdog() {
  if (!in_watchdog_) return;
  in_watchdog_ = false;
  shortened_ = 0;
  std::swap(now_, saved_);
  std::swap(step_, saved_step_);
  reference_ = saved_reference_;
}

/// Steps as small as rounding are taken as they are. Two in a row, with multipliers that stay: the barrier has to fall.
bool InteriorLoop::take_tiny_step() {
  constexpr double little = 1e-2;
  double alpha = to_boundary(step_), most = 0;
  if (attempt(step_, alpha, alpha) == Trial::not_finite) return false;
  move(step_, alpha);
  for (double l : step_.lambda) most = std::max(most, std::fabs(l));
  tiny_steps_ = most < little ? tiny_steps_ + 1 : 0;
  is_stuck_ = tiny_steps_ >= 2;
  return true;
}

/// Some full steps without a test, after which a point has to be better than where they began [IPOPT, section 3.2].
bool InteriorLoop::search_with_watchdog() {
  if (backtrack(First::tested)) {
    in_watchdog_ = false;
    shortened_ = 0;
    return true;
  }
  double alpha = to_boundary(step_);
  if (++watchdog_trials_ < watchdog_trials && attempt(step_, alpha, alpha) != Trial::not_finite) {
    move(step_, alpha);
    return true;
  }
  stop_watchdog();
  return backtrack(First::skipped);
}

bool InteriorLoop::search() {
  if (is_tiny()) return take_tiny_step();
  tiny_steps_ = 0;
  if (!in_watchdog_) reference_ = {now_.theta, now_.phi, slope_along(step_)};
  if (in_soft_) return soft_step();
  if (!in_watchdog_ && settings_.watchdog > 0 && shortened_ >= settings_.watchdog) start_watchdog();
  if (in_watchdog_ ? search_with_watchdog() : backtrack(First::tested)) return true;
  return settings_.soft_restoration && !leaves && soft_step();
}

/// |∇L|₁, |c|₁ and |distance z − μ|₁, each by their number.
double InteriorLoop::primal_dual_error() {
  std::copy(slope_.begin(), slope_.end(), rhs_.begin());
  double *slope = rhs_.data(), dual = 0, products = 0;
  std::size_t count = 0;
  for (std::size_t s = 0; s < 2; ++s) {
    count += now_.z[s].size();
    for (std::size_t k = 0; k < now_.z[s].size(); ++k) {
      slope[sides_[s].at[k]] -= sides_[s].sign * now_.z[s][k];
      products += std::fabs(now_.z[s][k] * now_.distance[s][k] - mu_);
    }
  }
  for (double d : rhs_) dual += std::fabs(d);
  auto share = [](double sum, std::size_t of) { return of > 0 ? sum / static_cast<double>(of) : 0; };
  return share(dual, model_.N()) + share(now_.theta, model_.m) + share(products, count);
}

/// A step of one length for everything, if it brings the primal–dual equations down: before a restoration, and in place of
/// it [IPOPT, section 3.3, E_μ reduction].
bool InteriorLoop::soft_step() {
  constexpr double enough = 0.9999;
  constexpr int most_steps = 10;
  if (!in_soft_) {
    forbid_here();
    soft_steps_ = 0;
  } else if (++soft_steps_ > most_steps) {
    return in_soft_ = false;
  }
  double alpha = std::min(to_boundary(step_), to_boundary_of_z(step_)), before = primal_dual_error();
  if (attempt(step_, alpha, alpha) == Trial::not_finite) return in_soft_ = false;
  bool is_free = in_soft_ && would_take(trial_);
  for (std::size_t r = 0; r < model_.m; ++r) trial_.lambda[r] = now_.lambda[r] + alpha * step_.lambda[r];
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t k = 0; k < now_.z[s].size(); ++k) trial_.z[s][k] = now_.z[s][k] + alpha * step_.z[s][k];
  std::swap(now_, trial_);
  if (linearise() && (is_free || primal_dual_error() <= enough * before)) {
    in_soft_ = !is_free;
    shortened_ = 0;
    return true;
  }
  std::swap(now_, trial_);
  in_soft_ = false;
  evaluation_failed_ = !evaluate(now_) || !linearise();
  return false;
}

}  // namespace bolza::nlp::interior
