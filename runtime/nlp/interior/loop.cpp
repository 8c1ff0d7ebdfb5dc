// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/interior/loop.h"

#include <algorithm>
#include <cmath>

namespace bolza::nlp::interior {
namespace {

// [IPOPT, section 4]
constexpr double kappa_epsilon = 10, kappa_mu = 0.2, theta_mu = 1.5, least_tau = 0.99, s_max = 100;
constexpr double most_lambda = 1000, most_z = 1000;
constexpr double theta_max_factor = 1e4, theta_min_factor = 1e-4;
constexpr double diverged = 1e20;
constexpr double acceptable_factor = 100;  // of the tolerance
constexpr int acceptable_iterations = 15;

double sum_of(const std::vector<double>& v) {
  double sum = 0;
  for (double x : v) sum += std::fabs(x);
  return sum;
}

std::array<BoundSide, 2> sides_of(const BarrierModel& model) {
  std::array<BoundSide, 2> sides;
  sides[1].sign = -1;
  for (std::size_t v = 0; v < model.N(); ++v) {
    bool below = std::isfinite(model.lower[v]), above = std::isfinite(model.upper[v]);
    if (below) {
      sides[0].at.push_back(static_cast<std::int32_t>(v));
      sides[0].bound.push_back(model.lower[v]);
      sides[0].alone.push_back(above ? 0 : 1);
    }
    if (above) {
      sides[1].at.push_back(static_cast<std::int32_t>(v));
      sides[1].bound.push_back(model.upper[v]);
      sides[1].alone.push_back(below ? 0 : 1);
    }
  }
  return sides;
}

void make(InteriorPoint& point, const BarrierModel& model, const std::array<BoundSide, 2>& sides) {
  point.v.assign(model.N(), 0.0);
  point.c.assign(model.m, 0.0);
  point.lambda.assign(model.m, 0.0);
  for (std::size_t s = 0; s < 2; ++s) {
    point.distance[s].assign(sides[s].at.size(), 1.0);
    point.z[s].assign(sides[s].at.size(), 1.0);
  }
}

}  // namespace

double Errors::complementarity(double mu) const {
  return products == 0 ? 0 : std::max(std::fabs(largest_product - mu), std::fabs(least_product - mu));
}
double Errors::total(double mu) const { return std::max({dual / dual_size, primal, complementarity(mu) / product_size}); }

std::optional<Exit> Monitor::look(double objective, double primal, double dual) {
  if (options_.progress && told_ < report_.iterations)
    options_.progress(options_.progress_context, {report_.iterations, objective, primal, dual, seconds_since(begin_)});
  told_ = report_.iterations;
  if (options_.budget.over()) return Exit{Status::time_limit, "time limit reached"};
  if (options_.budget.interrupted()) return Exit{Status::interrupted, "stopped on request"};
  return std::nullopt;
}

void Monitor::count(double regularization) {
  ++report_.iterations;
  report_.regularization = regularization;
  report_.regularized += regularization > 0;
}

InteriorLoop::InteriorLoop(BarrierModel& model, const Pattern& jacobian, StepSystem& system, Monitor& monitor,
                           const Settings& settings)
    : model_(model),
      places_(jacobian),
      system_(system),
      monitor_(monitor),
      settings_(settings),
      sides_(sides_of(model)),
      stall_(settings.tol, monitor.options().noise) {
  std::size_t N = model.N(), m = model.m;
  for (InteriorPoint* point : {&now_, &trial_, &saved_}) make(*point, model, sides_);
  for (Step* step : {&step_, &corrected_, &saved_step_, &affine_, &centering_}) {
    step->v.resize(N);
    step->lambda.resize(m);
    for (std::size_t s = 0; s < 2; ++s) step->z[s].resize(sides_[s].at.size());
  }
  gradient_.resize(model.n);
  old_x_.resize(model.n);
  old_slope_.resize(model.n);
  for (std::vector<double>* values : {&slope_, &sigma_, &rhs_, &soft_}) values->resize(N);
  soc_c_.resize(m);
  no_violation_.assign(m, 0.0);
}

// ---- values and errors

bool InteriorLoop::begin(const double* v, double mu) {
  std::copy_n(v, model_.N(), now_.v.begin());
  std::fill(now_.lambda.begin(), now_.lambda.end(), 0.0);
  for (std::vector<double>& z : now_.z) std::fill(z.begin(), z.end(), 1.0);
  mu_ = mu;
  tau_ = std::max(least_tau, 1 - mu);
  model_.follow(mu);
  shortened_ = tiny_steps_ = acceptable_ = soft_steps_ = 0;
  in_watchdog_ = is_stuck_ = in_soft_ = false;
  filter_.clear();
  if (!evaluate(now_)) return false;
  theta_max_ = theta_max_factor * std::max(1.0, now_.theta);
  theta_min_ = theta_min_factor * std::max(1.0, now_.theta);
  return linearise();
}

bool InteriorLoop::evaluate(InteriorPoint& point) {
  if (!model_.values(point.v.data(), point.f, point.c.data())) return false;
  const SingleColumns& columns = model_.columns;
  for (std::size_t k = 0; k < columns.size(); ++k) point.f += columns.price[k] * point.v[model_.n + k];
  point.theta = sum_of(point.c);
  measure_distances(point);
  point.phi = barrier_of(point);
  return std::isfinite(point.phi);
}

/// Distances from the sides. Where rounding leaves none the bound gives way by as much [IPOPT, section 3.5].
void InteriorLoop::measure_distances(InteriorPoint& point) {
  constexpr double least = 1e-16, way = 1.8e-12;
  double floor = least * std::min(1.0, mu_);
  const double* v = point.v.data();
  for (std::size_t s = 0; s < 2; ++s) {
    BoundSide& side = sides_[s];
    for (std::size_t k = 0; k < side.at.size(); ++k) {
      double distance = side.sign * (v[side.at[k]] - side.bound[k]);
      if (distance < floor) {
        distance = std::min(way * std::max(1.0, std::fabs(side.bound[k])), std::max(floor, mu_ / point.z[s][k]));
        side.bound[k] = v[side.at[k]] - side.sign * distance;
      }
      point.distance[s][k] = distance;
    }
  }
}

/// f − μ Σ ln distance, and a slope towards sides that are alone. Logarithms are taken of products of many.
double InteriorLoop::barrier_of(const InteriorPoint& point) const {
  constexpr double kappa_d = 1e-5, small = 1e-200, large = 1e200;
  double logarithms = 0, alone = 0;
  for (std::size_t s = 0; s < 2; ++s) {
    double product = 1;
    for (std::size_t k = 0; k < point.distance[s].size(); ++k) {
      double distance = point.distance[s][k];
      product *= distance;
      if (!(product > small && product < large)) {
        logarithms += std::log(product);
        product = 1;
      }
      alone += sides_[s].alone[k] * distance;
    }
    logarithms += std::log(product);
  }
  return point.f - mu_ * logarithms + kappa_d * mu_ * alone;
}

/// Derivatives where the model stands, and ∇f + J'λ.
bool InteriorLoop::linearise() {
  if (!model_.slopes(gradient_.data(), jacobian_)) return false;
  std::copy(gradient_.begin(), gradient_.end(), slope_.begin());
  const double* lambda = now_.lambda.data();
  double* slope = slope_.data();
  for (std::size_t e = 0; e < places_.size(); ++e) slope[places_.col[e]] += jacobian_[e] * lambda[places_.row[e]];
  const SingleColumns& columns = model_.columns;
  for (std::size_t k = 0; k < columns.size(); ++k)
    slope[model_.n + k] = columns.price[k] + columns.sign[k] * lambda[columns.row[k]];
  return true;
}

void InteriorLoop::measure() {
  Errors e;
  e.least_product = INFINITY;
  e.largest_product = -INFINITY;
  double z_sum = 0;
  std::copy(slope_.begin(), slope_.end(), rhs_.begin());
  double* slope = rhs_.data();
  for (std::size_t s = 0; s < 2; ++s) {
    const BoundSide& side = sides_[s];
    for (std::size_t k = 0; k < side.at.size(); ++k) {
      double z = now_.z[s][k], product = z * now_.distance[s][k];
      slope[side.at[k]] -= side.sign * z;
      e.least_product = std::min(e.least_product, product);
      e.largest_product = std::max(e.largest_product, product);
      e.product_sum += product;
      z_sum += z;
    }
    e.products += side.at.size();
  }
  for (double d : rhs_) e.dual = std::max(e.dual, std::fabs(d));
  for (double c : now_.c) e.primal = std::max(e.primal, std::fabs(c));
  auto products = static_cast<double>(e.products);
  double multipliers = static_cast<double>(model_.m) + products;
  if (multipliers > 0) e.dual_size = std::max(s_max, (sum_of(now_.lambda) + z_sum) / multipliers) / s_max;
  if (products > 0) e.product_size = std::max(s_max, z_sum / products) / s_max;
  errors_ = e;
}

bool InteriorLoop::refresh() {
  now_.phi = barrier_of(now_);
  if (!linearise()) return false;
  measure();
  return true;
}

void InteriorLoop::estimate_lambda() {
  std::fill(now_.lambda.begin(), now_.lambda.end(), 0.0);
  if (model_.m == 0 || !linearise()) return;
  measure();  // rhs_ is ∇f − z of lower and + z of upper sides
  std::fill(sigma_.begin(), sigma_.end(), 1.0);
  matrix_ = {nullptr, jacobian_, sigma_.data()};
  if (!system_.factor_as_is(model_, matrix_, 0, 0)) return;
  if (!system_.solve(model_, rhs_.data(), no_violation_.data(), step_.v.data(), step_.lambda.data())) return;
  double most = 0;
  for (double l : step_.lambda) most = std::max(most, std::fabs(l));
  if (most <= most_lambda) now_.lambda = step_.lambda;
}

// ---- the end

Exit InteriorLoop::nearly(const char* message) const {
  bool near = errors_.primal <= acceptable_factor * settings_.tol && errors_.dual <= acceptable_factor * settings_.tol;
  if (evaluation_failed_) return {Status::evaluation_error, "a value was not finite"};
  return {near ? Status::acceptable : Status::failed, message};
}

std::optional<Exit> InteriorLoop::ends() {
  double objective = now_.f / objective_scale, primal = errors_.primal;
  if (shown) shown(objective, primal);
  if (std::optional<Exit> limit = monitor_.look(objective, primal, errors_.dual)) return limit;
  double error = errors_.total(0);
  bool enough = error <= settings_.tol && (!is_solved || is_solved(now_, errors_));
  if (enough) return Exit{Status::solved, "solved"};
  if (!leaves) {
    acceptable_ = error <= acceptable_factor * settings_.tol ? acceptable_ + 1 : 0;
    if (acceptable_ >= acceptable_iterations) return Exit{Status::acceptable, "solved to the acceptable level only"};
    if (!in_watchdog_ && stall_.look(objective, primal, errors_.dual, mu_)) return nearly(no_progress);
  } else if (leaves(now_)) {
    return Exit{Status::solved, "", true};
  }
  if (monitor_.at_limit()) return Exit{Status::iteration_limit, "iteration limit reached"};
  for (std::size_t v = 0; v < model_.n; ++v)
    if (!(std::fabs(now_.v[v]) <= diverged)) return Exit{Status::diverging, "the iterates diverge"};
  return std::nullopt;
}

Exit InteriorLoop::run() {
  measure();
  std::copy_n(now_.v.begin(), model_.n, old_x_.begin());
  for (;;) {
    if (std::optional<Exit> end = ends()) return *end;
    if (!(settings_.adaptive && !leaves ? adapt_barrier() : lower_barrier())) {
      Exit exit = nearly("the steps became too small");
      exit.stuck = true;
      return exit;
    }
    bool found = find_step() && search();
    if (!found) {
      stop_watchdog();
      if (std::optional<Exit> end = recover()) return *end;
      stall_.reset();
      std::copy_n(now_.v.begin(), model_.n, old_x_.begin());
    }
    if (found) monitor_.count(system_.delta());
    if (quasi_newton && found) remember();
    if (!linearise()) return {Status::evaluation_error, "a derivative was not finite"};
    if (quasi_newton && found) learn();
    measure();
  }
}

/// What the gradient of the Lagrangian was with the new multipliers where derivatives were last evaluated.
void InteriorLoop::remember() {
  std::copy(gradient_.begin(), gradient_.end(), old_slope_.begin());
  const double* lambda = now_.lambda.data();
  double* slope = old_slope_.data();
  for (std::size_t e = 0; e < places_.size(); ++e) slope[places_.col[e]] += jacobian_[e] * lambda[places_.row[e]];
}

void InteriorLoop::learn() {
  const double* diagonal = model_.diagonal();
  for (std::size_t v = 0; v < model_.n; ++v) {
    old_x_[v] = now_.v[v] - old_x_[v];
    old_slope_[v] = slope_[v] - old_slope_[v];
    if (diagonal) old_slope_[v] -= diagonal[v] * old_x_[v];  // stands in the matrix already
  }
  quasi_newton->update(old_x_, old_slope_);
  std::copy_n(now_.v.begin(), model_.n, old_x_.begin());
}

// ---- the barrier parameter

void InteriorLoop::set_barrier(double mu) {
  mu_ = mu;
  tau_ = std::max(least_tau, 1 - mu);
  filter_.clear();
  in_watchdog_ = in_soft_ = false;
  shortened_ = 0;
  if (model_.follow(mu)) {  // values depend on μ
    if (evaluate(now_) && linearise()) measure();
  } else {
    now_.phi = barrier_of(now_);
  }
}

double InteriorLoop::least_barrier() const { return std::min(settings_.tol, product_tolerance) / (kappa_epsilon + 1); }

/// Falls where its problem is solved, or where steps have become tiny [IPOPT, (7)]. False: it cannot, and they have.
bool InteriorLoop::lower_barrier() {
  double least = least_barrier();
  while (errors_.total(mu_) <= kappa_epsilon * mu_ || is_stuck_) {
    double next = std::max(least, std::min(kappa_mu * mu_, std::pow(mu_, theta_mu)));
    if (!(next < mu_)) return !is_stuck_;
    is_stuck_ = false;
    set_barrier(next);
    if (errors_.products == 0 && mu_ <= least) break;
  }
  return true;
}

// ---- restoration

void InteriorLoop::forbid_here() {
  constexpr double gamma_theta = 1e-5, gamma_phi = 1e-8;
  filter_.add((1 - gamma_theta) * now_.theta, now_.phi - gamma_phi * now_.theta);
  reference_ = {now_.theta, now_.phi, 0};
}

bool InteriorLoop::would_take(const InteriorPoint& trial) const {
  constexpr double gamma_theta = 1e-5, gamma_phi = 1e-8;
  bool less =
      trial.theta <= (1 - gamma_theta) * reference_.theta || trial.phi <= reference_.phi - gamma_phi * reference_.theta;
  return less && trial.theta <= theta_max_ && filter_.accepts(trial.theta, trial.phi);
}

/// Multipliers of sides take the step that belongs to the whole of the move; those of rows begin again.
bool InteriorLoop::continue_from(const double* v) {
  for (std::size_t i = 0; i < model_.N(); ++i) step_.v[i] = v[i] - now_.v[i];
  step_of_sides(mu_, step_);
  double alpha = to_boundary_of_z(step_), most = 0;
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t k = 0; k < now_.z[s].size(); ++k) {
      now_.z[s][k] += alpha * step_.z[s][k];
      most = std::max(most, now_.z[s][k]);
    }
  if (most > most_z)
    for (std::vector<double>& z : now_.z) std::fill(z.begin(), z.end(), 1.0);
  std::copy_n(v, model_.N(), now_.v.begin());
  std::fill(now_.lambda.begin(), now_.lambda.end(), 0.0);
  return evaluate(now_);
}

}  // namespace bolza::nlp::interior
