#include "runtime/integrate/segment.h"

#include "runtime/integrate/segment_work_internal.h"

namespace bolza::integrate {

Segment::Segment(ReducedModel& model, const SegmentOptions& options)
    : work_(options.method ? make_runge_kutta_segment(model, options) : make_cvodes_segment(model, options)) {}
Segment::~Segment() = default;
Segment::Segment(Segment&&) noexcept = default;

std::size_t Segment::controls() const { return work_->controls(); }
std::size_t Segment::inputs() const { return work_->controls() + work_->n_p; }

bool Segment::forward(const SegmentTimes& times, std::span<const double> u_left, std::span<const double> u_right,
                      std::span<double> x, std::span<double> q) {
  work_->set(times, u_left, u_right);
  return work_->forward(x, q);
}

void Segment::repeat_steps(bool repeat) { work_->repeats = repeat; }

bool Segment::adjoint(std::span<double> lambda, std::span<const double> weight, std::span<double> gradient,
                      std::span<const double> samples, std::vector<double>* at_samples) {
  work_->weight.assign(weight.begin(), weight.end());
  return work_->adjoint(lambda, gradient, samples, at_samples);
}

bool Segment::sensitivities(const SegmentTimes& times, std::span<const double> u_left, std::span<const double> u_right,
                            std::span<const std::size_t> globals, std::span<double> x, std::span<double> q,
                            Eigen::MatrixXd& transition) {
  work_->set(times, u_left, u_right);
  if (work_->globals.size() != globals.size() || !std::equal(globals.begin(), globals.end(), work_->globals.begin())) {
    work_->globals.assign(globals.begin(), globals.end());
    work_->globals_changed();
  }
  return work_->sensitivities(x, q, transition);
}

}  // namespace bolza::integrate
