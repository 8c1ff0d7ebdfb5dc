// SPDX-License-Identifier: Apache-2.0
// Clocked equations become equations between values that change at ticks only: what they read is remembered from tick to
// tick, they hold all the time. So systems of equations, and all that passes do with equations, need no clocks.
#include "compiler/flatten/equations/clocks_internal.h"

#include <algorithm>
#include <map>

#include "compiler/flatten/equations/clock_partitions_internal.h"
#include "compiler/flatten/equations/clock_ticks_internal.h"
#include "compiler/flatten/equations/discretise_internal.h"
#include "compiler/flatten/equations/formula_internal.h"
#include "compiler/flatten/equations/row_assignment_internal.h"
#include "compiler/flatten/nodes/clock_codes.h"
#include "compiler/ir/canonical.h"

namespace bolza::flatten {

using ir::ExprId;
using ir::Op;

namespace {

class ClockedEquations {
 public:
  ClockedEquations(Model& model, ClockPartitions& partitions)
      : model_(model),
        partitions_(partitions),
        ticks_(model, partitions),
        clocks_(clock_variables(model)) {}

  void run() {
    rewrite_equations();
    rewrite_discrete();
    take_initial_equations();
    for (std::size_t k = 0; k < model_.clock_uses.size(); ++k)
      if (partitions_.used[k]) define(model_.clock_uses[k]);
      else define_unused(model_.clock_uses[k]);
    for (std::uint32_t clock : clocks_) define_clock(clock);
    for (std::uint32_t p = 0; p < early_.size(); ++p) keep_starts(p);
    for (DiscretisedPartition& p : discretised_)
      if (p.partition != ClockPartitions::none) discretise(model_, partitions_.partitions[p.partition], ticks_, p);
    clear_attributes();
  }

 private:
  // ------------------------------------------------------------ equations

  DiscretisedPartition& discretised(std::uint32_t partition) {
    if (discretised_.empty()) discretised_.resize(partitions_.partitions.size());
    discretised_[partition].partition = partition;
    return discretised_[partition];
  }

  bool is_input(std::uint32_t id) const {
    if (owner_of(id) & provisional::kind) return false;
    return ir::variable_of(model_.flat, ir::VariableId(std::size_t{owner_of(id)})).kind == ir::VariableKind::input;
  }

  /// An input of the model, as it is at ticks.
  std::uint32_t taken_input(std::uint32_t id, std::uint32_t partition, Span span) {
    std::uint32_t& taken = inputs_[owner_of(id)];
    if (taken == 0) {
      taken = new_variable(model_, "$input", ir::VariableKind::discrete, ticks_.type_of(owner_of(id)), span);
      Formula f(model_);
      ExprId now = f.value(owner_of(id));
      ticks_.at_ticks(taken, partition, f, now, now, span);
    }
    return taken | (id & provisional::previous);
  }

  std::uint32_t replaced(std::uint32_t id, std::uint32_t partition, Span span) {
    if (id == 0) return ticks_.time(partition, span);
    if (is_input(id)) return taken_input(id, partition, span);
    if ((id & provisional::kind) != provisional::derivative) return id;
    std::uint32_t& derivative = discretised(partition).derivative_of[owner_of(id)];
    if (derivative == 0) derivative = new_variable(model_, "$der", ir::VariableKind::unknown, ir::ValueType::real, span);
    return derivative;
  }

  /// One instance, without events, time and derivatives.
  ir::Group rewritten(const ir::Group& group, std::uint32_t i, std::uint32_t partition) {
    ir::Group one = ir::pick(group, std::span(&i, 1));
    Span span = model_.flat.origins[one.origins[0]].span;
    for (ir::Column& column : one.slots)
      column = ir::Column::affine(ir::VariableId(std::size_t{replaced(column[0].value, partition, span)}), 0);
    one.roots = without_events(model_.dag(), one.roots);
    return ir::canonical(model_.dag(), one);  // without the slots that said whose clock it has
  }

  void rewrite_equations() {
    std::vector<ir::Group> groups = std::exchange(model_.flat.equations.groups, {});
    for (ir::Group& group : groups) {
      std::vector<std::uint32_t> kept;
      for (std::uint32_t i = 0; i < group.n; ++i) {
        std::uint32_t partition = partitions_.of_row[group.rows[0][i].index()];
        if (!partitions_.is_clocked(partition)) {
          kept.push_back(i);
          continue;
        }
        add(model_.flat.equations, rewritten(group, i, partition), partition, /*discrete=*/false);
      }
      if (kept.size() == group.n) model_.flat.equations.groups.push_back(std::move(group));
      else if (!kept.empty()) model_.flat.equations.groups.push_back(ir::pick(group, kept));
    }
  }

  void add(ir::Section& section, ir::Group group, std::uint32_t partition, bool discrete) {
    if (!partitions_.partitions[partition].differentiates && !ticks_.begins_at_start(partition)) {
      if (early_.empty()) early_.resize(partitions_.partitions.size());
      early_[partition].push_back({&section, section.groups.size()});
    }
    if (partitions_.partitions[partition].differentiates) {
      DiscretisedPartition& own = discretised(partition);
      (discrete ? own.pairs : own.equations).push_back(group);
    }
    section.groups.push_back(std::move(group));
  }

  // ------------------------------------------------------------ before the first tick

  struct Place {
    ir::Section* section = nullptr;
    std::size_t group = 0;
  };

  std::vector<ExprId> sides_of(const ir::Group& one) const {
    const ir::Dag& dag = model_.dag();
    if (one.roots.size() > 1 || dag.op(one.roots[0]) != Op::sub) return one.roots;
    return {dag.operands(one.roots[0]).begin(), dag.operands(one.roots[0]).end()};
  }

  /// What the equation may determine: first variables that are a side of it, then others that it reads.
  std::vector<std::uint32_t> determines(const ir::Group& one, std::uint32_t partition) const {
    const ir::Dag& dag = model_.dag();
    std::vector<std::uint32_t> out;
    auto add = [&](std::uint32_t id) {
      bool unknown = partitions_.of(id) == partition && !is_result(id) && !is_input(id) && (id & provisional::previous) == 0;
      if (unknown && std::find(out.begin(), out.end(), id) == out.end()) out.push_back(id);
    };
    for (ExprId side : sides_of(one))
      if (dag.op(side) == Op::slot) add(one.slots[dag.index(side)][0].value);
    if (one.roots.size() > 1) return out;  // discrete ones are assignments
    for (const ir::Column& column : one.slots) add(column[0].value);
    return out;
  }

  bool is_result(std::uint32_t id) const {
    return std::any_of(model_.clock_uses.begin(), model_.clock_uses.end(),
                       [&](const ClockUse& use) { return use.result == id && use.op != ClockOperator::hold; });
  }

  /// Until the first tick variables have their start values: each in the place of the equation that determines it.
  void keep_starts(std::uint32_t partition) {
    RowAssignment assignment;
    for (const Place& place : early_[partition]) {
      const ir::Group& one = place.section->groups[place.group];
      if (one.roots.size() > 2 || !assignment.assign(assignment.add(determines(one, partition)))) return;
    }
    for (auto [id, row] : assignment.row_of()) {
      const Place& place = early_[partition][row];
      keep_start(place.section->groups[place.group], partition, id);
    }
  }

  void keep_start(ir::Group& one, std::uint32_t partition, std::uint32_t id) {
    ir::Dag& dag = model_.dag();
    std::vector<ExprId> sides = sides_of(one);
    auto is_own = [&](ExprId side) { return dag.op(side) == Op::slot && one.slots[dag.index(side)][0].value == id; };
    Formula f(model_);
    ExprId own = f.value(id), begin = ticks_.start_of(id, f), ticked = ticks_.has_ticked(partition, f);
    if (std::none_of(sides.begin(), sides.end(), is_own)) {
      one.roots = {f.choose(ticked, f.term(term_of(one, one.roots[0])), f.make(Op::sub, own, begin))};
    } else {
      ExprId value = f.choose(ticked, f.term(term_of(one, sides[is_own(sides[0]) ? 1 : 0])), begin);
      one.roots = one.roots.size() == 1 ? std::vector{f.make(Op::sub, own, value)} : std::vector{own, value};
    }
    one.data.clear();
    one.slots.clear();
    for (ir::VariableId v : f.slots()) one.slots.push_back(ir::Column::affine(v, 0));
  }

  static ir::Term term_of(const ir::Group& one, ExprId root) {
    ir::Term term{root, {}, {}, {}};
    for (const ir::Column& column : one.slots) term.slots.push_back(column[0]);
    for (const ir::DataColumn& column : one.data) term.data.push_back(column[0]);
    return term;
  }

  bool is_clock_row(const ir::Group& group, std::uint32_t i) const {
    const ir::Dag& dag = model_.dag();
    return std::any_of(group.roots.begin(), group.roots.end(), [&](ExprId root) {
      return dag.op(root) == Op::slot &&
             std::binary_search(clocks_.begin(), clocks_.end(), group.slots[dag.index(root)][i].value);
    });
  }

  void rewrite_discrete() {
    ir::Section& section = model_.flat.discrete_equations.section;
    std::uint32_t n_own = static_cast<std::uint32_t>(partitions_.of_discrete_row.size());
    std::vector<std::uint32_t> number(section.n_rows, ClockPartitions::none);
    std::vector<ir::Group> groups = std::exchange(section.groups, {});
    section.n_rows = 0;
    auto keep = [&](ir::Group one, std::uint32_t partition) {
      for (auto& rows : one.rows)
        for (ir::RowId& row : rows) {
          std::uint32_t& to = number[row.index()];
          if (to == ClockPartitions::none) to = section.n_rows++;
          row = ir::RowId(std::size_t{to});
        }
      if (partition == ClockPartitions::none) section.groups.push_back(std::move(one));
      else add(section, std::move(one), partition, /*discrete=*/true);
    };
    for (ir::Group& group : groups) {
      std::vector<std::uint32_t> kept;
      for (std::uint32_t i = 0; i < group.n; ++i) {
        std::uint32_t row = group.rows[0][i].value;
        std::uint32_t partition = row < n_own ? partitions_.of_discrete_row[row] : ClockPartitions::none;
        if (row < n_own && is_clock_row(group, i)) continue;
        if (partitions_.is_clocked(partition)) keep(rewritten(group, i, partition), partition);
        else kept.push_back(i);
      }
      if (kept.size() == group.n) keep(std::move(group), ClockPartitions::none);
      else if (!kept.empty()) keep(ir::pick(group, kept), ClockPartitions::none);
    }
  }

  /// Those of states that are integrated by a solver method hold at the first tick.
  void take_initial_equations() {
    ir::Section& section = model_.flat.initial_equations;
    std::vector<ir::Group> groups = std::exchange(section.groups, {});
    std::vector<std::uint32_t> number(section.n_rows, ClockPartitions::none);
    section.n_rows = 0;
    for (ir::Group& group : groups)
      for (std::uint32_t i = 0; i < group.n; ++i) {
        ir::Group one = ir::pick(group, std::span(&i, 1));
        if (std::uint32_t partition = partition_of(one); partition != ClockPartitions::none) {
          if (partitions_.partitions[partition].differentiates)
            discretised(partition).initial.push_back(rewritten(one, 0, partition));
          else model_.diagnostics.error(not_in_clocked, model_.flat.origins[one.origins[0]].span, {"initial equations"});
          continue;
        }
        std::uint32_t& to = number[one.rows[0][0].index()];
        if (to == ClockPartitions::none) to = section.n_rows++;
        one.rows[0][0] = ir::RowId(std::size_t{to});
        section.groups.push_back(std::move(one));
      }
  }

  std::uint32_t partition_of(const ir::Group& one) const {
    for (const ir::Column& column : one.slots)
      if (std::uint32_t p = partitions_.of(column[0].value); partitions_.is_clocked(p)) return p;
    return ClockPartitions::none;
  }

  // ------------------------------------------------------------ what operators give

  std::optional<std::uint32_t> only_variable(const ir::Term& term) const {
    if (model_.dag().op(term.root) != Op::slot) return {};
    return term.slots[model_.dag().index(term.root)].value;
  }

  /// The partition of an operand, and its value with time and events taken as its partition does.
  std::uint32_t partition_of(const ir::Term& term) const {
    for (ir::VariableId id : term.slots)
      if (std::uint32_t p = partitions_.of(id.value); partitions_.is_clocked(p)) return p;
    return ClockPartitions::none;
  }

  ExprId clocked_term(const ir::Term& term, Formula& in) {
    std::uint32_t partition = partition_of(term);
    ir::Term own = term;
    if (partition != ClockPartitions::none)
      for (ir::VariableId& id : own.slots) id = ir::VariableId(std::size_t{replaced(id.value, partition, term.span)});
    own.root = without_events(model_.dag(), {own.root})[0];
    return in.term(own);
  }

  void define(const ClockUse& use) {
    std::uint32_t own = partitions_.of(use.result);
    if (use.is_clock) return define_clock(use.result);
    switch (use.op) {
      case ClockOperator::sample:
        return define_sample(use, own);
      case ClockOperator::hold:
        return define_hold(use);
      case ClockOperator::previous:
        return define_previous(use, own);
      case ClockOperator::interval:
      case ClockOperator::first_tick:
      case ClockOperator::tick: {
        Formula f(model_);
        ExprId value = use.op == ClockOperator::interval     ? ticks_.interval(own, f)
                       : use.op == ClockOperator::first_tick ? ticks_.is_first(own, f)
                                                             : ticks_.ticks(own, f);
        return set_discrete(model_, use.result, f, value, use.span);
      }
      default:
        return define_conversion(use, own);
    }
  }

  /// The left limit of what is continuous.
  void define_sample(const ClockUse& use, std::uint32_t own) {
    bool varies = std::any_of(use.operand->slots.begin(), use.operand->slots.end(), [&](ir::VariableId id) {
      return id.value == 0 || partitions_.of(id.value) != ClockPartitions::none || (id.value & provisional::kind) != 0;
    });
    Formula f(model_);
    if (!varies) return set_discrete(model_, use.result, f, f.term(*use.operand), use.span);
    auto variable = only_variable(*use.operand);
    if (variable && *variable == 0) {
      ExprId now = f.value(0);
      return ticks_.at_ticks(use.result, own, f, now, now, use.span);
    }
    bool plain = variable && (*variable & provisional::previous) == 0 &&
                 (*variable & provisional::kind) != provisional::derivative &&
                 partitions_.of(*variable) != ClockPartitions::none;
    std::uint32_t id = plain ? *variable : sampled(use);
    ExprId now = f.value(id);
    ticks_.at_ticks(use.result, own, f, now, f.before(id), use.span);
  }

  std::uint32_t sampled(const ClockUse& use) {
    bool real = use.type == ir::ValueType::real;
    std::uint32_t id =
        new_variable(model_, "$sampled", real ? ir::VariableKind::unknown : ir::VariableKind::discrete, use.type, use.span);
    Formula f(model_);
    ExprId value = f.term(*use.operand);
    if (real) add_equation(model_, f, f.make(Op::sub, f.value(id), value), use.span);
    else set_discrete(model_, id, f, value, use.span);
    return id;
  }

  void define_hold(const ClockUse& use) {
    std::uint32_t partition = partition_of(*use.operand);
    auto variable = only_variable(*use.operand);
    Formula f(model_);
    ExprId value = clocked_term(*use.operand, f);
    if (variable && partition != ClockPartitions::none)
      value = f.choose(ticks_.has_ticked(partition, f), value, ticks_.start_of(*variable, f));
    if (use.type != ir::ValueType::real) return set_discrete(model_, use.result, f, value, use.span);
    add_equation(model_, f, f.make(Op::sub, f.value(use.result), value), use.span);
  }

  void define_previous(const ClockUse& use, std::uint32_t own) {
    auto variable = only_variable(*use.operand);
    if (!variable) return void(model_.diagnostics.error(clocked_component, use.span, {"previous"}));
    Formula f(model_);
    ExprId begin = ticks_.start_of(*variable, f), before = f.before(replaced(*variable, own, use.span));
    ticks_.at_ticks(use.result, own, f, begin, f.choose(ticks_.is_first(own, f), begin, before), use.span);
  }

  void define_conversion(const ClockUse& use, std::uint32_t own) {
    Formula f(model_);
    ExprId value = clocked_term(*use.operand, f);
    std::uint32_t from = partition_of(*use.operand);
    bool may_be_early = use.op == ClockOperator::back_sample || use.op == ClockOperator::no_clock;
    if (auto variable = only_variable(*use.operand); variable && may_be_early && from != ClockPartitions::none)
      value = f.choose(ticks_.has_ticked(from, f), value, ticks_.start_of(*variable, f));
    ticks_.at_ticks(use.result, own, f, value, value, use.span);
  }

  void define_unused(const ClockUse& use) {
    Formula f(model_);
    if (use.op == ClockOperator::hold && use.type == ir::ValueType::real)
      return add_equation(model_, f, f.value(use.result), use.span);
    set_discrete(model_, use.result, f, f.number(0), use.span);
  }

  /// A clock shows how often it has ticked.
  void define_clock(std::uint32_t id) {
    Formula f(model_);
    std::uint32_t partition = partitions_.of(id);
    bool ticks = partitions_.is_clocked(partition);
    set_discrete(model_, id, f, ticks ? f.value(ticks_.count_id(partition)) : f.number(0), model_.flat.span);
  }

  /// Start values are those before the first tick: none of them is an initial value of the equations made here.
  void clear_attributes() {
    for (ir::Variable& v : model_.flat.variables) {
      auto clocked = [&](std::uint32_t e) { return partitions_.is_clocked(partitions_.of(v.first.value + e)); };
      bool any = false;
      for (std::uint32_t e = 0; e < v.size && !any; ++e) any = clocked(e);
      if (!any) continue;
      if (v.fixed.size() == 1) v.fixed.assign(v.size, v.fixed[0]);
      for (std::uint32_t e = 0; e < v.fixed.size(); ++e)
        if (clocked(e)) v.fixed[e] = false;
      if (std::none_of(v.fixed.begin(), v.fixed.end(), [](bool fixed) { return fixed; })) v.fixed.clear();
      v.state_select_always = v.state_select_prefer = v.state_select_avoid = v.state_select_never = false;
    }
  }

  Model& model_;
  ClockPartitions& partitions_;
  ClockTicks ticks_;
  std::vector<std::uint32_t> clocks_;  ///< ids of variables of type Clock, ascending
  std::vector<DiscretisedPartition> discretised_;
  std::map<std::uint32_t, std::uint32_t> inputs_;  ///< of the model → what stands for them in clocked equations
  std::vector<std::vector<Place>> early_;          ///< [partitions or none] equations of those that do not tick at the start
};

}  // namespace

void resolve_clocks(Model& model) {
  if (model.clock_uses.empty() && clock_variables(model).empty()) return;
  std::size_t errors = model.diagnostics.errors();
  ClockPartitions partitions = find_clock_partitions(model);
  if (model.diagnostics.errors() > errors) return;
  infer_clocks(model, partitions);
  if (model.diagnostics.errors() > errors) return;
  ClockedEquations(model, partitions).run();
}

}  // namespace bolza::flatten
