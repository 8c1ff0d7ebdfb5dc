// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/equations/discretise_internal.h"

#include <algorithm>

#include "compiler/flatten/equations/row_assignment_internal.h"
#include "compiler/flatten/nodes/clock_codes.h"
#include "compiler/ir/substitute.h"

namespace bolza::flatten {

using ir::ExprId;
using ir::Op;

namespace {

class Discretisation {
 public:
  Discretisation(Model& model, const ClockPartition& partition, ClockTicks& ticks, const DiscretisedPartition& given)
      : model_(model),
        partition_(partition),
        ticks_(ticks),
        given_(given) {}

  void run() {
    if (!match_initial()) return;
    for (auto [state, derivative] : given_.derivative_of) {
      Span span = span_of(state);
      before_[state] = ticks_.memory(given_.partition, state, ir::ValueType::real, span);
      slope_before_[state] = ticks_.memory(given_.partition, derivative, ir::ValueType::real, span);
    }
    find_unknowns();
    if (!gives_derivatives()) return;
    std::vector<Increment> slopes = slopes_of_method();
    for (auto [state, derivative] : given_.derivative_of) add_state(state, slopes);
  }

 private:
  /// A share of the step, and the slope by state.
  struct Increment {
    double share = 1;
    std::map<std::uint32_t, std::uint32_t> slope;
  };

  Span span_of(std::uint32_t id) const {
    return id & provisional::kind ? model_.flat.span : ir::variable_of(model_.flat, ir::VariableId(std::size_t{id})).span;
  }

  bool is_fixed(std::uint32_t state) const {
    if (state & provisional::kind) return false;
    const ir::Variable& v = ir::variable_of(model_.flat, ir::VariableId(std::size_t{state}));
    return !v.fixed.empty() && v.fixed[v.fixed.size() == 1 ? 0 : state - v.first.value];
  }

  /// Initial equations take the places of start values that are not fixed: those of the state they name, if they name one.
  bool match_initial() {
    for (const ir::Group& row : given_.initial) {
      auto open = [&](std::uint32_t state) { return !is_fixed(state) && !initial_.contains(state); };
      auto named = [&](const auto& entry) {
        return open(entry.first) && std::any_of(row.slots.begin(), row.slots.end(), [&](const ir::Column& column) {
                 return column[0].value == entry.first || column[0].value == entry.second;
               });
      };
      const auto& states = given_.derivative_of;
      auto at = std::find_if(states.begin(), states.end(), named);
      if (at == states.end())
        at = std::find_if(states.begin(), states.end(), [&](const auto& entry) { return open(entry.first); });
      if (at == states.end()) {
        model_.diagnostics.error(not_in_clocked, model_.flat.origins[row.origins[0]].span,
                                 {"more initial equations than states without fixed start values"});
        return false;
      }
      initial_.emplace(at->first, &row);
    }
    return true;
  }

  // ------------------------------------------------------------ methods

  std::vector<Increment> slopes_of_method() {
    const std::string& method = partition_.method;
    if (method == "ExplicitEuler") return {{1, slope_before_}};
    if (method == "ImplicitEuler") return {{1, given_.derivative_of}};
    if (method == "ExplicitMidPoint2") return {{1, stage(0.5, slope_before_, /*between=*/true)}};
    if (method == "ExplicitRungeKutta4") {
      auto k2 = stage(0.5, slope_before_, /*between=*/true), k3 = stage(0.5, k2, /*between=*/true),
           k4 = stage(1, k3, /*between=*/false);
      return {{1.0 / 6, slope_before_}, {1.0 / 3, k2}, {1.0 / 3, k3}, {1.0 / 6, k4}};
    }
    return {{0.5, given_.derivative_of}, {0.5, slope_before_}};  // ImplicitTrapezoid, and what External means here
  }

  /// x = previous(x) + h Σ share·slope; at the first tick the start value or the initial equation.
  void add_state(std::uint32_t state, const std::vector<Increment>& slopes) {
    Formula f(model_);
    ExprId sum = f.number(0);
    for (const Increment& increment : slopes)
      sum = f.make(Op::add, sum, f.make(Op::mul, f.number(increment.share), f.value(increment.slope.at(state))));
    ExprId moved = f.make(Op::mul, ticks_.interval(given_.partition, f), sum);
    ExprId step = f.make(Op::sub, f.value(state), f.make(Op::add, f.value(before_.at(state)), moved));
    ExprId begin;
    if (auto row = initial_.find(state); row != initial_.end()) begin = f.term(term_of(*row->second));
    else begin = f.make(Op::sub, f.value(state), ticks_.start_of(state, f));
    add_equation(model_, f, f.choose(ticks_.is_first(given_.partition, f), begin, step), span_of(state));
  }

  static ir::Term term_of(const ir::Group& one) {
    ir::Term term{one.roots[0], {}, {}, {}};
    for (const ir::Column& column : one.slots) term.slots.push_back(column[0]);
    for (const ir::DataColumn& column : one.data) term.data.push_back(column[0]);
    return term;
  }

  // ------------------------------------------------------------ stages

  bool is_used(std::uint32_t id) const {
    return std::any_of(model_.clock_uses.begin(), model_.clock_uses.end(),
                       [&](const ClockUse& use) { return use.result == id && use.op != ClockOperator::hold; });
  }

  /// What the equations determine, and what comes into them at ticks.
  void find_unknowns() {
    for (const auto* groups : {&given_.equations, &given_.pairs})
      for (const ir::Group& group : *groups)
        for (const ir::Column& column : group.slots) {
          std::uint32_t id = column[0].value;
          bool own = (id & provisional::kind) == provisional::auxiliary || id >= model_first_variable;
          if (!own || is_parameter(id)) continue;
          bool is_input = is_used(id) || id == time_of_ticks();
          auto& list = is_input ? inputs_ : unknowns_;
          if (std::find(list.begin(), list.end(), id) == list.end()) list.push_back(id);
        }
  }
  static constexpr std::uint32_t model_first_variable = 3;  // after time, startTime and finalTime

  /// Whether every equation can be solved for an unknown of its own with all states given [MLS, 16.8.2].
  bool gives_derivatives() {
    std::map<std::uint32_t, std::vector<std::uint32_t>> rows;  // by number: unknowns
    std::map<std::uint32_t, Span> spans;
    for (const ir::Group& group : given_.equations) {
      std::vector<std::uint32_t>& row = rows[group.rows[0][0].value];
      spans[group.rows[0][0].value] = model_.flat.origins[group.origins[0]].span;
      for (const ir::Column& column : group.slots) {
        std::uint32_t id = column[0].value;
        if (!given_.derivative_of.contains(id) && std::find(unknowns_.begin(), unknowns_.end(), id) != unknowns_.end())
          row.push_back(id);
      }
    }
    RowAssignment assignment;
    for (const auto& [row, ids] : rows) {
      if (assignment.assign(assignment.add(ids))) continue;
      report_constraint(row, spans.at(row));
      return false;
    }
    return true;
  }

  void report_constraint(std::uint32_t row, Span span) {
    for (const ir::Group& group : given_.equations)
      if (group.rows[0][0].value == row)
        for (const ir::Column& column : group.slots)
          if (std::uint32_t id = column[0].value; given_.derivative_of.contains(id) && !(id & provisional::kind))
            return void(
                model_.diagnostics.error(clocked_index, span, {ir::name_of(model_.flat, ir::VariableId(std::size_t{id}))}));
    std::uint32_t state = given_.derivative_of.begin()->first;
    std::string name = state & provisional::kind ? "it" : ir::name_of(model_.flat, ir::VariableId(std::size_t{state}));
    model_.diagnostics.error(clocked_index, span, {name});
  }

  std::uint32_t time_of_ticks() { return ticks_.time(given_.partition, model_.flat.span); }

  bool is_parameter(std::uint32_t id) const {
    if (id & provisional::kind) return false;
    ir::VariableKind kind = ir::variable_of(model_.flat, ir::VariableId(std::size_t{id})).kind;
    return kind != ir::VariableKind::unknown && kind != ir::VariableKind::discrete;
  }

  /// An input half way between the ticks: the mean of Reals, what other values were at the tick before.
  std::uint32_t half_way(std::uint32_t input) {
    auto [at, is_new] = half_way_.emplace(input, 0);
    if (!is_new) return at->second;
    ir::ValueType type = ticks_.type_of(input);
    Span span = span_of(input);
    at->second = new_variable(model_, "$between", ir::VariableKind::discrete, type, span);
    Formula f(model_);
    ExprId now = f.value(input), last = f.before(input), value = last;
    if (type == ir::ValueType::real) value = f.make(Op::mul, f.number(0.5), f.make(Op::add, now, last));
    ticks_.at_ticks(at->second, given_.partition, f, now, f.choose(ticks_.is_first(given_.partition, f), now, value), span);
    return at->second;
  }

  /// The slopes of the states at previous(x) + share·h·slope, from a copy of all equations.
  std::map<std::uint32_t, std::uint32_t> stage(double share, const std::map<std::uint32_t, std::uint32_t>& slope,
                                               bool between) {
    std::map<std::uint32_t, std::uint32_t> copy;
    for (std::uint32_t id : unknowns_) {
      ir::ValueType type = ticks_.type_of(id);
      auto kind = type == ir::ValueType::real ? ir::VariableKind::unknown : ir::VariableKind::discrete;
      copy[id] = new_variable(model_, "$stage", kind, type, span_of(id));
    }
    if (between)
      for (std::uint32_t id : inputs_) copy[id] = half_way(id);
    for (auto [state, derivative] : given_.derivative_of) {
      if (!copy.contains(state)) continue;  // nothing depends on it
      Formula f(model_);
      ExprId moved =
          f.make(Op::mul, f.make(Op::mul, f.number(share), ticks_.interval(given_.partition, f)), f.value(slope.at(state)));
      ExprId at = f.make(Op::add, f.value(before_.at(state)), moved);
      add_equation(model_, f, f.make(Op::sub, f.value(copy.at(state)), at), span_of(state));
    }
    copy_rows(given_.equations, model_.flat.equations, copy);
    copy_rows(given_.pairs, model_.flat.discrete_equations.section, copy);
    std::map<std::uint32_t, std::uint32_t> slopes;
    for (auto [state, derivative] : given_.derivative_of) slopes[state] = copy.at(derivative);
    return slopes;
  }

  static void copy_rows(const std::vector<ir::Group>& groups, ir::Section& section,
                        const std::map<std::uint32_t, std::uint32_t>& copy) {
    std::map<std::uint32_t, std::uint32_t> number;
    for (ir::Group group : groups) {
      for (ir::Column& column : group.slots)
        if (auto at = copy.find(column[0].value); at != copy.end())
          column = ir::Column::affine(ir::VariableId(std::size_t{at->second}), 0);
      for (auto& rows : group.rows) {
        auto [at, is_new] = number.emplace(rows[0].value, section.n_rows);
        if (is_new) ++section.n_rows;
        rows[0] = ir::RowId(std::size_t{at->second});
      }
      section.groups.push_back(std::move(group));
    }
  }

  Model& model_;
  const ClockPartition& partition_;
  ClockTicks& ticks_;
  const DiscretisedPartition& given_;
  std::map<std::uint32_t, const ir::Group*> initial_;             ///< by state
  std::map<std::uint32_t, std::uint32_t> before_, slope_before_;  ///< by state: values at the tick before
  std::vector<std::uint32_t> unknowns_, inputs_;
  std::map<std::uint32_t, std::uint32_t> half_way_;
};

}  // namespace

void discretise(Model& model, const ClockPartition& partition, ClockTicks& ticks, const DiscretisedPartition& equations) {
  Discretisation(model, partition, ticks, equations).run();
}

}  // namespace bolza::flatten
