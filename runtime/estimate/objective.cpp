// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/objective.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/nlp/solve.h"

namespace bolza::estimate {
namespace {

/// An objective as a nonlinear program without rows; dense second derivatives.
class ObjectiveFunctions final : public nlp::Functions {
 public:
  ObjectiveFunctions(FitObjective& objective, nlp::Hessian hessian, std::span<const double> start)
      : objective_(objective),
        hessian_(hessian) {
    for (std::size_t k = 0; k < start.size(); ++k) sizes_.push_back(objective.size_of(k, start[k]));
  }

  void move_to(std::span<const double> w) override {
    if (std::equal(w.begin(), w.end(), w_.begin(), w_.end())) return;
    w_.assign(w.begin(), w.end());
    known_ = Known::nothing;
  }
  bool objective(double& f) override {
    bool good = know(Known::value);
    if (good) f = at_.value - constant_;
    return good;
  }
  const double* gradient() override {
    return know(hessian_ == nlp::Hessian::gauss_newton ? Known::fisher : Known::gradient) ? at_.gradient.data() : nullptr;
  }
  const double* constraints() override { return &nothing_; }
  const double* jacobian() override { return &nothing_; }
  const double* hessian(double sigma, std::span<const double>) override {
    return differences() ? entries_of(exact_, sigma) : nullptr;
  }
  const double* gauss_newton(double sigma) override { return know(Known::fisher) ? entries_of(at_.fisher, sigma) : nullptr; }

  const std::string& trouble() const { return trouble_; }  ///< of the last evaluation that failed

 private:
  enum class Known : std::uint8_t { nothing, value, gradient, fisher };

  bool know(Known what) {
    if (known_ >= what) return good_;
    Order order = what == Known::value ? Order::value : what == Known::gradient ? Order::gradient : Order::fisher;
    known_ = what;
    good_ = objective_.evaluate(w_, order, at_) && std::isfinite(at_.value);
    if (!good_) trouble_ = at_.trouble.text;
    else if (!std::exchange(has_constant_, true)) constant_ = at_.value - 0.5 * at_.sum_of_squares;
    return good_;
  }

  const double* entries_of(const Eigen::MatrixXd& matrix, double sigma) {
    entries_.clear();
    for (Eigen::Index r = 0; r < matrix.rows(); ++r)
      for (Eigen::Index c = 0; c <= r; ++c) entries_.push_back(sigma * matrix(r, c));
    return entries_.data();
  }

  /// Second derivatives as central differences of gradients: an error of about 1e-7 of their size.
  bool differences() {
    constexpr double share = 1e-4;
    auto n = static_cast<Eigen::Index>(w_.size());
    exact_.resize(n, n);
    Likelihood there;
    for (Eigen::Index k = 0; k < n; ++k) {
      std::vector<double> moved = w_;
      auto at = static_cast<std::size_t>(k);
      double step = share * sizes_[at];
      moved[at] = w_[at] + step;
      if (!objective_.evaluate(moved, Order::gradient, there)) return false;
      exact_.col(k) = there.gradient;
      moved[at] = w_[at] - step;
      if (!objective_.evaluate(moved, Order::gradient, there)) return false;
      exact_.col(k) = (exact_.col(k) - there.gradient) / (2 * step);
    }
    exact_ = 0.5 * (exact_ + exact_.transpose()).eval();
    return true;
  }

  FitObjective& objective_;
  nlp::Hessian hessian_;
  std::vector<double> sizes_, w_, entries_;
  std::string trouble_;
  Likelihood at_;
  Eigen::MatrixXd exact_;
  Known known_ = Known::nothing;
  bool good_ = false, has_constant_ = false;
  double constant_ = 0;  // of the likelihood: logarithms of standard deviations, which depend on units
  double nothing_ = 0;
};

nlp::Nlp program_of(const FitObjective& objective, const Box& box, std::span<const double> start,
                    nlp::Functions& functions) {
  std::size_t n = start.size();
  nlp::Nlp nlp;
  nlp.lower = box.lower;
  nlp.upper = box.upper;
  for (std::size_t k = 0; k < n; ++k) nlp.scale.push_back(objective.size_of(k, start[k]));
  for (std::size_t k = 0; k < n; ++k) nlp.start.push_back(std::clamp(start[k], box.lower[k], box.upper[k]));
  nlp.role.assign(n, nlp::VariableRole::parameter);
  nlp.interval.assign(n, nlp::global);
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t c = 0; c <= r; ++c) {
      nlp.hessian.row.push_back(static_cast<std::int32_t>(r));
      nlp.hessian.col.push_back(static_cast<std::int32_t>(c));
    }
  nlp.gauss_newton = nlp.hessian;
  nlp.functions = &functions;
  return nlp;
}

}  // namespace

double EstimatorObjective::size_of(std::size_t parameter, double start) const {
  bool linear = estimator_.estimation().parameters[parameter].scale == Scale::lin;
  return linear && start != 0 ? std::abs(start) : box_.size[parameter];
}

double EstimatorObjective::open_variance() const {
  const Estimation& e = estimator_.estimation();
  bool any = std::any_of(e.observables.begin(), e.observables.end(), [](const Observable& o) { return o.is_open; });
  return any && !e.holds_noise ? e.open_variance : 0;
}

bool EstimatorObjective::has_kinks() const {
  const std::vector<Observable>& observables = estimator_.estimation().observables;
  return std::any_of(observables.begin(), observables.end(), [](const Observable& o) { return o.noise == Noise::laplace; });
}

namespace {

LocalFit minimise_smooth(FitObjective& objective, const Box& box, std::span<const double> start, nlp::EngineOptions options,
                         Order order) {
  constexpr double jumps = 1e-8, nothing = 1e-12;  // of integrations whose steps are others; in units of the likelihood
  options.noise = std::max(options.noise, jumps);
  if (options.hessian != nlp::Hessian::lbfgs)
    options.least_gain = std::max(options.least_gain, std::min(nothing, options.tol * options.tol));
  LocalFit fit;
  ObjectiveFunctions functions(objective, options.hessian, start);
  nlp::Nlp nlp = program_of(objective, box, start, functions);
  nlp::Report report = nlp::solve(nlp, options);
  fit.status = report.status;
  fit.message = report.message;
  fit.iterations = report.iterations;
  if (fit.status == nlp::Status::evaluation_error && !functions.trouble().empty()) fit.message = functions.trouble();
  fit.theta = report.iterate.w.empty() ? nlp.start : report.iterate.w;
  fit.z_lower = report.iterate.z_lower;
  fit.z_upper = report.iterate.z_upper;
  if (report.status == nlp::Status::bad_option || objective.evaluate(fit.theta, order, fit.at)) return fit;
  if (nlp::is_solution(fit.status)) fit.status = nlp::Status::evaluation_error;
  fit.message = fit.at.trouble.text.empty() ? fit.message : fit.at.trouble.text;
  return fit;
}

LocalFit minimise_rounded(FitObjective& objective, const Box& box, std::span<const double> start,
                          const nlp::EngineOptions& options, Order order) {
  if (!objective.has_kinks()) return minimise_smooth(objective, box, start, options, order);
  LocalFit fit;
  int iterations = 0;
  std::vector<double> from(start.begin(), start.end());
  for (double width = 1; width > 0.5e-5; width *= 0.1) {
    objective.round_kinks(width);
    LocalFit next = minimise_smooth(objective, box, from, options, Order::value);
    iterations += next.iterations;
    bool solved = nlp::is_solution(next.status);
    if (width == 1 || solved) {
      fit = std::move(next);
      from = fit.theta;
    }
    if (!solved && width > 1e-3 && nlp::is_solution(fit.status)) fit.status = nlp::Status::acceptable;
    if (!solved) break;
  }
  objective.round_kinks(0);
  fit.iterations = iterations;
  if (fit.status != nlp::Status::bad_option && !objective.evaluate(fit.theta, order, fit.at) &&
      nlp::is_solution(fit.status)) {
    fit.status = nlp::Status::evaluation_error;
    fit.message = fit.at.trouble.text;
  }
  return fit;
}

/// Errors of the integration are no progress.
/// @param errors  mean square, in standard deviations
nlp::EngineOptions as_resolved(nlp::EngineOptions options, double errors) {
  constexpr double most_gain = 1e-5, far = 10, most = 1;  // errors are some tolerances
  options.noise = std::max(options.noise, std::min(most, far * std::sqrt(errors)));
  options.least_gain = std::max(options.least_gain, std::min(most_gain, errors));
  return options;
}

/// With noise of this variance an engine ends where errors of the integration are all that is left of the slope.
nlp::EngineOptions as_resolved(const FitObjective& objective, nlp::EngineOptions options, const LocalFit& fit,
                               double variance) {
  constexpr double share = 0.5;
  const OpenNoise& open = fit.at.open;
  double errors = open.resolution / variance;
  options = as_resolved(std::move(options), errors);
  double steepest = 0;
  for (Eigen::Index k = 0; k < fit.at.fisher.rows(); ++k) {
    auto i = static_cast<std::size_t>(k);
    double size = objective.size_of(i, fit.theta[i]);
    steepest = std::max(steepest, fit.at.fisher(k, k) * size * size * open.variance / variance);
  }
  options.tol = std::max(options.tol, share * std::sqrt(steepest * open.weight * errors));
  return options;
}

/// Another fit from the end of one, with other noise, where it is no failure.
void go_on(LocalFit& fit, LocalFit next) {
  int iterations = fit.iterations + next.iterations;
  bool was_solved = fit.status == nlp::Status::solved,
       cut_short = next.status == nlp::Status::interrupted || next.status == nlp::Status::time_limit;
  if (next.at.good && (nlp::is_solution(next.status) || cut_short)) fit = std::move(next);
  if (was_solved && fit.status == nlp::Status::acceptable) fit.status = nlp::Status::solved;
  fit.iterations = iterations;
}

}  // namespace

LocalFit minimise(FitObjective& objective, const Box& box, std::span<const double> start, const nlp::EngineOptions& options,
                  Order order) {
  constexpr int most = 20;
  constexpr double near = 1e-3, resolved = 1e3;
  double variance = objective.open_variance();
  if (!(variance > 0)) return minimise_rounded(objective, box, start, as_resolved(options, objective.errors()), order);
  Order first = options.hessian == nlp::Hessian::gauss_newton ? Order::fisher : Order::value;
  objective.set_open_variance(variance);
  nlp::EngineOptions coarse = options;  // the noise is smaller than what values differ by: this is no end
  coarse.noise = std::max(options.noise, 1e-7);
  coarse.tol = std::max(options.tol, 1e-5);
  LocalFit fit = minimise_rounded(objective, box, start, coarse, first);
  for (int round = 0; round < most && fit.at.good && nlp::is_solution(fit.status); ++round) {
    const OpenNoise& open = fit.at.open;
    double told = std::max(open.likeliest(), resolved * open.resolution);
    if (round > 0 && std::abs(std::log(told / variance)) < near) break;
    nlp::EngineOptions on = as_resolved(objective, options, fit, told);
    objective.set_open_variance(variance = told);
    go_on(fit, minimise_rounded(objective, box, std::vector<double>(fit.theta), on, first));
  }
  if (!fit.at.good) return fit;
  objective.set_open_variance(fit.at.open.likeliest());
  if (!objective.evaluate(fit.theta, order, fit.at)) fit.status = nlp::Status::evaluation_error;
  return fit;
}

}  // namespace bolza::estimate
