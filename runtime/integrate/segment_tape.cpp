// A segment on a method whose steps are written as operations: its error control chooses the steps, the tape repeats them
// and has their derivatives, the steps' lengths (as fractions of the segment) held.
#include <algorithm>

#include "runtime/integrate/segment_steps_internal.h"
#include "runtime/integrate/step_tape.h"

namespace bolza::integrate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

class TapeSegment final : public StepsSegment {
 public:
  TapeSegment(ReducedModel& model, const SegmentOptions& options)
      : StepsSegment(model, options),
        steps_(model, [this](double t, const double*, const double*, std::span<double> u,
                             std::span<double> slope) { inputs_at(fraction_of(t), u, slope); }),
        tape_(steps_) {}

  bool forward(std::span<double> x, std::span<double> integrals) override {
    if (times.length == 0) return has_steps_ = false, true;
    if (!has_steps_ || !(repeats || near_chosen(x))) {
      has_steps_ = choose_steps(x, integrals.size(), [&](Integrator& integrator, double, bool last) {
        if (last) tape_ = std::move(*integrator.tape());
      });
      if (!has_steps_) return false;
      tape_.rescale(times.begin, times.length);
    }
    VectorXd y = VectorXd::Zero(static_cast<Index>(n_x + n_q));
    std::copy(x.begin(), x.end(), y.data());
    if (!tape_.replay(steps_, times.begin, times.length, y)) return false;
    std::copy_n(y.data(), n_x, x.begin());
    for (std::size_t k = 0; k < n_q; ++k) integrals[k] += y[static_cast<Index>(n_x + k)];
    return true;
  }

  bool adjoint(std::span<double> lambda, std::span<double> out, std::span<const double> samples,
               std::vector<double>* at_samples) override {
    SampledCostates keep(samples, at_samples);
    if (!has_steps_) return keep(-1, lambda), true;
    VectorXd y(static_cast<Index>(n_x + n_q));
    std::copy(lambda.begin(), lambda.end(), y.data());
    std::copy(weight.begin(), weight.end(), y.data() + n_x);
    keep(1, lambda);
    double by_length = 0;
    bool good = tape_.adjoint(
        steps_, y, [&](const StepTape::PointGradient& p) { add_point(p.place, p.by, p.by_slope, out); }, by_length,
        [&](std::size_t step, const VectorXd& l) { keep(tape_.place_of_end(step), {l.data(), n_x}); });
    if (!good) return false;
    out[length_input()] += by_length;
    std::copy_n(y.data(), n_x, lambda.begin());
    keep(-1, lambda);
    return true;
  }

  bool tangent(std::span<double> x, std::span<double> integrals, Segment::Directions& along) override {
    if (!forward(x, integrals)) return false;
    if (!has_steps_) return true;
    MatrixXd y(static_cast<Index>(n_x + n_q), along.x.cols()), slopes = slope_directions(along.direct);
    y << along.x, along.q;
    bool good = tape_.tangent(steps_, y, along.direct.row(static_cast<Index>(length_input())), [&](double place) {
      return StepTape::PointDirections{point_directions(place, along.direct), slopes};
    });
    along.x = y.topRows(static_cast<Index>(n_x)), along.q = y.bottomRows(static_cast<Index>(n_q));
    return good;
  }

 private:
  StepModel steps_;
  StepTape tape_;
  bool has_steps_ = false;
};

}  // namespace

std::unique_ptr<Segment::Work> make_tape_segment(ReducedModel& model, const SegmentOptions& options) {
  return std::make_unique<TapeSegment>(model, options);
}

}  // namespace bolza::integrate
