// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/steps/explicit_runge_kutta.h"

#include <algorithm>
#include <cmath>

namespace bolza::integrate {
namespace {

class ExplicitRungeKutta final : public OneStepMethod {
 public:
  ExplicitRungeKutta(OneStepModel& model, const ExplicitTableau& tableau)
      : model_(model),
        table_(tableau),
        width_(model.n_x + model.n_q) {}

  void restart(const State&, double) override { last_.clear(); }

  Advance advance(StepRecord& r) override {
    std::size_t s = table_.stages, nx = model_.n_x, nz = model_.n_z;
    r.stage_x.resize(s * nx);
    r.stage_z.resize(s * nz);
    r.slope.resize(s * width_);
    std::vector<double> z = r.begin.z, x(nx);
    for (std::size_t i = 0; i < s; ++i) {
      double t = r.begin.t + table_.c[i] * r.h;
      std::span<double> slope(r.slope.data() + i * width_, width_);
      for (std::size_t k = 0; k < nx; ++k) {
        double sum = 0;
        for (std::size_t j = 0; j < i; ++j) sum += table_.a[i * s + j] * r.slope[j * width_ + k];
        x[k] = r.begin.x[k] + r.h * sum;
      }
      if (i > 0 && !model_.solve(t, x, z)) return model_.not_finite ? Advance::not_finite : Advance::diverged;
      std::copy(x.begin(), x.end(), r.stage_x.begin() + static_cast<std::ptrdiff_t>(i * nx));
      std::copy(z.begin(), z.end(), r.stage_z.begin() + static_cast<std::ptrdiff_t>(i * nz));
      if (i == 0 && last_.size() == width_) std::copy(last_.begin(), last_.end(), slope.begin());
      else if (!model_.rates(t, x.data(), z.data(), slope)) return Advance::not_finite;
    }
    r.end.t = r.begin.t + r.h;
    r.end.x = x;
    r.end.z = z;
    r.end.q = r.begin.q;
    const double* b = &table_.a[(s - 1) * s];
    for (std::size_t k = 0; k < model_.n_q; ++k)
      for (std::size_t j = 0; j + 1 < s; ++j) r.end.q[k] += r.h * b[j] * r.slope[j * width_ + nx + k];
    r.error = error_of(r);
    inside_ = Inside::not_looked_at;
    return std::isfinite(r.error) ? Advance::done : Advance::not_finite;
  }

  bool interpolate(const StepRecord& r, double t, State& state) override {
    if (!table_.dense.empty() && inside_ == Inside::not_looked_at)
      inside_ = look_inside(r) ? Inside::known : Inside::unknown;
    double theta = (t - r.begin.t) / r.h;
    if (!of_tableau(r, theta, state)) return false;
    if (inside_ != Inside::known) return true;
    double first = share_of_defect(theta), second = -share_of_defect(1 - theta);
    for (std::size_t k = 0; k < width_; ++k)
      (k < model_.n_x ? state.x[k] : state.q[k - model_.n_x]) += first * defect_[k] + second * defect_[width_ + k];
    return !model_.n_z || model_.solve(t, state.x, state.z);
  }

  // PI controller [HNW, II.4; HW, IV.2].
  double next_step(const StepRecord& r, bool accepted) override {
    double error = std::max(r.error, 1e-10), exponent = 1.0 / (std::min(table_.order, table_.error_order) + 1);
    double factor = std::pow(error, exponent - 0.75 * table_.damping);
    if (!accepted) return r.h / std::min(5.0, std::pow(error, exponent) / 0.9);
    factor = std::clamp(factor / std::pow(before_, table_.damping) / 0.9, 0.1, 5.0);
    before_ = std::max(error, 1e-4);
    last_.assign(r.slope.end() - static_cast<std::ptrdiff_t>(width_), r.slope.end());
    return r.rejections ? std::min(r.h, r.h / factor) : r.h / factor;
  }

  double first_step(const State& state, double longest) override {
    return model_.first_step(state, longest, std::min(table_.order, table_.error_order));
  }

 private:
  enum class Inside : std::uint8_t { not_looked_at, known, unknown };

  // The state at θ by the dense output of the tableau.
  bool of_tableau(const StepRecord& r, double theta, State& state) {
    std::size_t s = table_.stages;
    std::vector<double> weight(s);
    for (std::size_t i = 0; i < s; ++i) weight[i] = r.h * dense_weight(i, theta);
    auto sum = [&](std::size_t k) {
      double total = 0;
      for (std::size_t i = 0; i < s; ++i) total += weight[i] * r.slope[i * width_ + k];
      return total;
    };
    state.t = r.begin.t + theta * r.h;
    state.x = r.begin.x;
    state.q = r.begin.q;
    for (std::size_t k = 0; k < model_.n_x; ++k) state.x[k] += sum(k);
    for (std::size_t k = 0; k < model_.n_q; ++k) state.q[k] += sum(model_.n_x + k);
    state.z.clear();
    if (!model_.n_z) return true;
    state.z = r.end.z;
    return model_.solve(state.t, state.x, state.z);
  }

  // Its defects, h (f − slope), at two places. False: something is not finite there.
  bool look_inside(const StepRecord& r) {
    std::size_t s = table_.stages;
    State at;
    defect_.assign(2 * width_, 0);
    for (std::size_t place = 0; place < 2; ++place) {
      double theta = looked_inside_at[place];
      std::span<double> defect(defect_.data() + place * width_, width_);
      if (!of_tableau(r, theta, at) || !model_.rates(at.t, at.x.data(), at.z.data(), defect)) return false;
      for (std::size_t k = 0; k < width_; ++k) {
        for (std::size_t i = 0; i < s; ++i) defect[k] -= dense_slope(i, theta) * r.slope[i * width_ + k];
        defect[k] *= r.h;
      }
    }
    return true;
  }

  // y(θ) = y0 + h Σ weight_i k_i.
  double dense_weight(std::size_t i, double s) const {
    std::size_t n = table_.stages;
    double b = i + 1 < n ? table_.a[(n - 1) * n + i] : 0, first = i == 0, last = i + 1 == n, r = 1 - s;
    double d = table_.dense.empty() ? 0 : table_.dense[i];
    return s * b + s * r * (first - b) + s * s * r * (2 * b - first - last) + s * s * r * r * d;
  }

  // weight_i'.
  double dense_slope(std::size_t i, double s) const {
    std::size_t n = table_.stages;
    double b = i + 1 < n ? table_.a[(n - 1) * n + i] : 0, first = i == 0, last = i + 1 == n;
    return b + (1 - 2 * s) * (first - b) + s * (2 - 3 * s) * (2 * b - first - last) +
           2 * s * (1 - s) * (1 - 2 * s) * table_.dense[i];
  }

  double error_of(const StepRecord& r) const {
    double total = 0;
    for (std::size_t k = 0; k < model_.n_x; ++k) {
      double e = 0;
      for (std::size_t i = 0; i < table_.stages; ++i) e += table_.error[i] * r.slope[i * width_ + k];
      total += std::pow(r.h * e * model_.weight_x(k, r.begin.x[k], r.end.x[k]), 2);
    }
    std::size_t count = model_.n_x;
    if (model_.setup.options.quadrature_error_control > 0)
      for (std::size_t k = 0; k < model_.n_q; ++k, ++count) {
        double e = 0;
        for (std::size_t i = 0; i < table_.stages; ++i) e += table_.error[i] * r.slope[i * width_ + model_.n_x + k];
        total += std::pow(r.h * e / (model_.setup.atol_q[k] + model_.setup.rtol * std::fabs(r.end.q[k])), 2);
      }
    return std::sqrt(total / static_cast<double>(std::max<std::size_t>(count, 1)));
  }

  OneStepModel& model_;
  const ExplicitTableau& table_;
  std::size_t width_;
  std::vector<double> last_;    // slope at the end of the last accepted step
  std::vector<double> defect_;  // [2 × width] of the dense output in the last step
  Inside inside_ = Inside::not_looked_at;
  double before_ = 1e-4;  // its error
};

}  // namespace

RungeKuttaForm form_of(const ExplicitTableau& table) {
  std::size_t s = table.stages;
  std::vector<double> b(table.a.end() - static_cast<std::ptrdiff_t>(s), table.a.end());
  return {s, {table.a.begin(), table.a.end()}, std::move(b), {table.c.begin(), table.c.end()}, true};
}

std::unique_ptr<OneStepMethod> make_explicit_method(OneStepModel& model, const ExplicitTableau& tableau) {
  return std::make_unique<ExplicitRungeKutta>(model, tableau);
}

std::unique_ptr<Integrator> make_explicit(const Setup& setup, const ExplicitTableau& tableau) {
  return make_one_step(setup, [&tableau](OneStepModel& model) { return make_explicit_method(model, tableau); });
}

}  // namespace bolza::integrate
