// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/events/hybrid.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/integrate/events/relation_path.h"
#include "runtime/integrate/failure.h"
#include "runtime/nonlinear/initialise.h"

namespace bolza::integrate {
namespace {

constexpr std::size_t hasty_iterations = 10;      // in which all relations change at once
constexpr double shortest_homotopy = 1.0 / 4096;  // step of the share of the actual equations
constexpr std::size_t most_event_iterations =
    200;  // of an event; the discrete variables of sound models settle in a handful

}  // namespace

Hybrid::Hybrid(nonlinear::ModelAt& model, SimulateReport& report)
    : model_(model),
      hybrid_(model.model().hybrid),
      report_(report) {
  if (!hybrid_) return;
  update_.resize(hybrid_->n_m);
  initial_.resize(hybrid_->n_initial_updates);
  reinit_.resize(2 * hybrid_->n_reinits);
  if (const bolza_function* f = hybrid_->conditions) conditions_.resize(f->n_rows);
  restless_.assign(hybrid_->n_m, 0);
  warned_.assign(hybrid_->n_assertions, 0);
  if (hybrid_->homotopy >= 0) shared(hybrid_->homotopy) = 1;
  discrete_of_.assign(model.shared.size(), hybrid_->n_m);
  for (std::size_t i = 0; i < hybrid_->n_m; ++i) {
    const bolza_discrete& d = hybrid_->discrete[i];
    discrete_of_[static_cast<std::size_t>(d.now)] = i;
    if (d.before >= 0) discrete_of_[static_cast<std::size_t>(d.before)] = i;
    double start = std::isfinite(d.variable.start) ? d.variable.start : 0;
    shared(d.now) = start;
    if (d.before >= 0) shared(d.before) = start;
  }
}

void Hybrid::resume(std::span<const double> values) {
  for (std::size_t i = 0; i < size() && i < values.size(); ++i) shared(hybrid_->discrete[i].now) = values[i];
  if (hybrid_) move_pre();
}

bool Hybrid::values(Part part, const State& s, std::span<const double> u, std::span<double> rows) {
  return rows.empty() || model_.value(part, {s.t, s.x.data(), s.z.data(), u.data()}, rows);
}

// Sets an entry; true when that changes it.
bool Hybrid::assign(std::int32_t entry, double value, std::size_t discrete) {
  double& to = shared(entry);
  if (to == value || (std::isnan(to) && std::isnan(value))) return false;
  to = value;
  if (discrete < restless_.size()) restless_[discrete] = 1;
  return true;
}

// Forgets what changed, until half of the passes of a loop are over: what changes after that is what does not settle.
void Hybrid::calm(std::size_t pass, std::size_t limit) {
  late_ = late_ || pass > limit / 2;
  if (!late_) std::fill(restless_.begin(), restless_.end(), 0);
}

// How near to zero an indicator leaves its relation as it is: the longer an iteration lasts the farther, at most the error
// of the solution. 0 while it is young: relations are taken literally.
double Hybrid::care(std::size_t pass) const {
  std::size_t late = pass >= hasty_iterations ? pass - hasty_iterations + 1 : 0;
  if (outer_ >= hasty_iterations) late = std::max(late, outer_ - hasty_iterations + 1);
  if (followed_) late = std::max<std::size_t>(late, 1);
  return late ? std::min(1e4, std::ldexp(1.0, static_cast<int>(std::min<std::size_t>(late, 20)) - 1)) : 0;
}

// Does a relation stay as it is in this pass of a careful iteration? One that the error decides does, and of the others one
// moves at a time: the least index of those that should is the rule under which ideal switches cannot cycle.    [Murty 1974]
bool Hybrid::keeps(std::size_t i, double widths, bool& moved_one) const {
  const bolza_discrete& d = hybrid_->discrete[i];
  if (d.role != BOLZA_DISCRETE_RELATION || d.time_only || update_[i] == shared(d.now)) return false;
  if (indicators_ && d.indicator >= 0 && indicators_->is_undecided(static_cast<std::size_t>(d.indicator), widths))
    return true;
  bool keeps = moved_one;
  moved_one = true;
  return keeps;
}

// m := update until nothing changes, with z as it is. False: a value is not finite.
bool Hybrid::update(const State& s, std::span<const double> u, bool initial, double widths, bool& changed) {
  const bolza_hybrid& h = *hybrid_;
  bool careful = widths > 0, moved_one = false;
  if (careful && indicators_ && !indicators_->raw({s.t, s.x.data(), s.z.data(), u.data()})) return false;
  auto owner = [&](std::int32_t entry) { return discrete_of_[static_cast<std::size_t>(entry)]; };
  std::vector<char> given(h.n_m, 0);  // by an initial update
  for (std::size_t k = 0; initial && k < h.n_initial_updates; ++k)
    if (std::size_t i = owner(h.initial_target[k]); i < h.n_m && h.discrete[i].now == h.initial_target[k]) given[i] = 1;
  auto give_initial = [&](bool& moved) {
    bool finite = values(Part::initial_update, s, u, initial_);
    for (std::size_t k = 0; k < initial_.size(); ++k)
      if (finite || std::isfinite(initial_[k]))
        moved = assign(h.initial_target[k], initial_[k], owner(h.initial_target[k])) || moved;
    return finite;
  };
  bool gave = initial;  // initial values among themselves first: what acts once finds its arguments
  for (std::size_t k = 0; gave && k <= h.n_initial_updates; ++k) {
    gave = false;
    give_initial(gave);
    changed = changed || gave;
  }
  for (std::size_t pass = 0; pass < h.n_m + most_event_iterations; ++pass) {
    calm(pass, h.n_m + most_event_iterations);
    bool moved = false;  // rows are in their order: one that is not finite may wait for those before it
    bool finite = values(Part::update, s, u, update_);
    for (std::size_t i = 0; i < h.n_m; ++i)
      if (!given[i] && !(careful && keeps(i, widths, moved_one)) && (finite || std::isfinite(update_[i])))
        moved = assign(h.discrete[i].now, update_[i], i) || moved;
    if (initial) finite = give_initial(moved) && finite;
    changed = changed || moved;
    if (!moved) return finite;
  }
  return true;
}

// Solve and update in turn until the discrete values stay. A solution that fails before they stay does not count. Where that
// leads nowhere, or goes on for long, the solutions are followed from where the event began.
SimulateStatus Hybrid::settle(State& s, std::span<const double> u, const Solve& solve, bool initial) {
  const State begin = s;
  const std::vector<double> shared = model_.shared;
  bool jumped = false;
  for (std::size_t pass = 0; pass < most_event_iterations; ++pass) {
    calm(pass, most_event_iterations);
    if (pass == hasty_iterations && !initial && follow_path(begin, shared, s, u, solve)) return SimulateStatus::finished;
    SimulateStatus solved = solve(s);
    bool changed = false, finite = update(s, u, initial, care(pass), changed);
    if (finite && changed) continue;
    if (finite && solved == SimulateStatus::finished) return solved;
    if (!initial && follow_path(begin, shared, s, u, solve)) return SimulateStatus::finished;
    s.z = begin.z;
    bool jumps = !jumped && finite && !initial && nonlinear::jump_algebraics(model_, s.t, s.x, u, s.z).converged();
    if (!std::exchange(jumped, true) && jumps) continue;  // relations are evaluated again there
    return solved == SimulateStatus::finished ? not_finite(s) : solved;
  }
  return unsettled(s.t);
}

// Every discrete value but the relations of continuous variables, until nothing changes.
bool Hybrid::propagate(const State& s, std::span<const double> u) {
  for (std::size_t pass = 0; pass < hybrid_->n_m + most_event_iterations; ++pass) {
    if (!values(Part::update, s, u, update_)) return false;
    bool moved = false;
    for (std::size_t i = 0; i < hybrid_->n_m; ++i) {
      const bolza_discrete& d = hybrid_->discrete[i];
      bool held = d.role == BOLZA_DISCRETE_RELATION && d.indicator >= 0 && !d.time_only;
      if (!held) moved = assign(d.now, update_[i], i) || moved;
    }
    if (!moved) return true;
  }
  return false;
}

// False: it does not end, and everything is as it was.
bool Hybrid::follow_path(const State& begin, const std::vector<double>& shared, State& s, std::span<const double> u,
                         const Solve& solve) {
  if (!indicators_ || !model_.model().n_z) return false;
  State found = begin;
  std::vector<double> present = std::exchange(model_.shared, shared);
  RelationPath path(model_, *indicators_);
  bool reached = path.follow(begin.t, begin.x, u, found.z, [&] { return propagate(found, u); }) &&
                 solve(found) == SimulateStatus::finished;
  if (!reached) {
    model_.shared = std::move(present);
    return false;
  }
  s = std::move(found);
  return followed_ = true;
}

void Hybrid::remember(const State& before, std::span<const double> u) {
  const bolza_model& m = model_.model();
  for (std::size_t k = 0; k < hybrid_->n_previous; ++k) {
    std::size_t row = static_cast<std::size_t>(hybrid_->previous[k].row);
    double& to = shared(hybrid_->previous[k].before);
    if (row == 0) to = before.t;
    else if (row <= m.n_x) to = before.x[row - 1];
    else if (row <= m.n_x + m.n_z) to = before.z[row - 1 - m.n_x];
    else to = u[row - 1 - m.n_x - m.n_z];
  }
}

// pre(m) := m; true when that changes one.
bool Hybrid::move_pre() {
  bool changed = false;
  for (std::size_t i = 0; i < hybrid_->n_m; ++i)
    if (const bolza_discrete& d = hybrid_->discrete[i]; d.before >= 0)
      changed = assign(d.before, shared(d.now), i) || changed;
  return changed;
}

SimulateStatus Hybrid::reinitialise(State& s, std::span<const double> u, bool& set) {
  if (!values(Part::reinit, s, u, reinit_)) return not_finite(s);
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; k < hybrid_->n_reinits; ++k) {
    if (!(reinit_[k] > 0.5)) continue;
    rows.push_back(k);
    s.x[static_cast<std::size_t>(hybrid_->reinit_state[k])] = reinit_[hybrid_->n_reinits + k];
    set = true;
  }
  if (firings_ && !rows.empty()) firings_->push_back({std::move(rows), model_.shared});
  return SimulateStatus::finished;
}

std::vector<double> Hybrid::discrete_values() const {
  std::vector<double> values;
  for (std::size_t i = 0; i < hybrid_->n_m; ++i) values.push_back(value(i));
  return values;
}

// From the simplified equations (share 0) to the actual ones (share 1), each point from an extrapolation of the two before.
SimulateStatus Hybrid::follow_homotopy(State& s, std::span<const double> u, const Solve& solve) {
  struct Found {
    double share = 0;
    State state;
    std::vector<double> discrete;
  };
  const Found guess{1, s, discrete_values()};
  auto go_to = [&](const Found& from) {
    s = from.state;
    for (std::size_t i = 0; i < hybrid_->n_m; ++i) shared(hybrid_->discrete[i].now) = from.discrete[i];
  };
  auto extrapolate = [&](const Found& last, const Found& before, double share) {
    if (!(last.share > before.share) || last.discrete != before.discrete) return;
    double factor = (share - last.share) / (last.share - before.share);
    for (std::size_t i = 0; i < s.x.size(); ++i) s.x[i] += factor * (last.state.x[i] - before.state.x[i]);
    for (std::size_t i = 0; i < s.z.size(); ++i) s.z[i] += factor * (last.state.z[i] - before.state.z[i]);
  };
  double& share = shared(hybrid_->homotopy);
  share = 0;
  Found last, before;
  bool reached = settle(s, u, solve, true) == SimulateStatus::finished;
  if (reached) last = before = {0, s, discrete_values()};
  for (double step = 0.25; reached && last.share < 1 && step >= shortest_homotopy;) {
    go_to(last);
    share = std::min(1.0, last.share + step);
    extrapolate(last, before, share);
    if (settle(s, u, solve, true) != SimulateStatus::finished) {
      step *= 0.5;
      continue;
    }
    before = std::move(last);
    last = {share, s, discrete_values()};
    step *= 2;
  }
  share = 1;
  if (reached && last.share >= 1) return SimulateStatus::finished;
  go_to(guess);
  return settle(s, u, solve, true);
}

SimulateStatus Hybrid::initialise(State& s, std::span<const double> u, const Solve& solve) {
  if (!hybrid_) return solve(s);
  late_ = followed_ = false;
  outer_ = 0;
  if (hybrid_->initial >= 0) shared(hybrid_->initial) = 1;
  remember(s, u);
  bool changed = false;
  update(s, u, true, 0, changed);  // relations of the guesses; where they are not finite the start values stay
  SimulateStatus status = hybrid_->homotopy >= 0 ? follow_homotopy(s, u, solve) : settle(s, u, solve, true);
  if (hybrid_->initial >= 0) shared(hybrid_->initial) = 0;
  if (status == SimulateStatus::finished) {
    move_pre();
    remember(s, u);
  }
  return status;
}

SimulateStatus Hybrid::event(const State& before, State& s, std::span<const double> u, const Solve& solve) {
  if (!hybrid_) return solve(s);
  late_ = followed_ = false;
  move_pre();
  for (std::size_t iteration = 0; iteration < most_event_iterations; ++iteration) {
    calm(iteration, most_event_iterations);
    outer_ = iteration;
    remember(iteration == 0 ? before : s, u);  // what the iteration before left
    if (SimulateStatus status = settle(s, u, solve, false); status != SimulateStatus::finished) return status;
    if (SimulateStatus status = check(s, u); status != SimulateStatus::finished) return status;  // a `when` fires here only
    if (SimulateStatus status = call(s.t, Calls::of_when); status != SimulateStatus::finished) return status;
    bool again = false;
    if (SimulateStatus status = reinitialise(s, u, again); status != SimulateStatus::finished) return status;
    for (std::size_t k = 0; k < hybrid_->n_samples; ++k)  // true in the first iteration only
      again = assign(hybrid_->samples[k].entry, 0, hybrid_->n_m) || again;
    again = move_pre() || again;
    if (!again) return call(s.t, Calls::at_events);
  }
  return unsettled(s.t);
}

SimulateStatus Hybrid::unsettled(double t) {
  abi::Finding& f = report_.finding;
  f = {};
  f.time = t;
  std::string names;
  int shown = 0;
  for (std::size_t i = 0; i < hybrid_->n_m; ++i) {
    if (!restless_[i]) continue;
    const bolza_variable& v = hybrid_->discrete[i].variable;
    if (shown == 0) {
      f.name = v.name ? v.name : "";
      place(f, v.source);
    }
    if (shown < 6) names += std::string(shown ? ", " : "") + "`" + (v.name ? v.name : "") + "`";
    else if (shown == 6) names += ", …";
    ++shown;
  }
  if (!shown) names = "a state that is set again and again";
  report_.message = "the iteration of the event does not end; what keeps changing: " + names;
  f.text = report_.message;
  return SimulateStatus::event_iteration;
}

// A value that is not finite at an event.
SimulateStatus Hybrid::not_finite(const State& s) {
  const nonlinear::ModelAt::Trouble trouble = model_.trouble();
  if (trouble.place && objects_to(*trouble.place)) return SimulateStatus::assertion;
  report_.finding = nonlinear::finding_of(trouble);
  report_.finding.time = s.t;
  report_.message = (trouble.text.empty() ? "a value is not finite" : trouble.text) + " at an event";
  return SimulateStatus::nonfinite;
}

bool Hybrid::objects_to(const abi::NonfinitePlace& place) {
  const bolza_model& m = model_.model();
  if (!hybrid_ || conditions_.empty() || place.point.size() != 1 + m.n_x + m.n_z + m.n_u) return false;
  std::vector<double> shared = std::exchange(model_.shared, place.shared);
  const double* x = place.point.data() + 1;
  model_.value(Part::conditions, {place.point[0], x, x + m.n_x, x + m.n_x + m.n_z}, conditions_);
  model_.shared = std::move(shared);
  for (std::size_t k = 0; k < hybrid_->n_assertions; ++k)
    if (hybrid_->assertions[k].level == BOLZA_LEVEL_ERROR && conditions_[k] == 0) {
      violated(k, place.point[0]);
      return true;
    }
  return false;
}

}  // namespace bolza::integrate
