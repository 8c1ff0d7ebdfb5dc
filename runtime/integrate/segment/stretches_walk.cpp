// SPDX-License-Identifier: Apache-2.0
// A segment of a model with events, integrated once: the run that finds the events is that of the values.
#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/integrate/segment/stretches_internal.h"
#include "runtime/integrate/simulate/simulate_with.h"

namespace bolza::integrate {

/// The steps of one stretch after another, with the samples on the way.
class StretchSegment::Walk {
 public:
  explicit Walk(StretchSegment& segment) : w_(segment), needs_z_(segment.needs_algebraics()), q_(segment.n_q) {}

  bool start(const State& state, double stop, const std::vector<double>& shared) {
    end_piece(state.t);
    w_.set_shared(shared);
    w_.model.start_from(state.z);
    take_samples(state.t, [&](double) { return std::span(state.x); });
    piece_ = {state.t, stop, {}, w_.take_inner()};
    Work& inner = *piece_.inner;
    inner.set({state.t, stop - state.t}, w_.inputs(state.t), w_.inputs(stop));
    inner.samples = nullptr;
    inner.records = w_.records;
    steps_ = inner.step_by_step();
    reached_ = state.t;
    z_ = state.z;
    return steps_->begin(state.x);
  }

  // What the last step reached has no event: this one begins there.
  bool step(double& reached) {
    take_samples(reached_, [this](double t) { return in_step(t); });
    if (!steps_->step()) {
      w_.walk_has_room_ = steps_->has_room();
      return false;
    }
    double s = steps_->reached();
    reached = reached_ = s < 1 ? piece_.begin + s * (piece_.end - piece_.begin) : piece_.end;
    return true;
  }

  bool at(double t, State& state) {
    state.t = t;
    state.x.resize(w_.n_x);
    steps_->at(share(t), state.x, q_);
    if (needs_z_ && !steps_->algebraics(share(t), state.x, z_)) return false;
    state.z = z_;
    return true;
  }

  // At an event in the last step, or where the run ends.
  void end_piece(double t) {
    if (!steps_) return;
    if (reached_ > piece_.begin && t > piece_.begin) {
      t = std::min(t, reached_);
      // one at an event comes after it
      take_samples(std::nextafter(t, piece_.begin), [this](double at) { return in_step(at); });
      piece_.x.resize(w_.n_x);
      steps_->at(share(t), piece_.x, q_);
      for (std::size_t i = 0; i < q_.size(); ++i) w_.walked_integrals_[i] += q_[i];
      steps_->end(share(t));
      piece_.end = t;
      piece_.inner->set({piece_.begin, piece_.end - piece_.begin}, w_.inputs(piece_.begin), w_.inputs(piece_.end));
    } else {
      steps_->end(1);
    }
    w_.walked_.push_back(std::move(piece_));
    steps_ = nullptr;
  }

  double reached() const { return reached_; }

 private:
  double share(double t) const { return t < piece_.end ? (t - piece_.begin) / (piece_.end - piece_.begin) : 1; }

  // Those that have not been taken yet, up to this time.
  template <class StatesAt>
  void take_samples(double until, const StatesAt& states_at) {
    Segment::Samples& all = *w_.samples;
    for (double t; w_.sampled_ < all.at.size() && (t = w_.sample_time(w_.sampled_)) <= until; ++w_.sampled_) {
      std::span<const double> x = states_at(t);
      all.x.insert(all.x.end(), x.begin(), x.end());
      all.shared.push_back(w_.model.at().shared);
    }
  }
  std::span<const double> in_step(double t) {
    x_.resize(w_.n_x);
    steps_->at(share(t), x_, q_);
    return x_;
  }

  StretchSegment& w_;
  bool needs_z_;
  std::vector<double> x_, z_, q_;  // [n_x], [n_z], [n_q]
  Piece piece_;
  StepByStep* steps_ = nullptr;  // of the piece; null between two
  double reached_ = 0;           // by the last step, seconds
};

/// The same as an integrator of a simulation.
class StretchSegment::WalkIntegrator final : public Integrator {
 public:
  WalkIntegrator(Walk& walk, const Setup& setup) : walk_(walk), setup_(setup) {}
  SimulateStatus start(const State& state, double stop) override {
    return status(walk_.start(state, stop, setup_.model.shared));
  }
  SimulateStatus step(double& reached) override { return status(walk_.step(reached)); }
  SimulateStatus at(double t, State& state) override { return status(walk_.at(t, state)); }

 private:
  static SimulateStatus status(bool done) { return done ? SimulateStatus::finished : SimulateStatus::convergence; }
  Walk& walk_;
  const Setup& setup_;
};

// Do indicators, or conditions that are watched, depend on algebraics?
bool StretchSegment::needs_algebraics() const {
  const bolza_model& m = model.model();
  const bolza_hybrid& h = *m.hybrid;
  if (!m.n_z || h.n_assertions || h.n_terminations) return m.n_z > 0;
  for (std::size_t e = 0; h.n_indicators && e < h.indicators->jac_nnz; ++e) {
    auto column = static_cast<std::size_t>(h.indicators->jac_col[e]);
    if (column > n_x && column <= n_x + m.n_z) return true;
  }
  return false;
}

bool StretchSegment::can_walk() {
  const bolza_model& m = model.model();
  if (!samples || options.method || options.idas || !n_x || m.index > 1 || m.hybrid->n_delays || !(times.length > 0))
    return false;
  std::unique_ptr<Work> inner = take_inner();
  inner->records = records;
  bool can = inner->step_by_step() != nullptr;
  spare_.push_back(std::move(inner));
  return can;
}

// Integrates and fills the samples before the last event; the stretches are in `walked_` afterwards.
bool StretchSegment::walk(std::span<const double> x, std::vector<LoggedEvent>& events) {
  for (Stretch& stretch : stretches_) spare_.push_back(std::move(stretch.inner));
  stretches_.clear();
  planned_ = false;
  walked_integrals_.assign(n_q, 0);
  walk_has_room_ = true;
  begin_samples();
  Walk walk(*this);
  SimulateOptions o = simulation_from(x);
  o.z = model.z();
  std::vector<double> shared = model.at().shared;
  auto make = [&](const Setup& setup) { return std::make_unique<WalkIntegrator>(walk, setup); };
  Simulation simulation = simulate_with(make, model.problem(), phase(), o);
  const SimulateReport& report = simulation.report;
  walk.end_piece(report.finished() ? report.time : walk.reached());
  if (report.finished()) {
    events = std::move(simulation.events);
    return true;
  }
  set_shared(shared);
  put_aside();
  if (!report.message.empty()) model.at().note(report.message, report.time, report.finding.place);
  return false;
}

void StretchSegment::put_aside() {
  for (Piece& piece : walked_)
    if (piece.inner) spare_.push_back(std::move(piece.inner));
  walked_.clear();
}

// Was the walk over all stretches as they are now?
bool StretchSegment::is_walked() const {
  return std::all_of(stretches_.begin(), stretches_.end(),
                     [](const Stretch& s) { return s.walked || (s.end == s.begin && s.ends != Stretch::End::indicator); });
}

bool StretchSegment::take_walked(std::span<double> x, std::span<double> integrals) {
  Segment::Samples* all = std::exchange(samples, nullptr);
  bool happened = true;
  for (Stretch& stretch : stretches_) {
    if (stretch.walked) std::copy(stretch.x.begin(), stretch.x.end(), x.begin());
    happened = happened && (stretch.walked ? happen(stretch, x) : run(stretch, x, integrals));
  }
  samples = all;
  set_shared(after_);
  for (std::size_t i = 0; i < n_q; ++i) integrals[i] += walked_integrals_[i];
  for (; sampled_ < samples->at.size(); ++sampled_) {
    samples->x.insert(samples->x.end(), x.begin(), x.end());
    samples->shared.push_back(model.at().shared);
  }
  return planned_ = happened && std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); });
}

}  // namespace bolza::integrate
