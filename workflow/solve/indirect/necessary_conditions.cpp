// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/indirect/necessary_conditions.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/numbers.h"

namespace bolza::workflow {
namespace {

using passes::ConstraintSide;
using passes::ControlArc;

constexpr double rounding = 1e-6;  ///< of the size of what has a sign, or a limit

class Contradictions {
 public:
  Contradictions(const BoundaryProblem& problem, const ArcStructure& structure, const abi::Solution& solution,
                 const std::vector<NamedValues>& values)
      : problem_(problem),
        structure_(structure),
        solution_(solution),
        values_(values),
        ends_(slots_of_ends(problem, solution, values)) {}

  std::vector<abi::Finding> find() {
    for (std::size_t k = 0; k < values_.size(); ++k) {
      look_at_length(k);
      for (std::size_t j = 0; j < problem_.system.u.size(); ++j) look_at_control(k, j);
      for (const auto& [path, name] : problem_.text.arcs[k].paths) {
        const passes::LimitedPath& limit = problem_.system.paths[path.path];
        if (limit.lower == limit.upper) continue;
        phase_ = limit.phase;
        look(k, column(k, name), 1, largest(name), "`" + problem_.system.paths[path.path].text + "` was taken as active",
             "its multiplier has the wrong sign");
      }
      look_at_paths(k);
    }
    look_at_points();
    look_at_parameters();
    return std::move(out_);
  }

 private:
  const std::vector<double>& column(std::size_t arc, const std::string& name) const { return values_[arc].at(name); }

  std::string arc_name(std::size_t k) const {
    return "arc " + std::to_string(k + 1) + " (" + text_of(problem_.system, structure_.sequence.arcs[k]) + ")";
  }

  double largest(const std::string& name) const {
    double size = 0;
    for (const NamedValues& arc : values_)
      if (auto found = arc.find(name); found != arc.end())
        for (double value : found->second) size = std::max(size, std::fabs(value));
    return size;
  }

  void add(std::string text, double time) {
    abi::Finding finding;
    finding.kind = abi::Finding::Kind::conflict;
    finding.text = std::move(text);
    finding.time = time;
    out_.push_back(std::move(finding));
  }

  /// sign · value must not be negative, but for rounding.
  void look(std::size_t arc, const std::vector<double>& values, double sign, double size, const std::string& assumed,
            const std::string& contradicts) {
    auto worst = std::ranges::min_element(values, {}, [&](double v) { return sign * v; });
    if (worst == values.end() || sign * *worst >= -rounding * std::max(size, 1e-300)) return;
    double time = column(arc, time_of_arc)[static_cast<std::size_t>(worst - values.begin())];
    add("in " + arc_name(arc) + " " + assumed + ", and " + contradicts + ": " + shown(*worst, 3),
        time_in(problem_, ends_, phase_, time));
  }

  void look_at_length(std::size_t k) {
    const abi::PhaseSolution& phase = solution_.phases[k];
    double horizon = solution_.phases.back().final_time - solution_.phases.front().start_time;
    if (phase.final_time - phase.start_time >= -rounding * std::fabs(horizon)) return;
    add(arc_name(k) + " was taken as a part of the optimum, and its length is negative: " +
            shown(phase.final_time - phase.start_time, 3),
        phase.start_time);
  }

  std::size_t phase_of_control(std::size_t j) const {
    const std::vector<passes::PhaseOfSystem>& phases = problem_.system.phases;
    std::size_t p = 0;
    while (j >= phases[p].u.first + phases[p].u.n) ++p;
    return p;
  }

  void look_at_control(std::size_t k, std::size_t j) {
    phase_ = phase_of_control(j);
    const std::string& u = problem_.text.controls[j];
    const std::string& switching = problem_.text.switching[j];
    ControlArc arc = structure_.sequence.arcs[k].controls[j];
    if (arc == ControlArc::lower || arc == ControlArc::upper) {
      bool lower = arc == ControlArc::lower;
      return look(k, column(k, switching), lower ? 1 : -1, largest(switching),
                  "`" + u + "` was taken at its " + (lower ? "lower" : "upper") + " bound",
                  "∂H/∂" + u + " has the wrong sign there");
    }
    if (const std::string& convexity = problem_.text.arcs[k].convexity[j]; !convexity.empty())
      look(k, column(k, convexity), 1, largest(convexity), "`" + u + "` was taken as singular",
           "the generalised Legendre-Clebsch condition does not hold");
    look_at_bound(k, column(k, u), problem_.system.u_min[j], problem_.system.u_max[j],
                  "`" + u + "` was taken between its bounds");
  }

  void look_at_bound(std::size_t k, const std::vector<double>& values, double lower, double upper,
                     const std::string& assumed) {
    double size = 0;
    for (double value : values) size = std::max(size, std::fabs(value));
    for (auto [bound, sign] : {std::pair{lower, 1.0}, std::pair{upper, -1.0}}) {
      if (!std::isfinite(bound)) continue;
      std::vector<double> room;
      for (double value : values) room.push_back(sign * (value - bound));
      look(k, room, 1, std::max(size, std::fabs(bound)), assumed,
           "it goes beyond " + shown(bound) + ", the room that is left being");
    }
  }

  /// Limits that are not active on an arc.
  void look_at_paths(std::size_t k) {
    for (std::size_t c = 0; c < problem_.system.paths.size(); ++c) {
      const passes::LimitedPath& path = problem_.system.paths[c];
      auto is_this = [&](const passes::ActivePath& active) { return active.path == c; };
      if (std::ranges::any_of(structure_.sequence.arcs[k].active, is_this)) continue;
      phase_ = path.phase;
      std::vector<double> values;
      for (std::size_t i = 0; i < column(k, time_of_arc).size(); ++i)
        values.push_back(
            driver::evaluate(problem_.system, std::span(&path.value, 1), slots_of(problem_, solution_, values_[k], i))[0]);
      look_at_bound(k, values, path.lower, path.upper, "the limit `" + path.text + "` was taken to hold");
    }
  }

  void look_at_points() {
    const passes::OptimalitySystem& system = problem_.system;
    std::vector<ir::ExprId> roots;
    for (const passes::LimitedPoint& point : system.points) roots.push_back(point.value);
    std::vector<double> at_ends = driver::evaluate(system, roots, ends_);
    double largest = 0;
    for (const std::string& name : problem_.text.point_multipliers)
      if (!name.empty()) largest = std::max(largest, std::fabs(parameter_of(problem_, solution_, name)));
    for (std::size_t c = 0; c < system.points.size(); ++c) {
      const passes::LimitedPoint& point = system.points[c];
      if (point.lower == point.upper) continue;
      std::optional<ConstraintSide> side;
      if (c < structure_.sequence.point.size()) side = structure_.sequence.point[c];
      if (!side) {
        look_at_limit(at_ends[c], point.lower, point.upper, "the limit `" + point.text + "` at an end was taken to hold");
        continue;
      }
      double nu = parameter_of(problem_, solution_, problem_.text.point_multipliers[c]);
      if ((*side == ConstraintSide::upper ? nu : -nu) < -rounding * largest)
        add("`" + point.text + "` was taken as active, and its multiplier has the wrong sign: " + shown(nu, 3),
            std::nan(""));
    }
  }

  /// A number that is to be between two others.
  void look_at_limit(double value, double lower, double upper, const std::string& assumed) {
    for (auto [bound, sign] : {std::pair{lower, 1.0}, std::pair{upper, -1.0}}) {
      double room = sign * (value - bound), size = std::max(std::fabs(value), std::fabs(bound));
      if (std::isfinite(bound) && room < -rounding * size)
        add(assumed + ", and it is " + shown(value, 7) + ", beyond " + shown(bound), std::nan(""));
    }
  }

  /// Parameters that were taken between their bounds, and what the objective does where one was taken at a bound: the
  /// derivative of it by p is ∫ ∂H/∂p dt + ∂/∂p of φ + Σ ν k.
  void look_at_parameters() {
    for (std::size_t i = 0; i < problem_.text.sought.size(); ++i) {
      const passes::ParameterOfSystem& p = problem_.text.sought[i];
      std::string name = "`" + problem_.system.names[p.p] + "`";
      const auto& bounds = structure_.sequence.parameters;
      if (i >= bounds.size() || !bounds[i]) {
        double value = parameter_of(problem_, solution_, problem_.system.names[p.p]);
        look_at_limit(value, p.lower, p.upper, "the parameter " + name + " was taken between its bounds");
        continue;
      }
      auto [slope, size] = slope_by(p);
      bool lower = *bounds[i] == p.lower;
      if ((lower ? slope : -slope) < -rounding * size)
        add("the parameter " + name + " was taken at its " + (lower ? "lower" : "upper") +
                " bound, and the objective falls away from it: its derivative is " + shown(slope, 3),
            std::nan(""));
    }
  }

  /// The derivative of the objective by a parameter, and the sum of what it is made of without signs.
  std::pair<double, double> slope_by(const passes::ParameterOfSystem& p) {
    passes::OptimalitySystem system = problem_.system;
    ir::ExprId of_ends = system.derivative(problem_.text.lagrangian_of_ends, p.p);
    double slope = driver::evaluate(system, std::span(&of_ends, 1), ends_)[0];
    double size = std::fabs(slope);
    for (std::size_t k = 0; k < values_.size(); ++k) {
      ir::ExprId by_p = system.derivative(problem_.text.arcs[k].hamiltonian, p.p);
      const std::vector<double>& time = column(k, time_of_arc);
      double before = 0;
      for (std::size_t i = 0; i < time.size(); ++i) {
        double now = driver::evaluate(system, std::span(&by_p, 1), slots_of(problem_, solution_, values_[k], i))[0];
        double part = i > 0 ? 0.5 * (before + now) * (time[i] - time[i - 1]) : 0;
        slope += part;
        size += std::fabs(part);
        before = now;
      }
    }
    return {slope, size};
  }

  const BoundaryProblem& problem_;
  const ArcStructure& structure_;
  const abi::Solution& solution_;
  const std::vector<NamedValues>& values_;
  std::vector<double> ends_;  // slots of functions of both ends
  std::size_t phase_ = 0;     // that what is looked at belongs to
  std::vector<abi::Finding> out_;
};

}  // namespace

std::vector<abi::Finding> contradictions(const BoundaryProblem& problem, const ArcStructure& structure,
                                         const abi::Solution& solution, const std::vector<NamedValues>& values) {
  return Contradictions(problem, structure, solution, values).find();
}

std::vector<abi::Finding> impossible_junctions(const BoundaryProblem& problem, const ArcStructure& structure) {
  std::vector<abi::Finding> out;
  auto is_bound = [](ControlArc arc) { return arc == ControlArc::lower || arc == ControlArc::upper; };
  const std::vector<passes::OptimalityArc>& arcs = structure.sequence.arcs;
  for (std::size_t k = 0; k + 1 < arcs.size(); ++k)
    for (std::size_t j = 0; j < problem.system.u.size(); ++j) {
      int order = std::max(problem.text.arcs[k].singular_order[j], problem.text.arcs[k + 1].singular_order[j]);
      bool beside_bound = is_bound(arcs[k].controls[j]) || is_bound(arcs[k + 1].controls[j]);
      if (order == 0 || order % 2 != 0 || !beside_bound) continue;
      abi::Finding finding;
      finding.kind = abi::Finding::Kind::conflict;
      finding.text = "a singular arc of `" + problem.text.controls[j] + "` of order " + std::to_string(order) +
                     " was taken to meet an arc at a bound: an optimum passes between them by infinitely many switches only";
      finding.time = structure.times[k + 1];
      out.push_back(std::move(finding));
    }
  return out;
}

std::vector<double> slots_of_ends(const BoundaryProblem& problem, const abi::Solution& solution,
                                  const std::vector<NamedValues>& values) {
  const passes::OptimalitySystem& system = problem.system;
  std::vector<double> slots = system.value;
  slots.resize(system.names.size(), std::nan(""));
  for (std::size_t i = 0; i < problem.text.states.size(); ++i) {
    slots[system.states[i].at_start] = values.front().at(problem.text.states[i]).front();
    slots[system.states[i].at_end] = values.back().at(problem.text.states[i]).back();
  }
  for (const passes::ParameterOfSystem& p : system.parameters)
    slots[p.p] = parameter_of(problem, solution, system.names[p.p]);
  for (std::size_t k = 0; k < problem.text.point_slots.size(); ++k)
    if (std::uint32_t slot = problem.text.point_slots[k]; slot > 0)
      slots[slot] = parameter_of(problem, solution, problem.text.point_multipliers[k]);
  if (system.continued) slots[system.continued->p] = parameter_of(problem, solution, system.names[system.continued->p]);
  slots[system.start_time] = solution.phases.front().start_time;
  slots[system.final_time] = solution.phases.back().final_time;
  return slots;
}

double time_in(const BoundaryProblem& problem, const std::vector<double>& ends, std::size_t phase, double t) {
  const passes::OptimalitySystem& system = problem.system;
  if (!system.is_in_phases()) return t;
  double start = ends[system.phases[phase].start_time];
  return start + t * (ends[system.phases[phase].final_time] - start);
}

std::vector<double> slots_of(const BoundaryProblem& problem, const abi::Solution& solution, const NamedValues& values,
                             std::size_t i) {
  const passes::OptimalitySystem& system = problem.system;
  std::vector<double> slots = system.value;
  slots.resize(system.names.size(), std::nan(""));
  for (std::size_t k = 0; k < system.names.size(); ++k)
    if (auto found = values.find(system.names[k]); found != values.end() && std::isnan(slots[k]))
      slots[k] = found->second[i];
  slots[0] = values.at(time_of_arc)[i];
  for (const passes::ParameterOfSystem& p : system.parameters)
    slots[p.p] = parameter_of(problem, solution, system.names[p.p]);
  if (system.continued) slots[system.continued->p] = parameter_of(problem, solution, system.names[system.continued->p]);
  return slots;
}

}  // namespace bolza::workflow
