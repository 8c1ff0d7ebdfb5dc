// SPDX-License-Identifier: Apache-2.0
// A segment on a multistep method with a smooth control of the error: values.
#include <algorithm>
#include <cmath>

#include "runtime/integrate/segment/smooth_steps_internal.h"

namespace bolza::integrate {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double first_share = 1e-3, safety = 0.9, least_growth = 0.2, most_growth = 5;

}  // namespace

// The attempt on a tape of its own.
SmoothStepsSegment::Written SmoothStepsSegment::write(const SmoothStep& step, double length, StepTape& tape,
                                                      MultistepScheme& scheme) {
  scheme.begin(tape);
  Written out;
  out.begin = scheme.begin_state();
  out.end = scheme.write(tape, length * times.length).end.state;
  out.error = scheme.write_error(tape);
  out.good = tape.trouble() == StepTape::Trouble::none && tape[out.error].allFinite() && tape[out.end].allFinite();
  (void)step;
  return out;
}

// e; with `bars` the derivatives of weight e by the values it is made of.
double SmoothStepsSegment::norm(const Written& at, StepTape::Bars* bars, double weight) {
  const VectorXd &a = tape_[at.begin], &b = tape_[at.end], &error = tape_[at.error];
  std::size_t count = options.method_options.quadrature_error_control > 0 ? n_x + n_q : n_x;
  VectorXd size(error.size());
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Index k = static_cast<Index>(i);
    double nominal = i < n_x ? nonlinear::size_of(model.model().x[i]) : 1;
    double value = i < n_x ? std::max(std::fabs(a[k]), std::fabs(b[k])) : std::fabs(b[k]);
    size[k] = options.rtol * (nominal + value);
    sum += std::pow(error[k] / size[k], 2);
  }
  double e = std::sqrt(sum / static_cast<double>(std::max<std::size_t>(count, 1)));
  if (!bars || e == 0) return e;
  auto bar = [&](StepTape::Slot slot) -> VectorXd& {
    VectorXd& v = bars->by[slot - bars->first];
    if (v.size() == 0) v = VectorXd::Zero(error.size());
    return v;
  };
  for (std::size_t i = 0; i < count; ++i) {
    Index k = static_cast<Index>(i);
    double z = error[k] / size[k], by_z = weight * z / (static_cast<double>(count) * e), by_size = -by_z * z / size[k];
    bar(at.error)[k] += by_z / size[k];
    bool of_end = i >= n_x || std::fabs(b[k]) >= std::fabs(a[k]);
    double value = of_end ? b[k] : a[k];
    bar(of_end ? at.end : at.begin)[k] += by_size * options.rtol * (value > 0 ? 1 : value < 0 ? -1 : 0);
  }
  return e;
}

void SmoothStepsSegment::control(Attempt& attempt, int order, bool rejected) const {
  double power = -1.0 / (order + 1), factor = safety * std::pow(std::max(attempt.error, 1e-10), power);
  double most = attempt.error > 1 ? safety : rejected ? 1 : most_growth;
  bool free = factor > least_growth && factor < most && attempt.error > 1e-10;
  attempt.next = std::clamp(factor, least_growth, most);
  attempt.slope = free ? power * factor / attempt.error : 0;
}

bool SmoothStepsSegment::forward(std::span<double> x, std::span<double> integrals) {
  taken_.clear();
  place_.assign(1, 0.0);
  if (times.length == 0) return true;
  VectorXd y = VectorXd::Zero(static_cast<Index>(n_x + n_q));
  std::copy(x.begin(), x.end(), y.data());
  MethodOptions ramp = options.method_options;
  ramp.order_selection = "ramp";
  std::unique_ptr<MultistepScheme> scheme = options.method->multistep(ramp);
  scheme->restart({times.begin, 0}, times.length);
  SmoothStep next{nullptr, 0, {y}, {}, {}};
  double share = options.method_options.initial_step > 0 ? options.method_options.initial_step / times.length : first_share;
  double planned = share;
  const long most = allowed_steps();
  for (long count = 0; place_.back() < 1; ++count) {
    if (count > most) return false;
    SmoothStep step = std::move(next);
    step.scheme.reset(static_cast<MultistepScheme*>(scheme->clone().release()));
    step.z = model.z();
    for (bool taken = false; !taken;) {
      if (step.attempts.size() > 200 || !(planned > 1e-15)) return false;
      double rest = 1 - place_.back();
      Attempt attempt{Attempt::From::plan, planned};
      if (rest <= planned) {
        attempt.from = Attempt::From::rest;
        attempt.length = rest;
      } else if (rest < 2 * planned) {
        attempt.from = Attempt::From::half_of_rest;
        attempt.length = 0.5 * rest;
      }
      tape_.resume(step.first, step.live, times.begin, times.length, times.begin, times.length);
      model.start_from(step.z);
      scheme.reset(static_cast<MultistepScheme*>(step.scheme->clone().release()));
      Written at = write(step, attempt.length, tape_, *scheme);
      attempt.error = at.good ? norm(at, nullptr, 0) : std::nan("");
      if (at.good) control(attempt, scheme->error_order(), !step.attempts.empty());
      else attempt.next = 0.5;
      taken = at.good && attempt.error <= 1;
      planned = attempt.next * attempt.length;
      step.attempts.push_back(attempt);
      if (!taken) continue;
      scheme->accept(tape_);
      next.first = scheme->oldest();
      next.live = tape_.live(scheme->oldest());
      y = tape_[at.end];
      place_.push_back(attempt.from == Attempt::From::rest ? 1 : place_.back() + attempt.length);
    }
    taken_.push_back(std::move(step));
  }
  came_to_its_end(static_cast<long>(taken_.size()));
  std::copy_n(y.data(), n_x, x.begin());
  for (std::size_t k = 0; k < n_q; ++k) integrals[k] += y[static_cast<Index>(n_x + k)];
  return y.allFinite();
}

std::unique_ptr<Segment::Work> make_smooth_steps_segment(ReducedModel& model, const SegmentOptions& options) {
  return std::make_unique<SmoothStepsSegment>(model, options);
}

}  // namespace bolza::integrate
