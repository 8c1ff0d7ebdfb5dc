// SPDX-License-Identifier: Apache-2.0
// A segment on CVODES' steps: the adjoint of a recorded run whose functionals jump at samples, each from jump to jump. λ
// and, after it, the integrals by the inputs are one vector.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "runtime/integrate/segment/cvodes_internal.h"
#include "runtime/integrate/segment/step_newton_internal.h"

namespace bolza::integrate {

struct CvodesSegment::Back final : BdfEquations {
  CvodesSegment& w;
  Segment::Backward* of = nullptr;
  std::size_t n, count;
  BdfSteps steps;
  StepNewton newton;
  std::vector<double> x, f, at, least, input;  // [n] states at the point, [n], [n + count], [n + count], [inputs]

  explicit Back(CvodesSegment& segment)
      : w(segment),
        n(segment.n_x),
        count(segment.moving_inputs()),
        steps(*this, n + count),
        newton(n, transposed(segment.places_by_state()), segment.context_.get(), segment.options.method_options),
        x(n),
        f(n),
        at(n + count),
        least(n + count),
        input(segment.inputs()) {}

  static StepNewton::Places transposed(StepNewton::Places places) {
    for (auto& [row, col] : places) std::swap(row, col);
    return places;
  }

  void weigh(const double* y, double* weights) override {
    for (std::size_t i = 0; i < n + count; ++i) weights[i] = 1 / (w.options.rtol * std::fabs(y[i]) + least[i]);
  }

  // The larger root mean square of λ and of the integrals.
  double norm(const double* v, const double* weights) const override {
    auto mean = [&](std::size_t first, std::size_t numbers) {
      double sum = 0;
      for (std::size_t i = first; i < first + numbers; ++i) sum += v[i] * weights[i] * v[i] * weights[i];
      return sum / static_cast<double>(numbers);
    };
    double most = mean(0, n);
    if (count && w.options.method_options.quadrature_error_control > 0)
      if (double other = mean(n, count); !(other <= most)) most = other;
    return std::sqrt(most);
  }

  bool weigh_at(double s, const double* lambda, double* out) {
    if (!w.weigh(s, x, lambda, of->weight, false)) return false;
    for (std::size_t i = 0; i < n; ++i) out[i] = -w.times.length * w.gradient_[1 + i];
    return true;
  }

  bool rates(double s, const double* y, double* out) override {
    w.record_.at(s, x.data());
    return weigh_at(s, y, out) && w.input_rates(s, x, y, of->weight, {out + n, count});
  }

  bool correct(const Step& step) override {
    w.record_.at(step.s, x.data());
    auto rates_at = [&](const double* y) { return weigh_at(step.s, y, f.data()) ? f.data() : nullptr; };
    auto entries = [&](const auto& add) {
      if (!w.point_.move_to(step.s, x) || !w.point_.entries()) return false;
      const auto& places = w.model.rate_places();
      for (std::size_t e = 0; e < places.size(); ++e)
        if (w.by_state(places[e])) add(-w.times.length * w.point_.entry(e));
      return true;
    };
    if (!newton.solve(step, rates_at, entries) || !w.input_rates(step.s, x, step.y, of->weight, {step.e + n, count}))
      return false;
    for (std::size_t i = n; i < n + count; ++i) step.e[i] = step.gamma * step.e[i] - step.c * step.slope[i];
    return true;
  }

  // From s to `end`; λ moves there, the integrals go to the gradient.
  bool go(double s, double end) {
    std::vector<double>& lambda = of->lambda;
    auto is_zero = [](const std::vector<double>& v) {
      return std::all_of(v.begin(), v.end(), [](double e) { return e == 0; });
    };
    if (!(s - end > 1e-14) || (is_zero(lambda) && is_zero(of->weight))) return true;
    std::fill(at.begin(), at.end(), 0.0);
    std::copy(lambda.begin(), lambda.end(), at.begin());
    w.backward_tolerances(lambda, of->weight, share_of_weights(w.options.rtol), std::span(least).first(n), input);
    std::copy_n(input.begin(), count, least.begin() + static_cast<std::ptrdiff_t>(n));
    newton.forget();
    steps.begin(s, end, at.data(), w.step_options());
    for (long taken = 0; steps.reached() > end; ++taken)
      if (taken == w.options.max_steps || !steps.step()) return false;
    std::copy_n(steps.y(), n, lambda.begin());
    for (std::size_t k = 0; k < count; ++k) of->gradient[k] += steps.y()[n + k];
    return true;
  }

  // A sample is a moment in time: its share s of the segment moves when begin or length do.
  bool jump(std::span<const double> by, double s) {
    for (std::size_t i = 0; i < n; ++i) of->lambda[i] += by[i];
    if (!w.options.times_move) return true;
    w.record_.at(s, x.data());
    if (!w.point_.move_to(s, x) || !w.point_.rates()) return false;
    double rate = std::inner_product(by.begin(), by.end(), w.point_.rows().begin(), 0.0);
    of->gradient[w.begin_input()] -= rate;
    of->gradient[w.length_input()] -= s * rate;
    return true;
  }

  bool run(Segment::Backward& functional, std::span<const double> samples) {
    of = &functional;
    double reached = 1;
    for (std::size_t k = 0; k < samples.size(); ++k) {
      auto by = std::span<const double>(of->jumps).subspan(k * n, n);
      if (std::all_of(by.begin(), by.end(), [](double v) { return v == 0; })) continue;
      if (!go(reached, samples[k]) || !jump(by, samples[k])) return false;
      reached = std::min(reached, samples[k]);
    }
    return go(reached, 0);
  }
};

// What a run may leave of its steps before it is repeated piece by piece in the place of that.
bool CvodesSegment::keeps_steps() const {
  const MethodOptions& o = options.method_options;
  return steps_are_ours() && o.checkpoint_interpolation.empty() && !(o.checkpoint_steps > 0) && o.checkpoint_storage.empty();
}

void CvodesSegment::begin_record() {
  keeps_record_ = true;
  record_.clear(n_x);
  record_room_ = Checkpoints(options.method_options).allowance() / 2;
}

bool CvodesSegment::forward_recorded(std::span<double> x, std::span<double> integrals) {
  Segment::Directions none;
  begin_record();
  bool ran = run_in_a_block(values_, x, integrals, none);
  bool fits = std::exchange(keeps_record_, false);
  has_record_ = ran && fits;
  return has_record_;
}

bool CvodesSegment::adjoint_recorded(std::span<Backward> functionals, std::span<const double> samples) {
  if (!back_) back_ = std::make_shared<Back>(*this);
  return std::all_of(functionals.begin(), functionals.end(),
                     [&](Backward& functional) { return back_->run(functional, samples); });
}

}  // namespace bolza::integrate
