// SPDX-License-Identifier: Apache-2.0
// A segment on CVODES: values.
#include <cvodes/cvodes_ls.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/allocated.h"
#include "runtime/integrate/segment/cvodes_internal.h"
#include "runtime/integrate/sundials/array_operations.h"

namespace bolza::integrate {

bool SegmentPoint::move_to(double s, std::span<const double> x) {
  if (known_ && s == s_ && std::equal(x.begin(), x.end(), x_.begin(), x_.end())) return true;
  known_ = rates_ = entries_known_ = false;
  s_ = s;
  x_.assign(x.begin(), x.end());
  for (std::size_t i = 0; i < u_.size(); ++i) u_[i] = work_.input(i, s);
  return known_ = work_.model.move_to(work_.times.begin + s * work_.times.length, x, u_);
}

bool SegmentPoint::rates() { return rates_ || (rates_ = work_.model.rates(rows_)); }

bool SegmentPoint::entries() {
  if (!entries_known_) entries_known_ = rates_ = work_.model.rate_entries(rows_, entries_);
  return entries_known_;
}

CvodesSegment::CvodesSegment(ReducedModel& model, const SegmentOptions& options)
    : Segment::Work(model, options),
      context_(make_context()),
      y_(make_vector(n_x, context_.get())),
      q_(make_vector(std::max<std::size_t>(n_q, 1), context_.get())),
      point_(*this),
      pieces_(options.method_options, n_x + n_q, 8),
      at_sample_(make_vector(n_x, context_.get())),
      gradient_(model.columns()) {
  use_own_operations(y_.get());
}

int CvodesSegment::rhs(double s, N_Vector at, N_Vector out, void* user) {
  CvodesSegment& w = *static_cast<CvodesSegment*>(user);
  if (!w.point_.move_to(s, view(at)) || !w.point_.rates()) return 1;
  auto o = view(out);
  for (std::size_t i = 0; i < w.n_x; ++i) o[i] = w.times.length * w.point_.rows()[i];
  return 0;
}

int CvodesSegment::quadrature(double s, N_Vector at, N_Vector out, void* user) {
  CvodesSegment& w = *static_cast<CvodesSegment*>(user);
  if (!w.point_.move_to(s, view(at)) || !w.point_.rates()) return 1;
  auto o = view(out);
  for (std::size_t i = 0; i < w.n_q; ++i) o[i] = w.times.length * w.point_.rows()[w.n_x + i];
  return 0;
}

int CvodesSegment::forward_jacobian(double s, N_Vector at, N_Vector, SUNMatrix J, void* user, N_Vector, N_Vector, N_Vector) {
  CvodesSegment& w = *static_cast<CvodesSegment*>(user);
  if (!w.point_.move_to(s, view(at)) || !w.point_.entries()) return 1;
  const NewtonSystem& newton = *w.form_;
  double* data = newton.clear(J);
  std::size_t slot = 0;
  const auto& places = w.model.rate_places();
  for (std::size_t e = 0; e < places.size(); ++e)
    if (w.by_state(places[e])) data[newton.slot()[slot++]] += w.times.length * w.point_.entry(e);
  return 0;
}

// Algebraics are found from the ones at the segment's start: CVODES repeats steps from its checkpoints, and the repetition
// has to agree with the first time to the last bit.
bool CvodesSegment::find_anchor(std::span<const double> x) {
  point_.forget();
  if (!model.model().n_z) return true;
  if (!point_.move_to(0, x)) return false;
  anchor_ = model.z();
  point_.forget();
  return true;
}

void CvodesSegment::be_silent(void* memory) {
  CVodeSetErrHandlerFn(memory, [](int, const char*, const char*, char*, void*) {}, nullptr);
}

double CvodesSegment::state_tolerance(std::size_t i) const {
  return options.rtol * options.atol_factor * nonlinear::size_of(model.model().x[i]);
}

std::vector<std::pair<std::int32_t, std::int32_t>> CvodesSegment::places_by_state() const {
  std::vector<std::pair<std::int32_t, std::int32_t>> places;
  for (const ReducedModel::Place& p : model.rate_places())
    if (by_state(p)) places.emplace_back(p.row, p.col - 1);
  return places;
}

CvodesMemory CvodesSegment::make(std::unique_ptr<NewtonSystem>& newton) {
  CvodesMemory made(CVodeCreate(CV_BDF, context_.get()));
  void* memory = made.get();
  allocated(memory != nullptr);
  be_silent(memory);
  CVodeInit(memory, rhs, 0, y_.get());
  Vector tolerance = make_vector(n_x, context_.get());
  for (std::size_t i = 0; i < n_x; ++i) view(tolerance.get())[i] = state_tolerance(i);
  CVodeSVtolerances(memory, options.rtol, tolerance.get());
  CVodeSetUserData(memory, this);
  CVodeSetMaxNumSteps(memory, options.max_steps);
  newton =
      std::make_unique<NewtonSystem>(n_x, places_by_state(), y_.get(), context_.get(), direct_only(options.method_options));
  form_ = newton.get();
  CVodeSetLinearSolver(memory, newton->solver(), newton->matrix());
  CVodeSetJacFn(memory, forward_jacobian);
  if (!n_q) return made;
  CVodeQuadInit(memory, quadrature, q_.get());
  CVodeQuadSStolerances(memory, options.rtol, options.rtol);
  CVodeSetQuadErrCon(memory, options.method_options.quadrature_error_control > 0);
  return made;
}

void CvodesSegment::set_steps(void* memory, Towards towards) const {
  set_steps_of_cvodes(memory, options.method_options, std::fabs(times.length), 5, towards);
}

bool CvodesSegment::start(void* memory, std::span<const double> x) {
  std::copy(x.begin(), x.end(), view(y_.get()).begin());
  N_VConst(0, q_.get());
  set_steps(memory, Towards::end);
  return CVodeReInit(memory, 0, y_.get()) == 0 && (!n_q || CVodeQuadReInit(memory, q_.get()) == 0) &&
         CVodeSetStopTime(memory, 1) == 0;
}

void CvodesSegment::results(void* memory, std::span<double> x, std::span<double> integrals) {
  double reached = 1;
  std::copy_n(view(y_.get()).begin(), n_x, x.begin());
  if (!n_q) return;
  CVodeGetQuad(memory, &reached, q_.get());
  for (std::size_t i = 0; i < n_q; ++i) integrals[i] += view(q_.get())[i];
}

bool CvodesSegment::forward(std::span<double> x, std::span<double> integrals) {
  if (!n_x || times.length == 0) return without_states(x);
  if (!find_anchor(x)) return false;
  ReducedModel::Anchored anchored(model, anchor_);
  if (samples && !records && steps_are_ours()) {
    Segment::Directions none;
    peak_.assign(n_x, 0);
    return run_in_a_block(values_, x, integrals, none);
  }
  has_record_ = false;
  if (samples && keeps_steps() && forward_recorded(x, integrals)) return true;
  if (samples && !jumps_) {
    jumps_ = true;
    backward_.clear();
    memory_.reset();
  }
  if (!memory_) {
    memory_ = make(newton_);
    recorded_ = false;
    CVodeAdjInit(memory_.get(), pieces_.steps_between(), interpolation());
  }
  set_steps(memory_.get(), Towards::end);
  std::vector<double> numbers(n_x + n_q);
  std::copy(x.begin(), x.end(), numbers.begin());
  begin_.assign(x.begin(), x.end());
  if (samples) {
    samples->x.clear();
    samples->by.clear();
    samples->shared.clear();
  }
  next_sample_ = 0;
  samples_now_ = samples != nullptr;
  bool ran = (!samples_now_ || sample_up_to(0)) && pieces_.forward(forward_run(), std::move(numbers), allowed_steps());
  samples_now_ = false;
  if (!ran) return no_room(pieces_);
  came_to_its_end(pieces_.steps());
  results(memory_.get(), x, integrals);
  end_.assign(x.begin(), x.end());
  return std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); });
}

// Samples up to the end of the last recorded step.
bool CvodesSegment::sample_up_to(double s) {
  for (; next_sample_ < samples->at.size() && samples->at[next_sample_] <= s; ++next_sample_) {
    double at = samples->at[next_sample_];
    bool begins = !(at > 0);
    if (!begins && CVodeGetDky(memory_.get(), at, 0, at_sample_.get()) < 0) return false;
    take_sample(next_sample_, begins ? std::span<const double>(begin_) : view(at_sample_.get()));
  }
  return true;
}

void CvodesSegment::take_sample(std::size_t k, std::span<const double> x) {
  if (k == 0) {
    samples->x.clear();
    samples->by.clear();
    samples->shared.clear();
  }
  samples->x.insert(samples->x.end(), x.begin(), x.end());
  samples->shared.push_back(model.at().shared);
}

// Numbers: the states and, as they have a say in the lengths of steps, the integrals.
AdjointPieces::Run CvodesSegment::forward_run() {
  return {.begin =
              [this](double s, std::span<const double> numbers) {
                void* memory = memory_.get();
                std::copy_n(numbers.begin(), n_x, view(y_.get()).begin());
                std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(n_x), n_q, view(q_.get()).begin());
                bool again = std::exchange(recorded_, true);
                return CVodeReInit(memory, s, y_.get()) == 0 && (!n_q || CVodeQuadReInit(memory, q_.get()) == 0) &&
                       CVodeSetStopTime(memory, 1) == 0 && (!again || CVodeAdjReInit(memory) == 0);
              },
          .step =
              [this](double& s) {
                int checkpoints = 0;
                if (CVodeF(memory_.get(), 1, y_.get(), &s, CV_ONE_STEP, &checkpoints) < 0)
                  return stopped("no step is short enough for the tolerance", s);
                return !samples_now_ || sample_up_to(s);
              },
          .numbers =
              [this](std::vector<double>& numbers) {
                double at = 0;
                if (n_q) CVodeGetQuad(memory_.get(), &at, q_.get());
                std::copy_n(view(y_.get()).begin(), n_x, numbers.begin());
                std::copy_n(view(q_.get()).begin(), n_q, numbers.begin() + static_cast<std::ptrdiff_t>(n_x));
              }};
}

bool CvodesSegment::no_room(const AdjointPieces& pieces) {
  if (pieces.no_room()) model.at().note("a checkpoint could not be written to the temporary file", times.begin);
  return false;
}

// Nothing moves: a segment of no length, or a model without states whose integrals are not offered here.
bool CvodesSegment::without_states(std::span<double> x) {
  std::copy(x.begin(), x.end(), view(y_.get()).begin());
  for (std::size_t k = 0; samples && k < samples->at.size(); ++k) take_sample(k, x);
  return n_q == 0 || times.length == 0;
}

std::unique_ptr<Segment::Work> make_cvodes_segment(ReducedModel& model, const SegmentOptions& options) {
  return std::make_unique<CvodesSegment>(model, options);
}

}  // namespace bolza::integrate
