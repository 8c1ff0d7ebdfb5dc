// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/steps/tape_method.h"

#include <algorithm>
#include <cmath>

#include "runtime/integrate/index.h"

namespace bolza::integrate {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

class TapeMethod final : public OneStepMethod {
 public:
  TapeMethod(OneStepModel& model, const MakeScheme& make)
      : model_(model),
        reduced_(model.setup.model),
        steps_(reduced_,
               [this](double t, const double* x, const double* z, std::span<double> u, std::span<double> slope) {
                 if (slope.empty()) model_.setup.input_evaluator.at(t, x, z, u);
                 else model_.setup.input_evaluator.slope(t, x, z, slope);
               }),
        tape_(steps_, model.setup.keep_steps),
        scheme_(make(steps_, model.setup.options)) {
    tape_.forgets = !model.setup.keep_steps;
    steps_.set_input_series([this](double t, Eigen::MatrixXd& u) {
      std::vector<double> rows(static_cast<std::size_t>(u.size()));
      model_.setup.input_evaluator.expand(t, static_cast<std::size_t>(u.cols()), rows);
      for (Index i = 0; i < u.size(); ++i) u(i / u.cols(), i % u.cols()) = rows[static_cast<std::size_t>(i)];
    });
  }

  void restart(const State& state, double stretch) override {
    reduced_.start_from(state.z);
    VectorXd y(at(model_.n_x + model_.n_q));
    std::copy(state.x.begin(), state.x.end(), y.data());
    std::copy(state.q.begin(), state.q.end(), y.data() + model_.n_x);
    scheme_->restart({state.t, tape_.start(std::move(y))}, stretch);
    pending_ = false;
  }

  Advance advance(StepRecord& r) override {
    take(r);
    std::size_t evaluations = steps_.evaluations, jacobians = steps_.jacobians;
    if (!model_.setup.keep_steps) tape_.set_accuracy(scale_at(r.begin), newton_share);
    scheme_->begin(tape_);
    mark_ = tape_.mark();
    StepScheme::Step step = scheme_->write(tape_, r.h);
    tape_.end_step(step.end);
    r.newton = tape_.newton();
    model_.setup.report.evaluations += steps_.evaluations - evaluations;
    model_.setup.report.jacobians += steps_.jacobians - jacobians;
    model_.setup.report.newton_iterations += static_cast<std::size_t>(r.newton);
    pending_ = false;
    StepTape::Trouble trouble = tape_.trouble();
    if (trouble != StepTape::Trouble::none || !end_at(r, tape_[step.end.state])) {
      tape_.rewind(mark_);
      return trouble == StepTape::Trouble::diverged ? Advance::diverged : Advance::not_finite;
    }
    r.error = step.error.size() ? norm(step.error, r) : 0;
    scheme_->judge(r.error, step.lower.size() ? norm(step.lower, r) : NAN, step.higher.size() ? norm(step.higher, r) : NAN);
    pending_ = true;
    pending_end_ = r.begin.t + r.h;
    return std::isfinite(r.error) ? Advance::done : Advance::not_finite;
  }

  bool interpolate(const StepRecord& r, double t, State& state) override {
    VectorXd y = scheme_->interpolate(tape_, t);
    state.t = t;
    state.x.assign(y.data(), y.data() + model_.n_x);
    state.q.assign(y.data() + model_.n_x, y.data() + y.size());
    state.z = r.end.z;
    return model_.n_z == 0 || model_.solve(t, state.x, state.z);
  }

  double next_step(const StepRecord& r, bool accepted) override {
    double factor = scheme_->factor(r.error, accepted);
    return r.h * (accepted && r.rejections ? std::min(1.0, factor) : factor);
  }

  double first_step(const State& state, double longest) override {
    return model_.first_step(state, longest, std::max(1, scheme_->error_order()));
  }

  double longest_step() const override { return scheme_->longest_step(); }
  StepTape* tape() override { return &tape_; }
  const StepScheme* scheme() const override { return scheme_.get(); }

 private:
  static constexpr double newton_share = 1e-2;  // of the error test that the implicit equations may leave

  // The step that was written before was taken when this one begins at its end; else it is forgotten.
  void take(const StepRecord& r) {
    if (pending_ && std::fabs(r.begin.t - pending_end_) <= 1e-12 * std::max(r.h, std::fabs(pending_end_))) {
      scheme_->accept(tape_);
      if (tape_.forgets) tape_.forget_before(scheme_->oldest());
    } else if (pending_) {
      tape_.rewind(mark_);
    }
    pending_ = false;
  }

  VectorXd scale_at(const State& state) const {
    VectorXd scale(at(model_.n_x));
    for (std::size_t i = 0; i < model_.n_x; ++i) scale[at(i)] = model_.weight_x(i, state.x[i], state.x[i]);
    return scale;
  }

  bool end_at(StepRecord& r, const VectorXd& y) {
    r.end.t = r.begin.t + r.h;
    r.end.x.assign(y.data(), y.data() + model_.n_x);
    r.end.q.assign(y.data() + model_.n_x, y.data() + y.size());
    r.end.z = r.begin.z;
    return y.allFinite() && (model_.n_z == 0 || model_.solve(r.end.t, r.end.x, r.end.z));
  }

  double norm(const VectorXd& error, const StepRecord& r) const {
    double total = 0;
    std::size_t count = model_.n_x;
    for (std::size_t i = 0; i < model_.n_x; ++i)
      total += std::pow(error[at(i)] * model_.weight_x(i, r.begin.x[i], r.end.x[i]), 2);
    if (model_.setup.options.quadrature_error_control > 0)
      for (std::size_t k = 0; k < model_.n_q; ++k, ++count)
        total +=
            std::pow(error[at(model_.n_x + k)] / (model_.setup.atol_q[k] + model_.setup.rtol * std::fabs(r.end.q[k])), 2);
    return std::sqrt(total / static_cast<double>(std::max<std::size_t>(count, 1)));
  }

  OneStepModel& model_;
  ReducedModel reduced_;
  StepModel steps_;
  StepTape tape_;
  std::unique_ptr<StepScheme> scheme_;
  StepTape::Mark mark_{};
  bool pending_ = false;
  double pending_end_ = 0;
};

}  // namespace

double StepScheme::factor(double error, bool accepted) {
  double factor = 0.9 * std::pow(std::max(error, 1e-10), -1.0 / (error_order() + 1));
  return std::clamp(factor, 0.2, accepted ? 5.0 : 0.9);
}

std::unique_ptr<Integrator> make_tape_integrator(const Setup& setup, const MakeScheme& make) {
  return make_one_step(setup, [&make](OneStepModel& model) { return std::make_unique<TapeMethod>(model, make); });
}

VectorXd hermite(const VectorXd& y0, const VectorXd& f0, const VectorXd& y1, const VectorXd& f1, double h, double s) {
  double r = 1 - s;
  return r * y0 + s * y1 + s * r * ((2 * s - 1) * (y1 - y0) + (r * h) * f0 - (s * h) * f1);
}

}  // namespace bolza::integrate
