// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/interior/solve.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "runtime/nlp/interior/restoration.h"

namespace bolza::nlp::interior {
namespace {

constexpr double largest_slope = 100;                                                 // that is not scaled down
constexpr double dual_tolerance = 1, row_tolerance = 1e-4, product_tolerance = 1e-4;  // of the unscaled problem

/// Moves v strictly between its sides [IPOPT, section 3.6].
double pushed(double v, double lower, double upper, double by, double share) {
  double width = upper - lower;  // infinite where a side is
  double below = std::min(by * std::max(1.0, std::fabs(lower)), share * width);
  double above = std::min(by * std::max(1.0, std::fabs(upper)), share * width);
  if (std::isfinite(lower)) v = std::max(v, lower + below);
  if (std::isfinite(upper)) v = std::min(v, upper - above);
  return v;
}

class Solver {
 public:
  Solver(const Nlp& nlp, const EngineOptions& options, const Iterate& start, const Settings& settings,
         const MakeFactors& make_factors)
      : make_factors_(make_factors),
        nlp_(nlp),
        options_(options),
        start_(start),
        settings_(settings),
        model_(nlp, options.hessian, options.hessian == Hessian::exact ? 1e-10 : 1e-8),
        monitor_(options, report_) {}

  Report run() {
    Exit exit = nlp_.n() == 0 ? only_point() : solve();
    report_.status = or_evaluation_limit(exit.status);
    report_.message = exit.message;
    report_.seconds_evaluation = model_.seconds();
    return std::move(report_);
  }

 private:
  Status or_evaluation_limit(Status status) const {
    return status == Status::evaluation_error ? or_limit(status, options_.budget) : status;
  }

  /// A problem without variables is solved by its only point.
  Exit only_point() {
    give(start_.w);
    nlp_.functions->move_to({});
    bool finite = nlp_.functions->objective(report_.objective);
    return finite ? Exit{Status::solved, "nothing is free"} : Exit{Status::evaluation_error, "a value was not finite"};
  }

  Exit solve() {
    constexpr Exit not_finite{Status::evaluation_error, "a value was not finite"};
    give(start_.w);
    if (!model_.choose_scales(start_.w, largest_slope, settings_.objective_factor)) return not_finite;
    const Pattern& hessian = second_pattern(nlp_, options_.hessian);
    std::unique_ptr<KktFactors> factors = make_factors_(hessian, report_.linear_algebra);
    StepSystem system(hessian, nlp_.jacobian, *factors);
    InteriorLoop loop(model_, nlp_.jacobian, system, monitor_, settings_);
    QuasiNewton quasi_newton(nlp_.n());
    if (options_.hessian == Hessian::lbfgs) loop.quasi_newton = &quasi_newton;
    std::unique_ptr<Restoration> restoration;
    loop.objective_scale = model_.objective_scale();
    loop.product_tolerance = product_tolerance * model_.objective_scale();
    loop.is_solved = [this](const InteriorPoint& point, const Errors& errors) { return holds_unscaled(point, errors); };
    loop.recover = [&] {
      if (!restoration)
        restoration = std::make_unique<Restoration>(model_, nlp_.jacobian, system, monitor_, settings_, loop);
      return restoration->run();
    };
    if (!begin(loop)) return not_finite;
    Exit exit = loop.run();
    take(loop);
    return exit;
  }

  bool is_warm() const {
    return options_.warm_start && start_.lambda.size() == nlp_.m() && start_.z_lower.size() == nlp_.n();
  }

  bool begin(InteriorLoop& loop) {
    constexpr double warm_push = 1e-9, warm_barrier = 1e-7;
    bool warm = is_warm();
    double by = warm ? warm_push : settings_.push, share = warm ? warm_push : settings_.push_share;
    std::vector<double> v(model_.N());
    for (std::size_t i = 0; i < nlp_.n(); ++i) v[i] = pushed(start_.w[i], model_.lower[i], model_.upper[i], by, share);
    if (!model_.rows_at({v.data(), nlp_.n()}, v.data() + nlp_.n())) return false;
    for (std::size_t i = nlp_.n(); i < v.size(); ++i) v[i] = pushed(v[i], model_.lower[i], model_.upper[i], by, share);
    double mu = options_.barrier > 0 ? options_.barrier : warm ? warm_barrier : settings_.mu_init;
    if (!loop.begin(v.data(), mu)) return false;
    if (warm) take_multipliers(loop, warm_push);
    else loop.estimate_lambda();
    return loop.refresh();
  }

  void take_multipliers(InteriorLoop& loop, double least) {
    InteriorPoint& point = loop.point();
    double f = model_.objective_scale();
    for (std::size_t r = 0; r < nlp_.m(); ++r) point.lambda[r] = start_.lambda[r] * f / model_.row_scale()[r];
    for (std::size_t s = 0; s < 2; ++s) {
      const BoundSide& side = loop.sides()[s];
      for (std::size_t k = 0; k < side.at.size(); ++k) {
        auto v = static_cast<std::size_t>(side.at[k]);
        double z = 0;
        if (v < nlp_.n()) z = (s == 0 ? start_.z_lower[v] : start_.z_upper[v]) * f;
        else z = -side.sign * point.lambda[static_cast<std::size_t>(model_.columns.row[v - nlp_.n()])];
        point.z[s][k] = std::max(least, z);
      }
    }
  }

  bool holds_unscaled(const InteriorPoint& point, const Errors& errors) const {
    double f = model_.objective_scale();
    if (errors.dual > dual_tolerance * f || errors.complementarity(0) > product_tolerance * f) return false;
    for (std::size_t r = 0; r < nlp_.m(); ++r)
      if (std::fabs(point.c[r]) > row_tolerance * model_.row_scale()[r]) return false;
    return true;
  }

  void give(const std::vector<double>& w) {
    report_.iterate.w = w;
    report_.iterate.lambda.assign(nlp_.m(), 0.0);
    report_.iterate.z_lower.assign(nlp_.n(), 0.0);
    report_.iterate.z_upper.assign(nlp_.n(), 0.0);
    report_.objective = std::nan("");
  }

  /// The loop's point in the problem's scaling, within its bounds.
  void take(InteriorLoop& loop) {
    const InteriorPoint& point = loop.point();
    double f = model_.objective_scale();
    Iterate& it = report_.iterate;
    for (std::size_t v = 0; v < nlp_.n(); ++v) it.w[v] = std::clamp(point.v[v], nlp_.lower[v], nlp_.upper[v]);
    for (std::size_t r = 0; r < nlp_.m(); ++r) it.lambda[r] = point.lambda[r] * model_.row_scale()[r] / f;
    for (std::size_t s = 0; s < 2; ++s) {
      const BoundSide& side = loop.sides()[s];
      std::vector<double>& z = s == 0 ? it.z_lower : it.z_upper;
      for (std::size_t k = 0; k < side.at.size(); ++k)
        if (auto v = static_cast<std::size_t>(side.at[k]); v < nlp_.n()) z[v] = point.z[s][k] / f;
    }
    report_.objective = point.f / f;
  }

  const MakeFactors& make_factors_;
  const Nlp& nlp_;
  const EngineOptions& options_;
  const Iterate& start_;
  const Settings& settings_;
  Report report_;
  ProblemModel model_;
  Monitor monitor_;
};

}  // namespace

Report solve(const Nlp& nlp, const EngineOptions& options, const Iterate& start, const Settings& settings,
             const MakeFactors& make_factors) {
  return Solver(nlp, options, start, settings, make_factors).run();
}

}  // namespace bolza::nlp::interior
