// A segment on a Runge–Kutta method: its error control chooses the steps, then the stages are solved to rounding, and
// derivatives are those of the numbers computed with the steps' lengths (as fractions of the segment) held.
#include <algorithm>

#include "runtime/integrate/one_step.h"
#include "runtime/integrate/runge_kutta_steps.h"
#include "runtime/integrate/segment_steps_internal.h"

namespace bolza::integrate {
namespace {

class RungeKuttaSegment final : public StepsSegment {
 public:
  RungeKuttaSegment(ReducedModel& model, const SegmentOptions& options)
      : StepsSegment(model, options),
        steps_(model.at(), options.method->runge_kutta(),
               [this](double t, std::span<double> u) { inputs_at(fraction_of(t), u, {}); }) {}

  bool forward(std::span<double> x, std::span<double> integrals) override {
    if (times.length == 0) return taken_.clear(), fraction_.clear(), true;
    if (taken_.empty() || !(repeats || near_chosen(x))) {
      taken_.clear(), fraction_.assign(1, 0.0);
      bool chosen = choose_steps(x, integrals.size(), [&](Integrator& integrator, double reached, bool last) {
        keep_step(*integrator.record());
        fraction_.push_back(last ? 1 : fraction_of(reached));
      });
      if (!chosen) return taken_.clear(), false;
    }
    for (std::size_t k = 0; k < taken_.size(); ++k) {
      taken_[k].t = times.begin + fraction_[k] * times.length;
      taken_[k].h = (fraction_[k + 1] - fraction_[k]) * times.length;
      if (!steps_.advance(taken_[k], x, integrals)) return false;
    }
    return true;
  }

  bool adjoint(std::span<double> lambda, std::span<double> out, std::span<const double> samples,
               std::vector<double>* at_samples) override {
    SampledCostates keep(samples, at_samples);
    keep(1, lambda);
    for (std::size_t k = taken_.size(); k-- > 0;) {
      double by_length = 0;
      if (!steps_.adjoint(taken_[k], lambda, weight, stages_, by_length)) return false;
      for (const auto& stage : stages_) add_point(fraction_of(stage.t), stage.by, {}, out);
      out[length_input()] += by_length * (fraction_[k + 1] - fraction_[k]);
      keep(fraction_[k], lambda);
    }
    keep(-1, lambda);
    return true;
  }

  bool tangent(std::span<double> x, std::span<double> integrals, Segment::Directions& along) override {
    RungeKuttaSteps::Directions d{along.x, along.q, {}, {}};
    if (!forward(x, integrals)) return false;
    for (std::size_t k = 0; k < taken_.size(); ++k) {
      d.length = (fraction_[k + 1] - fraction_[k]) * along.direct.row(static_cast<Eigen::Index>(length_input()));
      d.direct.clear();
      for (double c : steps_.form().c)
        d.direct.push_back(point_directions(fraction_of(taken_[k].t + c * taken_[k].h), along.direct));
      if (!steps_.tangent(taken_[k], d)) return false;
    }
    along.x = d.x, along.q = d.q;
    return d.x.allFinite() && d.q.allFinite();
  }

 private:
  /// The method's stages are the guesses of ours.
  void keep_step(const StepRecord& record) {
    std::size_t s = steps_.form().stages;
    RungeKuttaStep step{record.begin.t, record.h, {}, std::vector<double>(s * n_x), record.stage_z};
    for (std::size_t i = 0; i < s; ++i)
      std::copy_n(record.slope.begin() + static_cast<std::ptrdiff_t>(i * (n_x + n_q)), n_x,
                  step.K.begin() + static_cast<std::ptrdiff_t>(i * n_x));
    taken_.push_back(std::move(step));
  }

  RungeKuttaSteps steps_;
  std::vector<RungeKuttaStep> taken_;
  std::vector<double> fraction_;  // [steps + 1] of the ends of the steps
  std::vector<RungeKuttaSteps::StageGradient> stages_;
};

}  // namespace

std::unique_ptr<Segment::Work> make_runge_kutta_segment(ReducedModel& model, const SegmentOptions& options) {
  return std::make_unique<RungeKuttaSegment>(model, options);
}

}  // namespace bolza::integrate
