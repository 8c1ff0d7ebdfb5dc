// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/pontryagin/optimality_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "compiler/ir/print.h"
#include "compiler/passes/system/codes.h"

namespace bolza::passes {
namespace {

constexpr const char* indent = "  ";

class OptimalityWriter {
 public:
  OptimalityWriter(OptimalitySystem& system, const ir::Problem& problem, const ArcSequence& sequence, TextPurpose purpose)
      : s_(system),
        problem_(problem),
        sequence_(sequence),
        reading_(purpose == TextPurpose::reading) {}

  Result<OptimalityText> write(Diagnostics& diagnostics) {
    if (!look_for_optimum(diagnostics)) return diagnostics.already_reported();
    fix_parameters_at_bounds();
    name_all();
    for (const OptimalityArc& arc : sequence_.arcs) {
      auto conditions = conditions_of(s_, arc, problem_, diagnostics);
      if (!conditions) return diagnostics.already_reported();
      conditions_.push_back(*std::move(conditions));
    }
    name_arcs();
    std::string conditions_text = boundary_conditions();  // gives multipliers their names
    for (std::size_t k = 0; k < n_arcs(); ++k)
      for (std::size_t j = 0; j < s_.u.size(); ++j)
        if (is_state(k, j)) conditions_text += line(at_start(k, switching_[j]) + " = 0");
    for (std::size_t k = 0; k < n_arcs(); ++k)
      for (const PathCondition& path : conditions_[k].paths)
        if (path.drift) conditions_text += line(at_start_of(k, path.equation) + " = 0");
    for (std::size_t k = 1; k < n_arcs(); ++k) conditions_text += junction(k - 1, k);
    if (s_.continued) conditions_text += curve_condition();
    out_.text = n_arcs() == 1 ? class_of_one_arc(conditions_text) : class_of_arcs(conditions_text);
    return std::move(out_);
  }

 private:
  std::size_t n_arcs() const { return sequence_.arcs.size(); }

  /// Is anything left to be optimised?
  Result<Done> look_for_optimum(Diagnostics& diagnostics) {
    if (!s_.u.empty()) return Done{};
    std::size_t unknowns = s_.parameters.size() + is_free_time(s_.start_time) + is_free_time(s_.final_time), equations = 0;
    for (const StateOfSystem& state : s_.states) unknowns += !state.fixed;
    for (const LimitedPoint& point : s_.points) equations += point.lower == point.upper;
    plain_ = unknowns == equations;
    bool aimless = s_.dag().is_number(s_.running, 0) && s_.dag().is_number(s_.end_cost);
    if (plain_ || !aimless) return Done{};
    return diagnostics.error(no_conditions, problem_.flat.span,
                             {problem_.flat.name, "it has no control and no objective, and " + std::to_string(equations) +
                                                      " conditions for " + std::to_string(unknowns) + " unknowns"});
  }

  void fix_parameters_at_bounds() {
    out_.sought = s_.parameters;
    if (plain_ || sequence_.parameters.empty()) return;
    std::vector<ParameterOfSystem> free;
    for (std::size_t i = 0; i < s_.parameters.size(); ++i) {
      free_.push_back(!sequence_.parameters[i]);
      if (free_.back()) free.push_back(s_.parameters[i]);
      else {
        s_.value[s_.parameters[i].p] = *sequence_.parameters[i];
        s_.fixed.push_back(s_.parameters[i].p);
      }
    }
    s_.parameters = std::move(free);
  }

  // ---------------------------------------------------------------- names

  void name_all() {
    out_.class_name = problem_.flat.name;
    std::ranges::replace(out_.class_name, '.', '_');
    out_.class_name += "_pontryagin";
    for (const StateOfSystem& state : s_.states) {
      out_.states.push_back(s_.names[state.x]);
      if (!plain_) out_.costates.push_back(s_.names[state.lambda]);
    }
    for (std::uint32_t u : s_.u) {
      out_.controls.push_back(s_.names[u]);
      switching_.push_back(s_.add_distinct("H_" + s_.names[u]));
      out_.switching.push_back(s_.names[switching_.back()]);
    }
    for (std::uint32_t z : s_.z) out_.z.push_back(s_.names[z]);
    for (std::uint32_t mu : s_.mu) out_.mu.push_back(s_.names[mu]);
    std::size_t next = 0;
    for (std::size_t i = 0; i < std::max(free_.size(), s_.parameters.size()); ++i)
      out_.parameters.push_back(free_.empty() || free_[i] ? s_.names[s_.parameters[next++].p] : "");
    hamiltonian_ = s_.add_distinct("H");
    out_.hamiltonian = s_.names[hamiltonian_];
    if (s_.dag().is_number(s_.running, 0)) return;
    cost_ = s_.add_distinct("cost");
    out_.cost = s_.names[*cost_];
  }

  void name_arcs() {
    for (std::size_t k = 0; k < n_arcs(); ++k) {
      ArcOfText arc{.prefix = n_arcs() == 1 ? "" : "arc" + std::to_string(k + 1) + "."};
      for (std::size_t j = 0; j < s_.u.size(); ++j) {
        arc.singular_order.push_back(conditions_[k].controls[j].order);
        arc.convexity.push_back(arc.singular_order.back() > 0 ? "convexity_" + s_.names[s_.u[j]] : "");
      }
      arc.hamiltonian = conditions_[k].hamiltonian;
      for (const PathCondition& path : conditions_[k].paths) {
        arc.paths.emplace_back(path.path, s_.names[path.multiplier]);
        arc.path_orders.push_back(path.order);
        arc.path_entries.push_back(path.entry);
      }
      out_.arcs.push_back(std::move(arc));
    }
  }

  // ---------------------------------------------------------------- expressions

  /// Is the slot the value of a state at that end?
  bool is_among(std::uint32_t slot, std::uint32_t StateOfSystem::* end) const {
    return std::ranges::any_of(s_.states, [&](const StateOfSystem& state) { return slot == state.*end; });
  }

  /// Inside of an arc's class.
  std::string inside(ExprId e) {
    return ir::to_text(s_.expressions, e,
                       [&](ir::Op, std::uint32_t k) {
                         bool is_time = k == s_.start_time || k == s_.final_time;
                         return is_time && !std::isnan(s_.value[k]) ? ir::to_text(s_.value[k]) : identifier_of(s_.names[k]);
                       },
                       {.limit = std::numeric_limits<std::size_t>::max()});
  }

  std::string at(std::size_t arc, std::uint32_t slot, const char* time) const {
    return out_.arcs[arc].prefix + identifier_of(s_.names[slot]) + "(" + time + ")";
  }
  std::string at_start(std::size_t arc, std::uint32_t slot) const { return at(arc, slot, "startTime"); }
  std::string at_end(std::size_t arc, std::uint32_t slot) const { return at(arc, slot, "finalTime"); }

  /// Of values at both ends, parameters and times.
  std::string outside(ExprId e) {
    auto leaf = [&](ir::Op, std::uint32_t k) {
      if (k == s_.start_time) return out_.arcs.front().prefix + "startTime";
      if (k == s_.final_time) return out_.arcs.back().prefix + "finalTime";
      if (is_among(k, &StateOfSystem::at_start)) return at_start(0, k);
      if (is_among(k, &StateOfSystem::at_end)) return at_end(n_arcs() - 1, k);
      return std::isnan(s_.value[k]) ? identifier_of(s_.names[k]) : ir::to_text(s_.value[k]);
    };
    return ir::to_text(s_.expressions, e, leaf, {.limit = std::numeric_limits<std::size_t>::max()});
  }

  /// In states and costates, at the start of an arc.
  std::string at_start_of(std::size_t arc, ExprId e) {
    auto leaf = [&](ir::Op, std::uint32_t k) {
      if (!std::isnan(s_.value[k])) return ir::to_text(s_.value[k]);
      if (k == 0) return out_.arcs[arc].prefix + "startTime";
      bool is_parameter = std::ranges::any_of(s_.parameters, [&](const auto& p) { return p.p == k; }) ||
                          (s_.continued && s_.continued->p == k);
      return is_parameter ? identifier_of(s_.names[k]) : at_start(arc, k);
    };
    return ir::to_text(s_.expressions, e, leaf, {.limit = std::numeric_limits<std::size_t>::max()});
  }

  static std::string line(const std::string& text, int depth = 1) {
    std::string out;
    for (int k = 0; k < depth; ++k) out += indent;
    return out + text + ";\n";
  }

  // ---------------------------------------------------------------- both ends

  bool is_active(std::size_t k) const {
    const LimitedPoint& point = s_.points[k];
    if (plain_) return point.lower == point.upper;
    return point.lower == point.upper || (k < sequence_.point.size() && sequence_.point[k]);
  }

  /// φ + Σ ν k, and the rows that hold.
  ExprId lagrangian_of_ends(std::string& rows) {
    ir::Dag& dag = s_.dag();
    ExprId sum = s_.end_cost;
    for (std::size_t k = 0; k < s_.points.size(); ++k) {
      out_.point_multipliers.emplace_back();
      out_.point_slots.push_back(0);
      if (!is_active(k)) continue;
      const LimitedPoint& point = s_.points[k];
      bool upper = point.lower == point.upper || *sequence_.point[k] == ConstraintSide::upper;
      std::uint32_t nu = s_.add_distinct("nu_end" + std::to_string(k + 1));
      if (!plain_) {
        out_.point_multipliers.back() = s_.names[nu];
        out_.point_slots.back() = nu;
        multipliers_.push_back(nu);
        sum = dag.add(sum, dag.mul(s_.slot(nu), point.value));
      }
      rows += line(outside(point.value) + " = " + ir::to_text(upper ? point.upper : point.lower));
    }
    return sum;
  }

  bool is_free_time(std::uint32_t slot) const { return std::isnan(s_.value[slot]); }

  std::string boundary_conditions() {
    std::string text;
    ExprId sum = out_.lagrangian_of_ends = lagrangian_of_ends(text);
    if (plain_) return text;
    ir::Dag& dag = s_.dag();
    std::size_t last = n_arcs() - 1;
    for (const StateOfSystem& state : s_.states)
      if (!state.fixed)
        text += line(at_start(0, state.lambda) + " = " + outside(dag.neg(s_.derivative(sum, state.at_start))));
    for (const StateOfSystem& state : s_.states) {
      out_.end_costates.push_back(s_.derivative(sum, state.at_end));
      text += line(at_end(last, state.lambda) + " = " + outside(out_.end_costates.back()));
    }
    for (const ParameterOfSystem& p : s_.parameters)
      text += line(at_end(last, p.lambda) + " = " + outside(s_.derivative(sum, p.p)));
    if (is_free_time(s_.start_time))
      text += line(at_start(0, hamiltonian_) + " = " + outside(s_.derivative(sum, s_.start_time)));
    if (is_free_time(s_.final_time))
      text += line(at_end(last, hamiltonian_) + " = " + outside(dag.neg(s_.derivative(sum, s_.final_time))));
    return text;
  }

  // ---------------------------------------------------------------- between arcs

  /// What the costate of a state or a parameter jumps by where constraints of order 1 and more begin: Σ π ∂g/∂x.
  std::string jump_of(std::size_t arc, std::uint32_t x) {
    std::string text;
    for (std::size_t c = 0; c < conditions_[arc].paths.size(); ++c) {
      if (!begins(arc, c)) continue;
      const PathCondition& path = conditions_[arc].paths[c];
      for (std::size_t k = 0; k < path.entry.size(); ++k) {
        ExprId slope = s_.derivative(path.entry[k], x);
        if (!s_.dag().is_number(slope, 0)) text += " - " + pi_name(arc, c, k) + "*(" + at_start_of(arc, slope) + ")";
      }
    }
    return text;
  }

  /// Whether the constraint is not active on the arc before.
  bool begins(std::size_t arc, std::size_t c) const {
    const auto& before = sequence_.arcs[arc - 1].active;
    return std::ranges::find(before, conditions_[arc].paths[c].path) == before.end();
  }

  static std::string pi_name(std::size_t arc, std::size_t c, std::size_t k) {
    return "pi_" + std::to_string(arc + 1) + "_" + std::to_string(c + 1) + "_" + std::to_string(k);
  }

  std::string junction(std::size_t before, std::size_t after) {
    std::string text;
    auto goes_on = [&](std::uint32_t slot, const std::string& jump) {
      text += line(at_start(after, slot) + " = " + at_end(before, slot) + jump);
    };
    for (const StateOfSystem& state : s_.states) goes_on(state.x, "");
    for (const StateOfSystem& state : s_.states) goes_on(state.lambda, jump_of(after, state.x));
    for (const ParameterOfSystem& p : s_.parameters) goes_on(p.lambda, jump_of(after, p.p));
    if (cost_) goes_on(*cost_, "");
    for (std::size_t c = 0; c < conditions_[after].paths.size(); ++c)
      if (begins(after, c)) text += entry_of(before, after, c);
    for (const PathCondition& path : conditions_[before].paths)
      if (const auto& next = sequence_.arcs[after].active; std::ranges::find(next, path.path) == next.end())
        text += line(at_end(before, path.multiplier) + " = 0");
    if (sequence_.arcs[before].active == sequence_.arcs[after].active)
      for (std::size_t j = 0; j < s_.u.size(); ++j) text += switch_of(before, after, j);
    return text;
  }

  std::string entry_of(std::size_t before, std::size_t after, std::size_t c) {
    const PathCondition& path = conditions_[after].paths[c];
    if (path.order == 0) return line(at_start(after, path.multiplier) + " = 0");
    std::string text;
    for (std::size_t k = 0; k < path.entry.size(); ++k) {
      pis_.push_back(pi_name(after, c, k));
      text += line(at_start_of(after, path.entry[k]) + " = 0");
    }
    for (std::size_t j = 0; j < s_.u.size(); ++j) {
      if (s_.dag().is_number(s_.derivative(path.equation, s_.u[j]), 0)) continue;
      bool affine = conditions_[before].controls[j].is_affine;
      text += affine ? line(at_end(before, switching_[j]) + " = 0")
                     : line(at_start(after, s_.u[j]) + " = " + at_end(before, s_.u[j]));
      break;  // one condition for the time of entry
    }
    return text;
  }

  /// The condition that tells when a control changes its case.
  std::string switch_of(std::size_t before, std::size_t after, std::size_t j) {
    ControlArc from = sequence_.arcs[before].controls[j], to = sequence_.arcs[after].controls[j];
    if (from == to || from == ControlArc::singular) return "";
    auto is_bound = [](ControlArc arc) { return arc == ControlArc::lower || arc == ControlArc::upper; };
    if (is_bound(from) && is_bound(to) && !conditions_[before].controls[j].is_affine)
      return line(at_start(after, hamiltonian_) + " = " + at_end(before, hamiltonian_));
    if (to != ControlArc::singular)
      return line((from == ControlArc::free ? at_start(after, switching_[j]) : at_end(before, switching_[j])) + " = 0");
    std::string text;
    for (ExprId e : conditions_[after].controls[j].flat) text += line(at_start_of(after, e) + " = 0");
    return text;
  }

  // ---------------------------------------------------------------- declarations and equations of an arc

  std::string declaration(const std::string& name, const std::string& attributes, const std::string& description,
                          int depth) const {
    std::string comment = description.empty() ? "" : " \"" + description + "\"";
    return line("Real " + identifier_of(name) + (attributes.empty() ? "" : "(" + attributes + ")") + comment, depth);
  }

  std::string start_parameter(std::uint32_t slot) const { return s_.names[slot] + "_0"; }

  std::string costate_start(std::uint32_t slot) const {
    return reading_ ? "start = " + identifier_of(start_parameter(slot)) + ", fixed = true" : "";
  }

  std::string parameters_of_class(int depth) {
    std::string text;
    for (std::uint32_t k : s_.fixed)
      text += line("parameter Real " + identifier_of(s_.names[k]) + " = " + ir::to_text(s_.value[k]), depth);
    return text;
  }

  /// States and parameters whose costates are in the class.
  std::span<const StateOfSystem> with_costates() const {
    return plain_ ? std::span<const StateOfSystem>() : std::span<const StateOfSystem>(s_.states);
  }
  std::span<const ParameterOfSystem> costates_of_parameters() const {
    return plain_ ? std::span<const ParameterOfSystem>() : std::span<const ParameterOfSystem>(s_.parameters);
  }

  std::string declarations(std::size_t arc, int depth) {
    bool first = arc == 0;
    std::string text;
    for (const StateOfSystem& state : s_.states)
      text += declaration(s_.names[state.x],
                          first && state.fixed ? "start = " + ir::to_text(state.start) + ", fixed = true" : "", "", depth);
    for (const StateOfSystem& state : with_costates())
      text += declaration(s_.names[state.lambda], first ? costate_start(state.lambda) : "",
                          "costate of " + s_.names[state.x], depth);
    for (const ParameterOfSystem& p : costates_of_parameters())
      text += declaration(s_.names[p.lambda], first ? "start = 0, fixed = true" : "", "costate of " + s_.names[p.p], depth);
    for (std::uint32_t z : s_.z) text += declaration(s_.names[z], "", "", depth);
    if (!plain_)
      for (std::uint32_t mu : s_.mu) text += declaration(s_.names[mu], "", "multiplier of an algebraic equation", depth);
    for (const PathCondition& path : conditions_[arc].paths)
      text += declaration(s_.names[path.multiplier], "",
                          "multiplier of the constraint " + std::to_string(path.path.path + 1), depth);
    for (std::size_t j = 0; j < s_.u.size(); ++j) {
      text += declaration(s_.names[s_.u[j]], "", case_of(sequence_.arcs[arc].controls[j]), depth);
      text += declaration(s_.names[switching_[j]], "", "derivative of H by " + s_.names[s_.u[j]], depth);
      if (const std::string& name = out_.arcs[arc].convexity[j]; !name.empty())
        text += declaration(name, "",
                            "of a singular arc of order " + std::to_string(out_.arcs[arc].singular_order[j]) +
                                ": not negative where it is optimal",
                            depth);
    }
    if (!plain_) text += declaration(out_.hamiltonian, "", "Hamiltonian", depth);
    if (cost_) text += declaration(out_.cost, first ? "start = 0, fixed = true" : "", "integral of the objective", depth);
    return text;
  }

  static std::string case_of(ControlArc arc) {
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

  /// Is ∂H/∂u differentiated, so that the control is a state that starts where it is zero?
  bool is_state(std::size_t arc, std::size_t j) const { return !reading_ && conditions_[arc].controls[j].drift; }

  /// A derivative by time, of which the parts by controls and multipliers are apart.
  std::string rate_text(ExprId drift, const std::vector<ExprId>& by_controls, const std::vector<PathCondition>& paths,
                        const std::vector<ExprId>& by_multipliers) {
    std::string text = inside(drift);
    auto add = [&](ExprId slope, std::uint32_t slot) {
      if (!s_.dag().is_number(slope, 0)) text += " + (" + inside(slope) + ")*der(" + identifier_of(s_.names[slot]) + ")";
    };
    for (std::size_t j = 0; j < by_controls.size(); ++j) add(by_controls[j], s_.u[j]);
    for (std::size_t c = 0; c < by_multipliers.size(); ++c) add(by_multipliers[c], paths[c].multiplier);
    return text;
  }

  std::string equations(std::size_t arc, int depth) {
    const ArcConditions& c = conditions_[arc];
    std::string text;
    auto rate = [&](std::uint32_t slot, ExprId e) {
      text += line("der(" + identifier_of(s_.names[slot]) + ") = " + inside(e), depth);
    };
    auto equal = [&](const std::string& name, ExprId e) { text += line(identifier_of(name) + " = " + inside(e), depth); };
    auto zero = [&](ExprId e) { text += line("0 = " + inside(e), depth); };
    for (const StateOfSystem& state : s_.states) rate(state.x, state.rate);
    for (std::size_t i = 0; i < with_costates().size(); ++i) rate(s_.states[i].lambda, c.state_costates[i]);
    for (std::size_t i = 0; i < costates_of_parameters().size(); ++i) rate(s_.parameters[i].lambda, c.parameter_costates[i]);
    for (ExprId h : s_.h) zero(h);
    if (!plain_)
      for (ExprId row : c.multiplier_rows) zero(row);
    for (const PathCondition& path : c.paths)
      if (path.drift) text += line("0 = " + rate_text(path.drift, path.slopes, c.paths, {}), depth);
      else zero(path.equation);
    for (std::size_t j = 0; j < s_.u.size(); ++j) {
      const ControlCondition& control = c.controls[j];
      if (control.law) equal(s_.names[s_.u[j]], control.law);
      else if (is_state(arc, j))
        text += line("0 = " + rate_text(control.drift, control.slopes, c.paths, control.multiplier_slopes), depth);
      else zero(control.equation);
      equal(out_.switching[j], control.switching);
      if (!out_.arcs[arc].convexity[j].empty()) equal(out_.arcs[arc].convexity[j], control.convexity);
    }
    if (!plain_) equal(out_.hamiltonian, s_.hamiltonian);
    if (cost_) rate(*cost_, s_.running);
    return text;
  }

  // ---------------------------------------------------------------- classes

  /// "0", or the attributes of a time that is sought.
  std::string time_text(std::uint32_t slot, std::size_t shared) {
    if (!is_free_time(slot)) return " = " + ir::to_text(s_.value[slot]);
    const ir::Numbers& n = problem_.shared_numbers[shared];
    double guess = std::max(std::min(n.guess, n.max), n.min);
    std::string text = "(free = true, initialGuess = " + ir::to_text(guess);
    if (std::isfinite(n.min)) text += ", min = " + ir::to_text(n.min);
    if (std::isfinite(n.max)) text += ", max = " + ir::to_text(n.max);
    return text + ")";
  }

  std::string free_parameter(const std::string& name, double guess, const std::string& description) const {
    return line("parameter Real " + identifier_of(name) + "(free = true, initialGuess = " + ir::to_text(guess) + ") \"" +
                description + "\"");
  }

  /// Parameters that are sought, declared once.
  std::string sought_parameters() {
    std::string text;
    for (const ParameterOfSystem& p : s_.parameters)
      text += free_parameter(s_.names[p.p], problem_.shared_numbers[p.shared].guess, "free parameter");
    if (s_.continued)
      text += free_parameter(s_.names[s_.continued->p], problem_.shared_numbers[s_.continued->shared].guess,
                             "a branch is followed in it");
    if (reading_)
      for (const StateOfSystem& state : with_costates())
        text += free_parameter(start_parameter(state.lambda), 0, "costate of " + s_.names[state.x] + " at the start");
    for (std::uint32_t nu : multipliers_) text += free_parameter(s_.names[nu], 0, "multiplier of a point constraint");
    for (const std::string& pi : pis_) text += free_parameter(pi, 0, "jump of costates where a constraint begins");
    const CurveNames& curve = out_.curve;
    for (std::size_t i = 0; i < curve.unknowns.size(); ++i)
      text += free_parameter(curve.weights[i], 0, "of " + described(curve.unknowns[i])) +
              free_parameter(curve.centres[i], 0, "of " + described(curve.unknowns[i]));
    return curve.step.empty() ? text : text + free_parameter(curve.step, 0, "along the branch");
  }

  /// As a description may have it.
  static std::string described(std::string text) {
    std::ranges::replace(text, '"', ' ');
    return text;
  }

  // ---------------------------------------------------------------- a branch of solutions

  /// What is sought, and the equation among them that tells points of the branch from each other.
  std::string curve_condition() {
    CurveNames& curve = out_.curve;
    auto add = [&](const std::string& unknown) {
      std::string number = std::to_string(curve.unknowns.size() + 1);
      curve.unknowns.push_back(unknown);
      curve.weights.push_back(s_.names[s_.add_distinct("weight" + number)]);
      curve.centres.push_back(s_.names[s_.add_distinct("centre" + number)]);
    };
    for (const StateOfSystem& state : s_.states) {
      if (!state.fixed) add(at_start(0, state.x));
      if (!plain_) add(at_start(0, state.lambda));
    }
    for (const ParameterOfSystem& p : s_.parameters) add(identifier_of(s_.names[p.p]));
    for (std::uint32_t nu : multipliers_) add(identifier_of(s_.names[nu]));
    for (const std::string& pi : pis_) add(pi);
    if (is_free_time(s_.start_time)) add(out_.arcs.front().prefix + "startTime");
    for (std::size_t k = 0; k + 1 < n_arcs(); ++k) add(out_.arcs[k].prefix + "finalTime");
    if (is_free_time(s_.final_time)) add(out_.arcs.back().prefix + "finalTime");
    curve.continued = curve.unknowns.size();
    add(identifier_of(s_.names[s_.continued->p]));
    curve.step = s_.names[s_.add_distinct("step")];
    std::string sum;
    for (std::size_t i = 0; i < curve.unknowns.size(); ++i)
      sum += (i > 0 ? " + " : "") + curve.weights[i] + "*(" + curve.unknowns[i] + " - " + curve.centres[i] + ")";
    return line(sum + " = " + curve.step);
  }

  std::string objective_text() {
    if (!reading_) return "";
    std::string text = outside(s_.end_cost);
    std::string integral = cost_ ? at_end(n_arcs() - 1, *cost_) : "";
    if (s_.dag().is_number(s_.end_cost, 0)) text = integral.empty() ? "0" : integral;
    else if (cost_) text += " + " + integral;
    return "objective = " + text + ", ";
  }

  std::string head(const std::string& horizon) {
    return "optimization " + out_.class_name + (horizon.empty() ? "" : "(" + horizon + ")") +
           " \"Pontryagin's conditions of " + problem_.flat.name + "\"\n";
  }

  std::string constraints(const std::string& conditions) const {
    std::string text = "constraint\n" + conditions;
    for (std::size_t k = 0; k < s_.points.size(); ++k)
      if (!is_active(k)) text += "  // taken as not active: " + s_.points[k].text + "\n";
    if (sequence_.arcs[0].active.empty() && n_arcs() == 1)
      for (const LimitedPath& path : s_.paths) text += "  // taken as not active: " + path.text + "\n";
    return text + "end " + out_.class_name + ";\n";
  }

  std::string class_of_one_arc(const std::string& conditions) {
    std::string text =
        head(objective_text() + "startTime" + time_text(s_.start_time, 0) + ", finalTime" + time_text(s_.final_time, 1));
    text += parameters_of_class(1) + sought_parameters() + declarations(0, 1);
    return text + "equation\n" + equations(0, 1) + constraints(conditions);
  }

  /// Bounds of a switching time, as far as those of the horizon are known.
  std::string within_horizon() const {
    const auto& times = problem_.shared_numbers;
    double first = is_free_time(s_.start_time) ? times[0].min : s_.value[s_.start_time];
    double last = is_free_time(s_.final_time) ? times[1].max : s_.value[s_.final_time];
    return (std::isfinite(first) ? ", min = " + ir::to_text(first) : "") +
           (std::isfinite(last) ? ", max = " + ir::to_text(last) : "");
  }

  /// Slots of what is sought for all arcs together.
  std::vector<std::uint32_t> passed_on() const {
    std::vector<std::uint32_t> slots;
    for (const ParameterOfSystem& p : s_.parameters) slots.push_back(p.p);
    if (s_.continued) slots.push_back(s_.continued->p);
    return slots;
  }

  std::string component(std::size_t k) {
    std::string name = "arc" + std::to_string(k + 1), given;
    auto add = [&](const std::string& modification) { given += (given.empty() ? "" : ", ") + modification; };
    if (k == 0) add("startTime" + time_text(s_.start_time, 0));
    if (k + 1 == n_arcs()) add("finalTime" + time_text(s_.final_time, 1));
    else add("finalTime(free = true, initialGuess = " + ir::to_text(static_cast<double>(k + 1)) + within_horizon() + ")");
    for (std::uint32_t p : passed_on()) add(identifier_of(s_.names[p]) + " = " + identifier_of(s_.names[p]));
    return line("Arc" + std::to_string(k + 1) + " " + name + "(" + given + ")");
  }

  std::string class_of_arcs(const std::string& conditions) {
    std::string text = head(reading_ ? objective_text().substr(0, objective_text().size() - 2) : "");
    text += sought_parameters();
    for (std::size_t k = 0; k < n_arcs(); ++k) {
      std::string name = "Arc" + std::to_string(k + 1);
      text += indent + ("model " + name) + "\n" + parameters_of_class(2);
      for (std::uint32_t p : passed_on()) text += line("parameter Real " + identifier_of(s_.names[p]), 2);
      text += declarations(k, 2) + indent + "equation\n" + equations(k, 2) + indent + "end " + name + ";\n";
    }
    for (std::size_t k = 0; k < n_arcs(); ++k) text += component(k);
    return text + constraints(conditions);
  }

  OptimalitySystem& s_;
  const ir::Problem& problem_;
  const ArcSequence& sequence_;
  bool reading_;
  bool plain_ = false;  // nothing is to be optimised
  OptimalityText out_;
  std::vector<ArcConditions> conditions_;  // [arcs]
  std::vector<bool> free_;                 // [free parameters] not at a bound; empty: all are
  std::vector<std::uint32_t> switching_;   // [u] slots
  std::vector<std::uint32_t> multipliers_;
  std::vector<std::string> pis_;
  std::uint32_t hamiltonian_ = 0;
  std::optional<std::uint32_t> cost_;
};

}  // namespace

Result<OptimalityText> optimality_text(OptimalitySystem& system, const ir::Problem& problem, const ArcSequence& sequence,
                                       TextPurpose purpose, Diagnostics& diagnostics) {
  return OptimalityWriter(system, problem, sequence, purpose).write(diagnostics);
}

}  // namespace bolza::passes
