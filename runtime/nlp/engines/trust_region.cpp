// SPDX-License-Identifier: Apache-2.0
// Few variables with bounds: a trust region with interior scaling, for fits.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/clock.h"
#include "runtime/nlp/engine_settings.h"
#include "runtime/nlp/engine_table.h"
#include "runtime/nlp/trust_region/bounded_step.h"
#include "runtime/nlp/trust_region/curvature.h"

namespace bolza::nlp {
namespace {

constexpr std::array trust_region_settings{
    EngineSetting{"hybrid", 0, 0, 0, "structured fraction none",
                  "what mends Gauss-Newton matrices: a secant approximation of what they lack, BFGS once they make steps of "
                  "one length, nothing"},
    EngineSetting{"switch_fraction", 0.8, 0, 1, "",
                  "hybrid = fraction: share of taken steps without a change of the radius"},
    EngineSetting{"radius", 1, 1e-10, 1e10, "", "of the trust region at first, in scaled variables"},
    EngineSetting{
        "least_decrease", 0, 0, 1, "",
        "ends where the model predicts less than this share of |objective|; raise it to the noise of the objective"},
};

double setting_of(const EngineOptions& options, std::string_view name) {
  return number_of(trust_region_settings, options.engine_options, name);
}

HybridRule rule_of(const EngineOptions& options) {
  std::string word = word_of(trust_region_settings, options.engine_options, "hybrid");
  return word == "structured" ? HybridRule::structured : word == "fraction" ? HybridRule::fraction : HybridRule::none;
}

Eigen::VectorXd dense_of(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// Coleman and Li's interior trust-region method [CL1996]: exact steps in variables that are scaled by their distance from
/// the bounds, reflected there, and a ratio of actual and predicted decrease that has the scaling's own curvature in it.
class TrustRegionIteration {
 public:
  TrustRegionIteration(const Nlp& nlp, const EngineOptions& options, const Iterate& start)
      : nlp_(nlp),
        options_(options),
        curvature_(nlp, options.hessian, rule_of(options), setting_of(options, "switch_fraction")),
        lower_(dense_of(nlp.lower)),
        upper_(dense_of(nlp.upper)),
        w_(dense_of(start.w).cwiseMax(lower_).cwiseMin(upper_)),
        least_decrease_(setting_of(options, "least_decrease")),
        radius_(setting_of(options, "radius")) {}

  Report run();

 private:
  bool value_at(const Eigen::VectorXd& w, double& f);
  bool gradient_at(const Eigen::VectorXd& w, Eigen::VectorXd& g);
  void leave_bounds();
  double slope_error(Eigen::Index i, double w, double g) const;
  double error_at(const Eigen::VectorXd& w, const Eigen::VectorXd& g) const;
  bool stop(Report& report);
  bool take(const Eigen::VectorXd& tried, double f);
  bool find_step();
  double noise_of(const Eigen::VectorXd& step) const;
  bool is_idle();
  bool try_step();
  void onto_bounds();
  Report finish(Report report, Status status, std::string message);

  const Nlp& nlp_;
  const EngineOptions& options_;
  Curvature curvature_;
  AffineScaling scaling_;
  BoundedStep bounded_;
  Eigen::VectorXd lower_, upper_, w_, g_, step_, tried_, next_g_, change_;
  static constexpr double most_of_long = 1e-8;  // noise
  double f_ = 0, error_ = 0, predicted_ = 0, least_decrease_, radius_, least_error_ = INFINITY;
  bool finite_ = true, is_settled_ = false;
  int failures_ = 0, idle_ = 0;
  Clock::time_point begin_ = Clock::now();
  double seconds_evaluation_ = 0;
};

bool TrustRegionIteration::value_at(const Eigen::VectorXd& w, double& f) {
  Clock::time_point begin = Clock::now();
  nlp_.functions->move_to({w.data(), static_cast<std::size_t>(w.size())});
  bool finite = nlp_.functions->objective(f) && std::isfinite(f);
  seconds_evaluation_ += seconds_since(begin);
  return finite;
}

bool TrustRegionIteration::gradient_at(const Eigen::VectorXd& w, Eigen::VectorXd& g) {
  Clock::time_point begin = Clock::now();
  nlp_.functions->move_to({w.data(), static_cast<std::size_t>(w.size())});
  const double* values = nlp_.functions->gradient();
  if (values) g = Eigen::Map<const Eigen::VectorXd>(values, w.size());
  seconds_evaluation_ += seconds_since(begin);
  return values && g.allFinite();
}

/// Stationarity, or what multiplier and distance make where the slope points to a bound that is near.
double TrustRegionIteration::slope_error(Eigen::Index i, double w, double g) const {
  return std::abs(g) * std::min(1.0, g > 0 ? w - lower_[i] : upper_[i] - w);
}

double TrustRegionIteration::error_at(const Eigen::VectorXd& w, const Eigen::VectorXd& g) const {
  double worst = 0;
  for (Eigen::Index i = 0; i < w.size(); ++i) worst = std::max(worst, slope_error(i, w[i], g[i]));
  return worst;
}

/// A start on a bound against which it is pushed would stay there for long: a little inside.
void TrustRegionIteration::leave_bounds() {
  constexpr double share = 1e-2;
  tried_ = w_;
  for (Eigen::Index i = 0; i < w_.size(); ++i) {
    double room = share * std::min(1.0, upper_[i] - lower_[i]);
    tried_[i] = std::clamp(w_[i], lower_[i] + room, upper_[i] - room);
  }
  double f = 0;
  if (tried_ == w_) return;
  if (value_at(tried_, f) && gradient_at(tried_, next_g_)) {
    w_ = tried_;
    f_ = f;
    g_ = next_g_;
  } else gradient_at(w_, g_);  // the functions stand there again
}

Report TrustRegionIteration::finish(Report report, Status status, std::string message) {
  report.status = status;
  report.message = std::move(message);
  report.objective = f_;
  report.seconds_evaluation = seconds_evaluation_;
  report.iterate.w.assign(w_.begin(), w_.end());
  report.iterate.z_lower.assign(nlp_.n(), 0);
  report.iterate.z_upper.assign(nlp_.n(), 0);
  for (Eigen::Index i = 0; i < g_.size(); ++i) {
    if (g_[i] > 0 && w_[i] - lower_[i] < 1) report.iterate.z_lower[static_cast<std::size_t>(i)] = g_[i];
    if (g_[i] < 0 && upper_[i] - w_[i] < 1) report.iterate.z_upper[static_cast<std::size_t>(i)] = -g_[i];
  }
  return report;
}

bool TrustRegionIteration::stop(Report& report) {
  double seconds = seconds_since(begin_);
  if (options_.progress) options_.progress(options_.progress_context, {report.iterations, f_, 0, error_, seconds});
  if (options_.budget.over()) {
    report = finish(std::move(report), Status::time_limit, "time limit reached");
    return true;
  }
  if (options_.budget.interrupted()) {
    report = finish(std::move(report), Status::interrupted, "stopped on request");
    return true;
  }
  return false;
}

/// The solution lies inside by what the tolerance allows: variables with a multiplier larger than their distance go onto
/// their bounds, where that is no worse.
void TrustRegionIteration::onto_bounds() {
  constexpr double rounding = 1e-15;
  tried_ = w_;
  for (Eigen::Index i = 0; i < w_.size(); ++i) {
    double bound = g_[i] > 0 ? lower_[i] : upper_[i];
    if (std::abs(w_[i] - bound) < std::min(1e-3, std::abs(g_[i]))) tried_[i] = bound;
  }
  double f = 0;
  if (tried_ == w_ || !value_at(tried_, f) || f > f_ + rounding * (1 + std::abs(f_))) return;
  if (!gradient_at(tried_, next_g_) || error_at(tried_, next_g_) > std::max(options_.tol, error_)) return;
  w_ = tried_;
  g_ = next_g_;
  f_ = f;
}

/// Derivatives at the new point. False: one was not finite, and the iterate stays where it was.
bool TrustRegionIteration::take(const Eigen::VectorXd& tried, double f) {
  if (!gradient_at(tried, next_g_)) return false;
  change_ = next_g_ - g_;
  Clock::time_point begin = Clock::now();
  bool finite = curvature_.advance(step_, change_);
  seconds_evaluation_ += seconds_since(begin);
  if (!finite) return false;
  w_ = tried;
  f_ = f;
  g_ = next_g_;
  return true;
}

/// The step of the model; false: it promises nothing, even without what was learned of the curvature.
bool TrustRegionIteration::find_step() {
  constexpr double keep = 0.95, nothing = 1e-20, inside = 0.9, brief = 1e-2;
  do {
    scaling_.set(w_, g_, curvature_.matrix(), lower_, upper_);
    bool computed = bounded_.compute(scaling_, lower_ - w_, upper_ - w_, radius_, std::max(keep, 1 - error_), step_);
    tried_ = (w_ + step_).cwiseMax(lower_).cwiseMin(upper_);
    predicted_ = computed ? -bounded_.predicted() : 0;
    is_settled_ = computed && predicted_ <= options_.least_gain && bounded_.scaled().norm() < inside * radius_ &&
                  step_.lpNorm<Eigen::Infinity>() < brief;
    if (is_settled_) return false;
    if (predicted_ > nothing + least_decrease_ * std::abs(f_) && tried_ != w_) return true;
  } while (curvature_.forget());
  return false;
}

/// Of the objective, over 1 + its size. What a long step changes is no noise: valleys are flat, and curved.
double TrustRegionIteration::noise_of(const Eigen::VectorXd& step) const {
  constexpr double brief = 1e-4;
  return step.lpNorm<Eigen::Infinity>() < brief ? options_.noise : std::min(options_.noise, most_of_long);
}

/// Steps within the noise of the objective that do not lower the slope any more.
bool TrustRegionIteration::is_idle() {
  constexpr int most = 20;
  constexpr double share = 0.5;
  bool better = error_ < share * least_error_;
  if (better) least_error_ = error_;
  idle_ = better || predicted_ > std::min(options_.noise, most_of_long) * (1 + std::abs(f_)) ? 0 : idle_ + 1;
  return idle_ > most;
}

/// Evaluates the step, takes it where it is good, and sets the radius. False: the last of many failures.
bool TrustRegionIteration::try_step() {
  constexpr double poor = 0.25, good = 0.75, near = 0.9, growth = 2, shrink = 0.25;
  constexpr int most_failures = 60;
  double f = 0, length = bounded_.scaled().norm(), radius = radius_, noise = noise_of(step_) * (1 + std::abs(f_));
  finite_ = value_at(tried_, f);
  double bend = 0.5 * bounded_.scaled().dot(scaling_.bounds.cwiseProduct(bounded_.scaled()));
  double ratio = finite_ ? (f_ - f - bend) / predicted_ : -1;
  if (finite_ && predicted_ <= noise && std::abs(f - f_) <= noise) ratio = 0.5;  // noise says nothing of the model
  if (ratio < poor) radius_ = shrink * std::min(radius_, length);
  else if (ratio > good && length > near * radius_) radius_ = growth * radius_;
  bool taken = ratio > 0 && f <= f_ + noise;
  if (finite_) curvature_.judge(step_, g_, f - f_, taken, radius == radius_);
  if (taken && !take(tried_, f)) {
    taken = false;
    radius_ = shrink * length;
  }
  failures_ = taken ? 0 : failures_ + 1;
  return failures_ < most_failures;
}

Report TrustRegionIteration::run() {
  constexpr double diverged = 1e20;
  Report report;
  if (!value_at(w_, f_) || !gradient_at(w_, g_))
    return finish(std::move(report), Status::evaluation_error, "a value at the start was not finite");
  error_ = error_at(w_, g_);
  if (!options_.warm_start && error_ > options_.tol) leave_bounds();
  if (!curvature_.start())
    return finish(std::move(report), Status::evaluation_error, "a second derivative at the start was not finite");
  for (;;) {
    error_ = error_at(w_, g_);
    if (stop(report)) return report;
    if (error_ <= options_.tol) {
      onto_bounds();
      return finish(std::move(report), Status::solved, "solved");
    }
    if (report.iterations >= options_.max_iterations)
      return finish(std::move(report), Status::iteration_limit, "iteration limit reached");
    if (f_ < -diverged || w_.lpNorm<Eigen::Infinity>() > diverged)
      return finish(std::move(report), Status::diverging, "the iterates diverge");
    if (!find_step() || is_idle()) {
      onto_bounds();
      if (is_settled_) return finish(std::move(report), Status::solved, "solved");
      return finish(std::move(report), Status::acceptable, "no step lowers the objective by more than rounding");
    }
    ++report.iterations;
    if (!try_step())
      return finish(std::move(report), finite_ ? Status::failed : Status::evaluation_error, "the steps became too small");
  }
}

}  // namespace

extern const Engine trust_region;
const Engine trust_region{.name = "trust-region",
                          .description =
                              "trust region with interior scaling for few variables with bounds and no "
                              "constraints; Gauss-Newton with secant updates, BFGS or exact Hessian",
                          .exact_hessian = true,
                          .lbfgs = true,
                          .gauss_newton = true,
                          .constraints = false,
                          .dense = true,
                          .available = [] { return true; },
                          .solve = [](const Nlp& nlp, const EngineOptions& options,
                                      const Iterate& start) { return TrustRegionIteration(nlp, options, start).run(); },
                          .settings = trust_region_settings};

}  // namespace bolza::nlp
