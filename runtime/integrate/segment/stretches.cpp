// SPDX-License-Identifier: Apache-2.0
// A segment of a model with events: its values, stretch by stretch.
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/integrate/segment/stretches_internal.h"

namespace bolza::integrate {

using Part = nonlinear::ModelAt::Part;

bool StretchSegment::forward(std::span<double> x, std::span<double> integrals) {
  bool walked = false;
  if (!(repeats && planned_) && !plan(x, &walked)) return false;
  find_slope();
  if (walked) return take_walked(x, integrals);
  begin_samples();
  for (Stretch& stretch : stretches_) {
    stretch.inner->repeats = repeats && planned_;
    if (!run(stretch, x, integrals)) return false;
  }
  planned_ = true;
  set_shared(after_);
  return true;
}

std::span<const double> StretchSegment::discrete_at(bool end) const {
  if (stretches_.empty()) return {};
  return std::span(end ? after_ : stretches_.front().shared).subspan(n_p);
}

void StretchSegment::set_shared(const std::vector<double>& values) {
  std::copy(values.begin() + static_cast<std::ptrdiff_t>(n_p), values.end(),
            model.at().shared.begin() + static_cast<std::ptrdiff_t>(n_p));
}

void StretchSegment::find_slope() {
  for (std::size_t i = 0; i < n_u; ++i)
    slope_[i] = options.linear_control && times.length != 0 ? (right[i] - left[i]) / times.length : 0;
}

std::vector<double> StretchSegment::inputs(double t) const {
  std::vector<double> u = left;
  for (std::size_t i = 0; i < n_u && options.linear_control; ++i) u[i] = (1 - share(t)) * left[i] + share(t) * right[i];
  return u;
}

bool StretchSegment::over(Stretch& stretch, std::span<double> x, std::span<double> q) {
  stretch.inner->set({stretch.begin, stretch.end - stretch.begin}, inputs(stretch.begin), inputs(stretch.end));
  give_samples(stretch);
  return stretch.inner->forward(x, q);
}

void StretchSegment::begin_samples() {
  sampled_ = 0;
  if (!samples) return;
  samples->x.clear();
  samples->by.clear();
  samples->shared.clear();
  if (samples->per_step) {
    samples->at.clear();
    samples->weight.clear();
  }
}

// Those in [begin, end) of the stretch, as shares of its length: one at the end comes after the event.
void StretchSegment::give_samples(Stretch& stretch) {
  own_ = {};
  stretch.inner->samples = samples ? &own_ : nullptr;
  stretch.inner->records = records;
  if (!samples || (own_.per_step = samples->per_step) > 0) return;
  bool is_last = &stretch == &stretches_.back();
  double length = stretch.end - stretch.begin;
  for (std::size_t k = sampled_; k < samples->at.size(); ++k) {
    double t = sample_time(k);
    if (!is_last && !(t < stretch.end)) break;
    own_.at.push_back(length > 0 ? std::clamp((t - stretch.begin) / length, 0.0, 1.0) : 1);
  }
}

void StretchSegment::take_samples(const Stretch& stretch) {
  if (!samples) return;
  double length = stretch.end - stretch.begin;
  for (std::size_t k = 0; k < own_.weight.size(); ++k) {
    samples->at.push_back(share(stretch.begin + own_.at[k] * length));
    samples->weight.push_back(own_.weight[k] * length / times.length);
  }
  samples->x.insert(samples->x.end(), own_.x.begin(), own_.x.end());
  samples->shared.insert(samples->shared.end(), own_.shared.begin(), own_.shared.end());
  sampled_ += own_.at.size();
}

bool StretchSegment::run(Stretch& stretch, std::span<double> x, std::span<double> integrals) {
  std::size_t k = static_cast<std::size_t>(&stretch - stretches_.data());
  stretch.begin = k ? stretches_[k - 1].end : times.begin;
  if (stretch.ends == Stretch::End::begin_of_segment) stretch.end = times.begin;
  if (stretch.ends == Stretch::End::end_of_segment) stretch.end = times.begin + times.length;
  set_shared(stretch.shared);
  std::vector<double> begin(x.begin(), x.end()), q(n_q);
  double least = options.method
                     ? 4 * std::numeric_limits<double>::epsilon() * (std::fabs(stretch.end) + stretch.end - stretch.begin)
                     : 1e-3 * options.rtol * std::fabs(times.length);
  double last_value = 0, last_step = 0;
  if (!options.method) find_time(stretch, x);
  for (int iteration = 0;; ++iteration) {
    if (!(stretch.end >= stretch.begin)) {
      model.at().note("the steps are too long: an event comes before the one that it follows; take shorter ones",
                      stretch.begin);
      return false;
    }
    std::copy(begin.begin(), begin.end(), x.begin());
    std::fill(q.begin(), q.end(), 0.0);
    if (!over(stretch, x, q)) return false;
    if (stretch.ends != Stretch::End::indicator) break;
    double value = 0, rate = 0;
    if (!indicator(stretch.row, stretch.end, x, value, rate)) return false;
    // Repeated steps are a function of their length, whose slope is not the trajectory's: of order h away for Euler's.
    if (options.method && iteration > 1 && value != last_value) rate = (value - last_value) / last_step;
    double step = -value / rate;
    // Integrations of different lengths agree to the tolerance only, repeated steps to rounding.
    bool settled = iteration > 2 && std::fabs(step) <= options.rtol * std::fabs(times.length);
    if (options.method) settled = settled && std::fabs(step) >= 0.5 * std::fabs(last_step);
    if (std::fabs(step) <= least || settled) break;
    if (!std::isfinite(step) || iteration == 20) {
      model.at().note("the time of an event could not be found", stretch.end);
      return false;
    }
    last_value = value;
    last_step = step;
    stretch.inner->repeats = options.method != nullptr;  // the same steps, stretched
    stretch.end += step;
  }
  take_samples(stretch);
  for (std::size_t i = 0; i < n_q; ++i) integrals[i] += q[i];
  stretch.x.assign(x.begin(), x.end());
  return happen(stretch, x);
}

bool StretchSegment::happen(Stretch& stretch, std::span<double> x) {
  const bolza_hybrid& h = *model.model().hybrid;
  stretch.x_at.clear();
  for (const LoggedEvent::Firing& firing : stretch.event) {
    stretch.x_at.emplace_back(x.begin(), x.end());
    set_shared(firing.shared);
    std::vector<double> rows(2 * h.n_reinits);
    if (!model.move_to(stretch.end, x, inputs(stretch.end)) || !model.rows(Part::reinit, rows)) return false;
    for (std::size_t r : firing.rows) x[static_cast<std::size_t>(h.reinit_state[r])] = rows[h.n_reinits + r];
  }
  return true;
}

std::unique_ptr<Segment::Work> make_smooth_segment(ReducedModel& model, const SegmentOptions& options) {
  if (options.method)
    return options.method->runge_kutta ? make_runge_kutta_segment(model, options) : make_tape_segment(model, options);
  return options.idas ? make_idas_segment(model, options) : make_cvodes_segment(model, options);
}

std::unique_ptr<Segment::Work> make_stretch_segment(ReducedModel& model, const SegmentOptions& options) {
  return std::make_unique<StretchSegment>(model, options);
}

}  // namespace bolza::integrate
