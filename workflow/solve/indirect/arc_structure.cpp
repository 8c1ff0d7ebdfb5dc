// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/indirect/arc_structure.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "workflow/solve/indirect/side_by_side.h"

namespace bolza::workflow {
namespace {

using passes::ActivePath;
using passes::ConstraintSide;
using passes::ControlArc;
using passes::OptimalityArc;

constexpr double at_bound = 2e-3;    ///< of the range of a control: how far the mean of an interval at a bound is from it
constexpr double active = 5e-4;      ///< of the size of a limit: how far it is from its side where it is active
constexpr double same_time = 1e-6;   ///< of the horizon: switches that are closer are one
constexpr double multiplier = 1e-3;  ///< of the largest: a point constraint with less is not active

/// An interval where an arc begins by a switch of one control, and the better time.
struct Moved {
  std::size_t interval = 0, control = 0;
  double time = 0;
};

/// The values of an interval: its points, without the start, which belongs to the interval before. Where values jump at its
/// end, the one before.
struct IntervalPoints {
  std::size_t first = 0, last = 0;  ///< of the times of the trajectories
  double begin = 0, end = 0;
};

class ArcReader {
 public:
  ArcReader(const Model& model, passes::OptimalitySystem& system, const abi::Solution& direct)
      : model_(model),
        system_(system),
        solution_(direct),
        phase_(direct.phases[0]) {
    for (std::size_t j = 0; j < system.u.size(); ++j) affine_.push_back(driver::is_affine_in(system, j));
  }

  ArcStructure read() {
    divide();
    read_paths();
    find_active();
    for (std::size_t k = 0; k < intervals_.size(); ++k) arcs_.push_back(arc_of(k));
    for (std::size_t j = 0; j < system_.u.size(); ++j) drop_switching_intervals(j);
    ArcStructure out;
    join(out);
    read_points(out.sequence);
    read_parameters(out.sequence);
    return out;
  }

 private:
  // ---------------------------------------------------------------- intervals

  void divide() {
    const std::vector<double>& time = phase_.trajectories.time;
    double t0 = phase_.start_time, length = phase_.final_time - t0;
    for (std::size_t k = 0; k + 1 < phase_.mesh.size(); ++k) {
      IntervalPoints interval{.begin = t0 + length * phase_.mesh[k], .end = t0 + length * phase_.mesh[k + 1]};
      double room = 1e-9 * length;
      auto place = [&](auto found) { return static_cast<std::size_t>(found - time.begin()); };
      std::size_t after_begin = place(std::upper_bound(time.begin(), time.end(), interval.begin + room));
      std::size_t at_end = place(std::lower_bound(time.begin(), time.end(), interval.end - room));
      interval.first = std::min(after_begin, time.size() - 1);
      interval.last = std::max(interval.first, std::min(at_end, time.size() - 1));
      intervals_.push_back(interval);
    }
  }

  double mean(const IntervalPoints& interval, const std::vector<double>& values) const {
    double sum = 0;
    for (std::size_t i = interval.first; i <= interval.last; ++i) sum += values[i];
    return sum / static_cast<double>(interval.last - interval.first + 1);
  }

  double allowance(std::size_t j) const {
    double low = system_.u_min[j], high = system_.u_max[j];
    if (std::isfinite(low) && std::isfinite(high)) return at_bound * (high - low);
    double size = 0;
    for (double u : phase_.trajectories.u[j]) size = std::max(size, std::fabs(u));
    return at_bound * size;
  }

  OptimalityArc arc_of(std::size_t k) const {
    const IntervalPoints& interval = intervals_[k];
    OptimalityArc arc;
    for (const auto& [path, where] : active_)
      if (where[k]) arc.active.push_back(path);
    for (std::size_t j = 0; j < system_.u.size(); ++j) {
      double u = mean(interval, phase_.trajectories.u[j]), room = allowance(j);
      arc.controls.push_back(u <= system_.u_min[j] + room       ? ControlArc::lower
                             : u >= system_.u_max[j] - room     ? ControlArc::upper
                             : affine_[j] && arc.active.empty() ? ControlArc::singular
                                                                : ControlArc::free);
    }
    return arc;
  }

  // ---------------------------------------------------------------- path constraints

  std::vector<double> slots_at(std::size_t i) const {
    std::vector<double> slots = system_.value;
    const abi::Trajectories& y = phase_.trajectories;
    slots[0] = y.time[i];
    for (std::size_t k = 0; k < system_.n_states; ++k) {
      slots[system_.states[k].x] = y.x[k][i];
      if (k < y.costate.size()) slots[system_.states[k].lambda] = y.costate[k][i];
    }
    for (std::size_t k = 0; k < system_.z.size(); ++k) slots[system_.z[k]] = y.z[k][i];
    for (std::size_t k = 0; k < system_.u.size(); ++k) slots[system_.u[k]] = y.u[k][i];
    for (const passes::ParameterOfSystem& p : system_.parameters) slots[p.p] = solution_.parameters[p.shared];
    return slots;
  }

  void read_paths() {
    std::vector<ir::ExprId> roots;
    for (const passes::LimitedPath& path : system_.paths) roots.push_back(path.value);
    values_.resize(roots.size());
    sizes_.assign(roots.size(), 0);
    for (std::size_t i = 0; i < phase_.trajectories.time.size() && !roots.empty(); ++i) {
      std::vector<double> at = driver::evaluate(system_, roots, slots_at(i));
      for (std::size_t c = 0; c < roots.size(); ++c) {
        values_[c].push_back(at[c]);
        sizes_[c] = std::max(sizes_[c], std::fabs(at[c]));
      }
    }
  }

  /// Where each limit holds as an equation, which equations do everywhere: an interval or two between such stretches belong
  /// to them, and one alone is where it is touched.
  void find_active() {
    constexpr std::size_t gap = 2, touch = 1;
    for (std::size_t c = 0; c < system_.paths.size(); ++c) {
      if (system_.paths[c].lower == system_.paths[c].upper) {
        active_.push_back({{c, ConstraintSide::upper}, std::vector<bool>(intervals_.size(), /*value=*/true)});
        continue;
      }
      if (!weighs(c)) continue;
      for (ConstraintSide side : {ConstraintSide::lower, ConstraintSide::upper}) {
        std::vector<bool> where;
        for (const IntervalPoints& interval : intervals_) where.push_back(is_active(c, side, interval));
        turn_short_runs(where, /*value=*/false, gap);
        turn_short_runs(where, /*value=*/true, touch);
        if (std::ranges::any_of(where, std::identity{})) active_.push_back({{c, side}, std::move(where)});
      }
    }
  }

  /// Whether the multipliers of a limit say that it costs something: a state that fades away comes near its bound, too.
  /// Where they are not known it may.
  bool weighs(std::size_t c) const {
    constexpr double share = 1e-5;  // of the objective, for a change of the limit by its size
    const std::vector<std::vector<double>>& all = phase_.interval_multiplier;
    std::size_t row = system_.paths[c].row;
    if (row >= all.size()) return true;
    double sum = std::accumulate(all[row].begin(), all[row].end(), 0.0);
    return sum * sizes_[c] > share * std::fabs(solution_.objective);
  }

  /// Runs of `value` that are no longer than `longest` and do not touch an end.
  static void turn_short_runs(std::vector<bool>& flags, bool value, std::size_t longest) {
    for (std::size_t k = 0; k < flags.size();) {
      std::size_t end = k;
      while (end < flags.size() && flags[end] == flags[k]) ++end;
      if (flags[k] == value && end - k <= longest && k > 0 && end < flags.size())
        std::fill(flags.begin() + static_cast<std::ptrdiff_t>(k), flags.begin() + static_cast<std::ptrdiff_t>(end), !value);
      k = end;
    }
  }

  bool is_active(std::size_t c, ConstraintSide side, const IntervalPoints& interval) const {
    const passes::LimitedPath& path = system_.paths[c];
    double bound = side == ConstraintSide::lower ? path.lower : path.upper;
    if (!std::isfinite(bound)) return false;
    double size = std::max(sizes_[c], std::fabs(bound));
    for (std::size_t i = interval.first; i <= interval.last; ++i)
      if (std::fabs(values_[c][i] - bound) > active * size) return false;
    return true;
  }

  // ---------------------------------------------------------------- arcs

  /// One or two intervals in which a control is between two bounds, or at the edge of a singular arc, are where it switches,
  /// unless H is convex in it there: the mean says when, as if it took the one value and then the other.
  void drop_switching_intervals(std::size_t j) {
    constexpr std::size_t longest = 2;
    for (std::size_t k = 0; k < arcs_.size();) {
      std::size_t end = k;
      while (end < arcs_.size() && arcs_[end].controls[j] == arcs_[k].controls[j]) ++end;
      if (is_inside(arcs_[k].controls[j]) && end - k <= longest && !is_convex(j, k, end)) fill(j, k, end);
      k = end;
    }
  }

  static bool is_inside(ControlArc arc) { return arc == ControlArc::singular || arc == ControlArc::free; }

  /// Whether ∂²H/∂u² is positive at all points of the intervals and for both bounds there, as far as it is known; not where
  /// H is affine.
  bool is_convex(std::size_t j, std::size_t first, std::size_t end) {
    bool limited = std::ranges::any_of(arcs_.begin() + static_cast<std::ptrdiff_t>(first),
                                       arcs_.begin() + static_cast<std::ptrdiff_t>(end),
                                       [](const OptimalityArc& arc) { return !arc.active.empty(); });
    if (affine_[j]) return limited;
    std::uint32_t u = system_.u[j];
    ir::ExprId curvature = system_.derivative(system_.derivative(system_.hamiltonian, u), u);
    for (std::size_t i = intervals_[first].first; i <= intervals_[end - 1].last; ++i) {
      std::vector<double> slots = slots_at(i);
      for (double at : {slots[u], system_.u_min[j], system_.u_max[j]}) {
        slots[u] = at;
        if (std::isfinite(at) && driver::evaluate(system_, std::span(&curvature, 1), slots)[0] <= 0) return false;
      }
    }
    return true;
  }

  void fill(std::size_t j, std::size_t first, std::size_t end) {
    if (first == 0 && end == arcs_.size()) return;
    ControlArc before = first > 0 ? arcs_[first - 1].controls[j] : arcs_[end].controls[j];
    ControlArc after = end < arcs_.size() ? arcs_[end].controls[j] : before;
    double a = value_of(j, before), b = value_of(j, after), sum = 0;
    double begin = intervals_[first].begin, length = intervals_[end - 1].end - begin;
    for (std::size_t k = first; k < end; ++k)
      sum += mean(intervals_[k], phase_.trajectories.u[j]) * (intervals_[k].end - intervals_[k].begin);
    double share = a != b ? std::clamp((sum / length - b) / (a - b), 0.0, 1.0) : 1;
    for (std::size_t k = first; k < end; ++k) arcs_[k].controls[j] = before;
    if (before != after) moved_.push_back({end, j, begin + share * length});
  }

  double value_of(std::size_t j, ControlArc arc) const {
    return arc == ControlArc::lower ? system_.u_min[j] : system_.u_max[j];
  }

  void join(ArcStructure& out) const {
    out.times.push_back(phase_.start_time);
    out.sequence.arcs.push_back(arcs_[0]);
    for (std::size_t k = 1; k < arcs_.size(); ++k)
      if (arcs_[k] != arcs_[k - 1]) join_at(k, out);
    out.times.push_back(phase_.final_time);
  }

  /// Controls that switch in one interval do so one after the other.
  void join_at(std::size_t k, ArcStructure& out) const {
    std::vector<Moved> moved;
    for (const Moved& m : moved_)
      if (m.interval == k) moved.push_back(m);
    if (moved.empty()) moved.push_back({k, 0, intervals_[k].begin});
    std::ranges::sort(moved, {}, &Moved::time);
    OptimalityArc arc = arcs_[k - 1];
    double room = same_time * (phase_.final_time - phase_.start_time);
    for (std::size_t m = 0; m < moved.size(); ++m) {
      if (!arc.controls.empty()) arc.controls[moved[m].control] = arcs_[k].controls[moved[m].control];
      bool last = m + 1 == moved.size();
      if (last) arc = arcs_[k];
      else if (moved[m + 1].time - moved[m].time < room) continue;
      out.sequence.arcs.push_back(arc);
      out.times.push_back(moved[m].time);
    }
  }

  // ---------------------------------------------------------------- point constraints, parameters

  void read_points(passes::ArcSequence& sequence) const {
    double largest = 0;
    for (double nu : solution_.point_multipliers) largest = std::max(largest, std::fabs(nu));
    for (double nu : solution_.point_multipliers) {
      bool is_active = std::fabs(nu) > multiplier * largest;
      sequence.point.emplace_back();
      if (is_active) sequence.point.back() = nu > 0 ? ConstraintSide::upper : ConstraintSide::lower;
    }
  }

  /// The size of a parameter: what is said of it, else its value, else, where that is nothing but what an engine leaves at a
  /// bound of zero, what it was solved with.
  double size_of(const passes::ParameterOfSystem& p) const {
    constexpr double nothing = 1e-7;
    const ir::Numbers& n = model_.problem.shared_numbers[p.shared];
    double size = std::max(std::fabs(solution_.parameters[p.shared]), std::fabs(n.guess));
    if (n.has_nominal) size = std::max(size, std::fabs(n.nominal));
    double scale = p.shared < solution_.parameter_scale.size() ? solution_.parameter_scale[p.shared] : 1;
    return size > nothing * scale ? size : scale;
  }

  void read_parameters(passes::ArcSequence& sequence) const {
    for (const passes::ParameterOfSystem& p : system_.parameters) {
      const ir::Numbers& n = model_.problem.shared_numbers[p.shared];
      double value = solution_.parameters[p.shared], room = active * size_of(p);
      sequence.parameters.emplace_back();
      if (value <= n.min + room) sequence.parameters.back() = n.min;
      if (value >= n.max - room) sequence.parameters.back() = n.max;
    }
  }

  const Model& model_;
  passes::OptimalitySystem& system_;
  const abi::Solution& solution_;
  const abi::PhaseSolution& phase_;
  std::vector<bool> affine_;  // [u]
  std::vector<IntervalPoints> intervals_;
  std::vector<OptimalityArc> arcs_;  // [intervals]
  std::vector<Moved> moved_;
  std::vector<std::vector<double>> values_;                       // [paths][times]
  std::vector<double> sizes_;                                     // [paths]
  std::vector<std::pair<ActivePath, std::vector<bool>>> active_;  // limits that are active somewhere, [intervals]
};

const char* words_for(ControlArc arc) {
  switch (arc) {
    case ControlArc::law:
      return "minimises H";
    case ControlArc::free:
      return "between its bounds";
    case ControlArc::lower:
      return "at its lower bound";
    case ControlArc::upper:
      return "at its upper bound";
    case ControlArc::singular:
      return "singular";
  }
  return "";
}

}  // namespace

ArcStructure arcs_of(const Model& model, passes::OptimalitySystem& system, const abi::Solution& direct) {
  if (!system.is_in_phases()) return ArcReader(model, system, direct).read();
  abi::Solution side_by_side = phases_side_by_side(system, direct);
  return ArcReader(model, system, side_by_side).read();
}

std::string text_of(const passes::OptimalitySystem& system, const passes::OptimalityArc& arc) {
  std::string text;
  for (std::size_t p = 0; p < system.phases.size(); ++p) {
    std::string own = text_of(system, part_of(system, arc, p), p);
    text += (text.empty() || own.empty() ? "" : ", ") + own;
  }
  return text.empty() ? "no control" : text;
}

OptimalityArc part_of(const passes::OptimalitySystem& system, const OptimalityArc& arc, std::size_t phase) {
  const passes::SlotRange& u = system.phases[phase].u;
  auto first = arc.controls.begin() + static_cast<std::ptrdiff_t>(u.first);
  OptimalityArc part{.controls = {first, first + static_cast<std::ptrdiff_t>(u.n)}};
  for (const ActivePath& path : arc.active)
    if (system.paths[path.path].phase == phase) part.active.push_back(path);
  return part;
}

std::string text_of(const passes::OptimalitySystem& system, const OptimalityArc& part, std::size_t phase) {
  std::string text;
  std::size_t first = system.phases[phase].u.first;
  for (std::size_t j = 0; j < part.controls.size(); ++j)
    text += (text.empty() ? "`" : ", `") + system.names[system.u[first + j]] + "` " + words_for(part.controls[j]);
  for (const ActivePath& path : part.active)
    text += (text.empty() ? "" : "; ") + system.paths[path.path].text + " is active";
  return text;
}

}  // namespace bolza::workflow
