// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/steps/one_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/expects.h"
#include "runtime/integrate/failure.h"
#include "runtime/nonlinear/initialise.h"

namespace bolza::integrate {
namespace {

using Part = nonlinear::ModelAt::Part;

class OneStepIntegrator final : public Integrator {
 public:
  OneStepIntegrator(const Setup& setup, const MakeOneStep& make)
      : setup_(setup),
        model_(setup),
        method_(make(model_)),
        fixed_(setup.options.fixed_step),
        limit_(setup.options.max_step > 0 ? setup.options.max_step : std::numeric_limits<double>::infinity()) {}

  SimulateStatus start(const State& state, double stop) override {
    record_.end = state;
    stop_ = stop;
    method_->restart(state, stop - state.t);
    if (fixed_ > 0) h_ = fixed_;
    else if (setup_.options.initial_step > 0 && !(h_ > 0)) h_ = setup_.options.initial_step;
    else if (!(h_ > 0)) h_ = method_->first_step(state, std::min(limit_, stop - state.t));
    return SimulateStatus::finished;
  }

  SimulateStatus step(double& reached) override {
    std::swap(record_.begin, record_.end);
    record_.rejections = 0;
    for (;;) {
      double left = stop_ - record_.begin.t, own = fixed_ > 0 ? fixed_ : listed(h_);
      double planned = std::min({own, listed(longest()), method_->longest_step(), left});
      bool last = left <= planned * (1 + 1e-10);
      if (!last && fixed_ <= 0 && left < 2 * planned) planned = 0.5 * left;  // no tiny step at the end
      record_.h = last ? left : planned;
      OneStepMethod::Advance outcome = record_.h > 0 ? method_->advance(record_) : OneStepMethod::Advance::diverged;
      bool passed = outcome == OneStepMethod::Advance::done && (fixed_ > 0 || record_.error <= 1);
      if (passed) {
        record_.end.t = reached = last ? stop_ : record_.begin.t + record_.h;
        if (fixed_ <= 0)
          h_ = last && record_.h < 0.5 * h_ ? h_ : method_->next_step(record_, true);  // a cut step says little
        return SimulateStatus::finished;
      }
      ++record_.rejections;
      if (outcome == OneStepMethod::Advance::done) ++setup_.report.error_failures;
      else ++setup_.report.convergence_failures;
      if (SimulateStatus s = shorten(outcome); s != SimulateStatus::finished) return s;
    }
  }

  SimulateStatus at(double t, State& state) override {
    if (t == record_.end.t) {
      state = record_.end;
      return SimulateStatus::finished;
    }
    if (method_->interpolate(record_, t, state)) return SimulateStatus::finished;
    report_nonfinite(setup_.model, setup_.report, t);
    return SimulateStatus::nonfinite;
  }

  void limit_step(double h) override { delay_limit_ = h; }
  const StepRecord* record() const override { return &record_; }
  StepTape* tape() override { return method_->tape(); }
  const StepScheme* scheme() const override { return method_->scheme(); }

 private:
  // Kept steps are the stretch times a power of 2^(1/4), rounded down.
  double listed(double h) const {
    if (!setup_.keep_steps || !std::isfinite(h) || !(h > 0)) return h;
    return setup_.stretch * std::exp2(std::floor(4 * std::log2(h / setup_.stretch) + 1e-6) / 4);
  }
  double longest() const { return std::min(limit_, delay_limit_); }

  SimulateStatus shorten(OneStepMethod::Advance outcome) {
    bool done = outcome == OneStepMethod::Advance::done;
    h_ = done ? method_->next_step(record_, false) : 0.5 * record_.h;
    double t = record_.begin.t,
           least = std::max(setup_.options.min_step, 16 * std::numeric_limits<double>::epsilon() * std::fabs(t));
    if (fixed_ <= 0 && h_ > std::max(least, 1e-300) && record_.rejections < 200) return SimulateStatus::finished;
    record_.end = record_.begin;
    if (outcome == OneStepMethod::Advance::not_finite) {
      report_nonfinite(setup_.model, setup_.report, t);
      return SimulateStatus::nonfinite;
    }
    SimulateStatus status = done ? SimulateStatus::error_test : SimulateStatus::convergence;
    std::vector<double> change, weight;  // what moved most in the attempt stands for the error
    model_.rates(t, record_.begin.x.data(), record_.begin.z.data(), rows_of(change));
    change.resize(model_.n_x);
    for (std::size_t i = 0; i < model_.n_x; ++i) weight.push_back(model_.weight_x(i, record_.begin.x[i], 0) * record_.h);
    report_worst(setup_, status, t, record_.h, change, weight);
    return status;
  }

  std::span<double> rows_of(std::vector<double>& rows) const {
    rows.resize(model_.n_x + model_.n_q);
    return rows;
  }

  const Setup& setup_;
  OneStepModel model_;
  std::unique_ptr<OneStepMethod> method_;
  StepRecord record_;
  double fixed_, limit_, delay_limit_ = std::numeric_limits<double>::infinity();
  double h_ = 0, stop_ = 0;
};

}  // namespace

OneStepModel::OneStepModel(const Setup& s)
    : setup(s),
      model(s.model.model()),
      n_x(model.n_x),
      n_z(model.n_z),
      n_q(model.n_q),
      u_(model.n_u) {}

std::vector<double>& OneStepModel::inputs(double t, const double* x, const double* z) {
  setup.input_evaluator.at(t, x, z, u_);
  return u_;
}

bool OneStepModel::rates(double t, const double* x, const double* z, std::span<double> rows) {
  ++setup.report.evaluations;
  return setup.model.value(Part::rates, {t, x, z, inputs(t, x, z).data()}, rows);
}

bool OneStepModel::residuals(double t, const double* x, const double* z, std::span<double> rows) {
  return rows.empty() || setup.model.value(Part::residuals, {t, x, z, inputs(t, x, z).data()}, rows);
}

bool OneStepModel::solve(double t, std::span<const double> x, std::vector<double>& z) {
  if (!n_z) return true;
  inputs(t, x.data(), z.data());
  nonlinear::NewtonReport report = nonlinear::solve_algebraics(setup.model, t, x, u_, z);
  not_finite = report.status == nonlinear::NewtonReport::Status::not_finite;
  return report.converged();
}

double OneStepModel::weight_x(std::size_t i, double a, double b) const {
  return 1 / (setup.atol_x[i] + setup.rtol * std::max(std::fabs(a), std::fabs(b)));
}

double OneStepModel::weight_z(std::size_t i, double a, double b) const {
  return 1 / (setup.atol_z[i] + setup.rtol * std::max(std::fabs(a), std::fabs(b)));
}

double OneStepModel::first_step(const State& s, double longest, int order) {
  std::vector<double> first(n_x + n_q), second(n_x + n_q), x = s.x;
  double size = 0, slope = 0, bend = 0;
  if (!rates(s.t, s.x.data(), s.z.data(), first)) return 1e-6 * longest;
  for (std::size_t i = 0; i < n_x; ++i) {
    double w = weight_x(i, s.x[i], s.x[i]);
    size += std::pow(s.x[i] * w, 2);
    slope += std::pow(first[i] * w, 2);
  }
  double scale = 1 / std::sqrt(static_cast<double>(std::max<std::size_t>(n_x, 1)));
  size = std::sqrt(size) * scale;
  slope = std::sqrt(slope) * scale;
  double h = size < 1e-5 || slope < 1e-5 ? 1e-6 * longest : std::min(0.01 * size / slope, longest);
  for (std::size_t i = 0; i < n_x; ++i) x[i] += h * first[i];
  if (!rates(s.t + h, x.data(), s.z.data(), second)) return 1e-3 * h;
  for (std::size_t i = 0; i < n_x; ++i) bend += std::pow((second[i] - first[i]) * weight_x(i, s.x[i], s.x[i]), 2);
  bend = std::sqrt(bend) * scale / h;
  double steepest = std::max(slope, bend),
         next = steepest <= 1e-15 ? 1e-3 * h : std::pow(0.01 / steepest, 1.0 / (order + 1));
  return std::min({100 * h, next, longest});
}

double share_of_defect(double theta) {
  constexpr double a = 5.0625, b = -13.5, g = -101.25;  // c' = (1/4 − s²) (a + b s + g s²), s = θ − 1/2
  auto integral = [](double s) {
    double s2 = s * s;
    return s * (a / 4 + s2 * ((g / 4 - a) / 3 - s2 * g / 5)) + s2 * b * (0.125 - s2 / 4);
  };
  return integral(theta - 0.5) - integral(-0.5);
}

std::unique_ptr<Integrator> make_one_step(const Setup& setup, const MakeOneStep& make) {
  return std::make_unique<OneStepIntegrator>(setup, make);
}

}  // namespace bolza::integrate
