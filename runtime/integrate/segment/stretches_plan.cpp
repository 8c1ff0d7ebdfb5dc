// SPDX-License-Identifier: Apache-2.0
// A segment of a model with events: a simulation finds them and what makes them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/bit_order.h"
#include "runtime/integrate/segment/stretches_internal.h"

namespace bolza::integrate {

using Part = nonlinear::ModelAt::Part;

namespace {

constexpr std::size_t most_moments = 100;  ///< sets of events that are remembered

}  // namespace

// @param walked  whether values were had on the way, null: none are wanted
bool StretchSegment::plan(std::span<const double> x, bool* walked) {
  find_slope();
  std::vector<std::uint64_t> key = what_decides();
  if (auto known = moments_.find(key); !key.empty() && known != moments_.end()) return divide(known->second);
  std::vector<LoggedEvent> events;
  bool walks = walked && can_walk();
  if (walks && !walk(x, events)) {
    if (walk_has_room_) return false;
    walks = false;
  }
  if ((!walks && !find_events(x, events)) || events.empty() || !divide(events)) return false;
  if (walked) *walked = walks && is_walked();
  if (moments_.size() >= most_moments) moments_.clear();
  if (!key.empty()) moments_.emplace(std::move(key), std::move(events));
  return true;
}

SimulateOptions StretchSegment::simulation_from(std::span<const double> x) const {
  const bolza_hybrid& h = *model.model().hybrid;
  SimulateOptions o;
  o.shared = model.at().shared;
  o.start = times.begin;
  o.final = times.begin + times.length;
  o.rtol = options.rtol;
  o.log_events = true;
  o.watch_states = false;
  o.budget = options.budget;
  o.x.assign(x.begin(), x.end());
  o.output_times = {*o.final};
  if (model.model().index > 1) o.method = "radau5";
  if (!options.begins_phase) {
    o.continues = true;
    for (std::size_t i = 0; i < h.n_m; ++i) o.discrete.push_back(o.shared[static_cast<std::size_t>(h.discrete[i].now)]);
  }
  Inputs given;
  InputPiece piece{*o.start, *o.final, {*o.start}, {}};
  if (options.linear_control) piece.nodes.push_back(*o.final);
  for (std::size_t i = 0; i < n_u; ++i) {
    piece.values.push_back({left[i]});
    if (options.linear_control) piece.values.back().push_back(right[i]);
  }
  given.pieces.push_back(std::move(piece));
  o.inputs = std::move(given);
  return o;
}

bool StretchSegment::find_events(std::span<const double> x, std::vector<LoggedEvent>& events) {
  Simulation simulation = simulate(model.problem(), phase(), simulation_from(x));
  const SimulateReport& report = simulation.report;
  if (!report.finished()) {
    model.at().note(report.message, report.time, report.finding.place);
    return false;
  }
  events = std::move(simulation.events);
  return true;
}

// Where all events are moments that the states have no say in: everything that has one. Else empty.
std::vector<std::uint64_t> StretchSegment::what_decides() const {
  const bolza_model& m = model.model();
  const bolza_hybrid& h = *m.hybrid;
  if (m.index > 1 || h.n_delays || h.n_assertions || h.n_terminations || h.n_samples) return {};
  bool plain = !h.n_reinits && !h.n_initial_updates;  // nothing but relations, whose indicators say what they depend on
  for (std::size_t i = 0; i < h.n_m; ++i) {
    const bolza_discrete& d = h.discrete[i];
    if (d.indicator >= 0 ? !d.time_only : d.role != BOLZA_DISCRETE_VARIABLE || d.type == 0)
      return {};  // a Real is perhaps a state that was sampled
    plain = plain && d.role == BOLZA_DISCRETE_RELATION;
  }
  const std::vector<double>& shared = model.at().shared;
  std::vector<double> key{times.begin, times.length};
  std::set<std::size_t> globals;
  const bolza_function& f = *h.indicators;
  std::size_t before = f.n_point;
  for (std::size_t e = 0; e < f.jac_nnz; ++e)
    if (static_cast<std::size_t>(f.jac_col[e]) >= before) globals.insert(static_cast<std::size_t>(f.jac_col[e]) - before);
  for (std::size_t j = 0; j < shared.size(); ++j)
    if (j >= n_p || !plain || globals.count(j)) key.push_back(shared[j]);
  key.insert(key.end(), left.begin(), left.end());
  if (options.linear_control) key.insert(key.end(), right.begin(), right.end());
  return bits_of(key);
}

std::size_t StretchSegment::phase() const {
  std::size_t k = 0;
  while (model.problem().models[model.problem().phases[k].model] != &model.model()) ++k;
  return k;
}

bool StretchSegment::changes(const LoggedEvent& e) const {
  const bolza_hybrid& h = *model.model().hybrid;
  bool changed = !e.firings.empty();
  for (std::size_t i = 0; i < h.n_m; ++i)
    changed = changed ||
              e.before[static_cast<std::size_t>(h.discrete[i].now)] != e.after[static_cast<std::size_t>(h.discrete[i].now)];
  return changed;
}

bool StretchSegment::divide(const std::vector<LoggedEvent>& events) {
  std::vector<Stretch> old = std::move(stretches_);
  stretches_.clear();
  double begin = times.begin, room = 1e-12 * std::fabs(times.length);
  std::vector<double> shared = events.front().before;
  auto add = [&](double end, Stretch::End ends) -> Stretch& {
    Stretch& stretch = stretches_.emplace_back();
    stretch.begin = begin;
    stretch.end = end;
    stretch.shared = shared;
    stretch.ends = ends;
    std::size_t k = stretches_.size() - 1;
    if (k < old.size()) stretch.inner = std::move(old[k].inner);
    give_inner(stretch);
    begin = end;
    return stretch;
  };
  for (const LoggedEvent& e : events) {
    // A state that was set on its threshold leaves it at once: that belongs to the event which set it.
    bool leaves = !stretches_.empty() && e.firings.empty() && e.t - begin <= 1e-8 * std::fabs(times.length);
    if (leaves || !changes(e)) {
      shared = e.after;
      continue;
    }
    bool first = e.t <= times.begin + room;
    Stretch& stretch = add(first ? times.begin : e.t, first ? Stretch::End::begin_of_segment : Stretch::End::fixed);
    stretch.event = e.firings;
    if (!first && !find_indicator(e, stretch)) return false;
    shared = e.after;
  }
  after_ = shared;
  add(times.begin + times.length, Stretch::End::end_of_segment);
  for (std::size_t k = stretches_.size(); k < old.size(); ++k) spare_.push_back(std::move(old[k].inner));
  put_aside();
  return true;
}

// What walked over it has its record and its states; else it has what it had, or another.
void StretchSegment::give_inner(Stretch& stretch) {
  for (Piece& piece : walked_)
    if (piece.inner && piece.begin == stretch.begin && piece.end == stretch.end) {
      stretch.inner = std::move(piece.inner);
      stretch.x = std::move(piece.x);
      stretch.walked = true;
      return;
    }
  if (!stretch.inner) stretch.inner = take_inner();
}

std::unique_ptr<Segment::Work> StretchSegment::take_inner() {
  if (spare_.empty()) {
    SegmentOptions own = options;
    own.times_move = true;
    return make_smooth_segment(model, own);
  }
  std::unique_ptr<Segment::Work> inner = std::move(spare_.back());
  spare_.pop_back();
  return inner;
}

// The indicator that made an event: the one nearest to zero in time, as near as roots are found; a tick has none.
bool StretchSegment::find_indicator(const LoggedEvent& e, Stretch& stretch) {
  const bolza_hybrid& h = *model.model().hybrid;
  set_shared(e.before);
  double nearest = 1e-6 * std::fabs(times.length);
  for (std::size_t i = 0; i < h.n_m; ++i) {
    const bolza_discrete& d = h.discrete[i];
    if (d.indicator < 0) continue;
    for (std::int32_t row = d.indicator; row <= d.indicator + (d.role == BOLZA_DISCRETE_PART); ++row) {
      double value = 0, rate = 0;
      if (!indicator(static_cast<std::size_t>(row), e.t, e.x, value, rate)) return false;
      double distance = std::fabs(value / rate);
      if (!(distance < nearest)) continue;
      nearest = distance;
      stretch.ends = Stretch::End::indicator;
      stretch.row = static_cast<std::size_t>(row);
    }
  }
  return true;
}

/// Does the indicator depend on time and parameters alone?
bool StretchSegment::knows_time(std::size_t row) const {
  const bolza_function& f = *model.model().hybrid->indicators;
  for (std::size_t e = 0; e < f.jac_nnz; ++e) {
    auto col = static_cast<std::size_t>(f.jac_col[e]);
    if (static_cast<std::size_t>(f.jac_row[e]) == row && col >= 1 && col <= n_x + model.model().n_z) return false;
  }
  return true;
}

/// Such an event needs no integration to be found.
void StretchSegment::find_time(Stretch& stretch, std::span<const double> x) {
  if (stretch.ends != Stretch::End::indicator || !knows_time(stretch.row)) return;
  double end = stretch.end, value = 0, rate = 0;
  for (int iteration = 0; iteration < 10; ++iteration) {
    if (!indicator(stretch.row, end, x, value, rate)) return;
    double step = value / rate;
    end -= step;
    if (!(std::fabs(end - stretch.end) <= 1e-4 * std::fabs(times.length))) return;  // another root, or none
    if (std::fabs(step) <= 4 * std::numeric_limits<double>::epsilon() * std::fabs(end)) break;
  }
  stretch.end = end;
}

bool StretchSegment::plan_tangent(std::span<const double> x) {
  find_slope();
  if (!moments_.contains(what_decides()) && can_walk()) return Work::plan_tangent(x);
  if (!plan(x)) return false;
  bool moments = !options.method && !options.idas;
  for (const Stretch& s : stretches_) moments = moments && (s.ends != Stretch::End::indicator || knows_time(s.row));
  if (!moments) return Work::plan_tangent(x);
  find_slope();
  for (std::size_t k = 0; k < stretches_.size(); ++k) {
    Stretch& stretch = stretches_[k];
    stretch.begin = k ? stretches_[k - 1].end : times.begin;
    set_shared(stretch.shared);
    find_time(stretch, x);
  }
  set_shared(after_);
  return planned_ = true;
}

/// g and dg/dt along the trajectory.
bool StretchSegment::indicator(std::size_t row, double t, std::span<const double> x, double& value, double& rate) {
  std::vector<double> u = inputs(t), rows(model.model().hybrid->n_indicators), f(n_x + n_q);
  if (!indicator_gradient(row, t, x) || !model.rows(Part::indicators, rows) || !model.rates(f)) return false;
  value = rows[row];
  rate = g_[0];
  for (std::size_t i = 0; i < n_x; ++i) rate += g_[1 + i] * f[i];
  for (std::size_t i = 0; i < n_u; ++i) rate += g_[1 + n_x + i] * slope_[i];
  return true;
}

bool StretchSegment::indicator_gradient(std::size_t row, double t, std::span<const double> x) {
  std::vector<double> weight(row + 1);
  weight[row] = 1;
  g_.assign(model.columns(), 0);
  return model.move_to(t, x, inputs(t)) && model.add_gradient(Part::indicators, weight, {}, g_);
}

}  // namespace bolza::integrate
