// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/events/extract_events.h"

#include <algorithm>

#include "base/bit_order.h"
#include "compiler/ir/node_map.h"
#include "compiler/ir/substitute.h"
#include "compiler/passes/events/discrete_rows.h"
#include "compiler/passes/events/free_samples.h"
#include "compiler/passes/events/literal_events.h"
#include "compiler/passes/events/variability.h"

namespace bolza::passes {

using ir::Op;
using ir::VariableKind;

namespace {

class Extraction {
 public:
  explicit Extraction(System& system) : system_(system), composer_(system.dag()) {}

  void in(ir::Section& section) {
    bool changed = false;
    std::vector<ir::Group> groups;
    for (ir::Group& group : section.groups) {
      if (!may_make_events(group.roots)) {
        groups.push_back(std::move(group));
        continue;
      }
      changed = true;
      for (ir::Group& part : parts_by_variability(system_, group)) {
        extract(part);
        groups.push_back(ir::canonical(system_.dag(), part));
      }
    }
    section.groups = changed ? ir::join_equal_shapes(std::move(groups)) : std::move(groups);
  }

  void in(ir::Term& term) {
    if (!may_make_events(std::span(&term.root, 1))) return;
    ir::Group group;
    group.roots = {term.root};
    group.n = 1;
    for (VariableId v : term.slots) group.slots.push_back(ir::Column::affine(v, 0));
    for (double number : term.data) group.data.emplace_back(1, number);
    group.rows = {{RowId(std::size_t{0})}};
    system_.flat.origins.push_back({term.span, {}});
    group.origins = {static_cast<std::uint32_t>(system_.flat.origins.size() - 1)};
    extract(group);
    group = ir::canonical(system_.dag(), group);
    GroupInstance instance = instance_of(group, 0);
    term.root = instance.applied.root();
    term.slots = instance.applied.slots;
    term.data = instance.applied.data;
  }

 private:
  static bool makes_event(Op op) {
    switch (op) {
      case Op::less:
      case Op::less_equal:
      case Op::greater:
      case Op::greater_equal:
      case Op::floor:
      case Op::ceil:
      case Op::quotient:
      case Op::mod:
      case Op::rem:
        return true;
      default:
        return false;  // == and <> compare discrete values only
    }
  }

  bool may_make_events(std::span<const ExprId> roots) const {
    for (ExprId e : ir::reachable(system_.dag(), roots))
      if (makes_event(system_.dag().op(e))) return true;
    return false;
  }

  // ------------------------------------------------------------ one group

  struct Walk {
    ir::NodeMap<ExprId> made;
    ir::NodeMap<RunVariability> variability;
    ir::NodeMap<char> outside;  ///< what a root reaches without passing noEvent
  };

  void mark_outside(std::span<const ExprId> roots, const std::vector<ExprId>& nodes, Walk& walk) const {
    for (ExprId root : roots) walk.outside[root] = 1;
    for (std::size_t k = nodes.size(); k-- > 0;)
      if (walk.outside.contains(nodes[k]) && system_.dag().op(nodes[k]) != Op::no_event)
        for (ExprId operand : system_.dag().operands(nodes[k])) walk.outside[operand] = 1;
  }

  void extract(ir::Group& group) {
    ir::Dag& dag = system_.dag();
    Walk walk;
    std::vector<ExprId> operands, nodes = ir::reachable(dag, group.roots);
    mark_outside(group.roots, nodes, walk);
    for (ExprId e : nodes) {
      operands.clear();
      RunVariability own = RunVariability::never;
      if (dag.op(e) == Op::slot) own = variability_of(system_, group.slots[dag.index(e)][0]);
      for (ExprId operand : dag.operands(e)) {
        operands.push_back(*walk.made.find(operand));
        own = std::max(own, *walk.variability.find(operand));
      }
      Op op = dag.op(e);
      if (makes_event(op) && own > RunVariability::at_events && walk.outside.contains(e)) {
        walk.made[e] = replace(group, op, operands, own);
        walk.variability[e] = op == Op::mod || op == Op::rem ? own : RunVariability::at_events;
        continue;
      }
      walk.made[e] = op == Op::no_event || operands.empty() ? e : ir::with_operands(dag, e, operands);
      walk.variability[e] = own;
    }
    for (ExprId& root : group.roots) root = *walk.made.find(root);
  }

  /// The node over a slot for what is remembered.
  ExprId replace(ir::Group& group, Op op, std::span<const ExprId> x, RunVariability own) {
    ir::Dag& dag = system_.dag();
    bool time_only = own == RunVariability::with_time;
    switch (op) {
      case Op::less:
        return relation(group, x[0], x[1], time_only);
      case Op::greater:
        return relation(group, x[1], x[0], time_only);
      case Op::less_equal:
        return dag.make(Op::logical_not, relation(group, x[1], x[0], time_only));
      case Op::greater_equal:
        return dag.make(Op::logical_not, relation(group, x[0], x[1], time_only));
      case Op::floor:
        return part(group, Op::floor, x[0], time_only);
      case Op::ceil:
        return part(group, Op::ceil, x[0], time_only);
      case Op::quotient:
        return part(group, Op::quotient, dag.div(x[0], x[1]), time_only);
      case Op::mod:
        return dag.sub(x[0], dag.mul(part(group, Op::floor, dag.div(x[0], x[1]), time_only), x[1]));
      default:
        return dag.sub(x[0], dag.mul(part(group, Op::quotient, dag.div(x[0], x[1]), time_only), x[1]));
    }
  }

  /// Remembers a < b.
  ExprId relation(ir::Group& group, ExprId a, ExprId b, bool time_only) {
    ir::Dag& dag = system_.dag();
    std::vector<ExprId> indicators{dag.sub(a, b)};
    return remember(group, dag.make(Op::less, a, b), indicators, ir::DiscreteRole::relation, time_only);
  }

  /// Remembers floor, ceil, or the part before the decimal point (quotient) of an expression.
  ExprId part(ir::Group& group, Op op, ExprId of, bool time_only) {
    ir::Dag& dag = system_.dag();
    ExprId value = dag.slot(static_cast<std::uint32_t>(group.slots.size())), one = dag.one();
    ExprId literal, below = dag.sub(of, value), above = dag.sub(value, of);  // distance from the lower, to the upper end
    if (op == Op::quotient) {
      literal = dag.make(Op::quotient, of, one);
      below = dag.add(below, dag.select(dag.make(Op::greater, value, dag.zero()), dag.zero(), one));
      above = dag.add(above, dag.select(dag.make(Op::less, value, dag.zero()), dag.zero(), one));
    } else {
      literal = dag.make(op, of);
      if (op == Op::floor) above = dag.add(above, one);
      else below = dag.add(below, one);
    }
    return remember(group, literal, {below, above}, ir::DiscreteRole::part, time_only);
  }

  /// A slot more: for every instance the variable of its equal, or a new one. `indicators` may read the new slot.
  ExprId remember(ir::Group& group, ExprId literal, const std::vector<ExprId>& indicators, ir::DiscreteRole role,
                  bool time_only) {
    auto slot = static_cast<std::uint32_t>(group.slots.size());
    std::vector<VariableId> column(group.n);
    std::vector<std::uint32_t> fresh;
    std::vector<Applied> literals(group.n);
    Narrowed narrow = narrowed(literal);
    for (std::uint32_t i = 0; i < group.n; ++i) {
      literals[i] = composer_.canonical(applied(group, i, narrow));
      auto [at, is_new] =
          known_.try_emplace({literals[i].roots, literals[i].slots, bits_of(literals[i].data)}, VariableId());
      if (is_new) {
        at->second = VariableId(std::size_t{system_.n()} + fresh.size());
        fresh.push_back(i);
      }
      column[i] = at->second;
    }
    if (!fresh.empty()) add(group, fresh, role);
    group.slots.push_back(ir::Column::listed(column));
    std::vector<Narrowed> narrow_indicators;
    for (ExprId indicator : indicators) narrow_indicators.push_back(narrowed(indicator));
    for (std::uint32_t i : fresh) {
      EventValue value{column[i], role, literals[i], {}, time_only, group.origins[i]};
      for (const Narrowed& indicator : narrow_indicators)
        value.indicators.push_back(composer_.canonical(applied(group, i, indicator)));
      system_.event_values.push_back(std::move(value));
    }
    return system_.dag().slot(slot);
  }

  /// An expression over the slots and data of its group that it reads, and no others: of a thousand branches of an `if`
  /// each relation reads a few.
  struct Narrowed {
    ExprId root;
    std::vector<std::uint32_t> slots, data;  ///< ascending
  };

  Narrowed narrowed(ExprId root) {
    ir::Dag& dag = system_.dag();
    Narrowed out{root, ir::leaves_of(dag, std::span(&root, 1), Op::slot),
                 ir::leaves_of(dag, std::span(&root, 1), Op::datum)};
    auto place = [](const std::vector<std::uint32_t>& all, std::uint32_t k) {
      return static_cast<std::uint32_t>(std::lower_bound(all.begin(), all.end(), k) - all.begin());
    };
    auto renumbered = [&](ExprId leaf) {
      if (dag.op(leaf) == Op::slot) return dag.slot(place(out.slots, dag.index(leaf)));
      if (dag.op(leaf) == Op::datum) return dag.datum(place(out.data, dag.index(leaf)));
      return leaf;
    };
    out.root = ir::rebuild(dag, std::span(&root, 1), renumbered)[0];
    return out;
  }

  static Applied applied(const ir::Group& group, std::uint32_t i, const Narrowed& expression) {
    Applied out{{expression.root}, {}, {}};
    for (std::uint32_t k : expression.slots) out.slots.push_back(group.slots[k][i]);
    for (std::uint32_t k : expression.data) out.data.push_back(group.data[k][i]);
    return out;
  }

  void add(const ir::Group& group, const std::vector<std::uint32_t>& fresh, ir::DiscreteRole role) {
    ir::Variable variable;
    auto n = static_cast<std::uint32_t>(fresh.size());
    variable.name = {
        {(role == ir::DiscreteRole::relation ? "$relation" : "$part") + std::to_string(++count_), n > 1 ? 1u : 0u}};
    if (n > 1) variable.dimensions = {n};
    variable.size = n;
    variable.kind = VariableKind::discrete;
    variable.type = role == ir::DiscreteRole::relation ? ir::ValueType::boolean : ir::ValueType::integer;
    variable.span = system_.span_of_origin(group.origins[fresh[0]]);
    add_variable(system_, std::move(variable));
  }

  System& system_;
  Composer composer_;
  std::map<std::tuple<std::vector<ExprId>, std::vector<VariableId>, std::vector<std::uint64_t>>, VariableId> known_;
  std::uint32_t count_ = 0;
};

// ---------------------------------------------------------------- homotopy

/// homotopy(actual, simplified) is `actual`; only where initial values are sought by events' rules it can be another.
void place_homotopy(System& system) {
  for (const ir::Variable& variable : system.flat.variables) {
    if (variable.kind != VariableKind::homotopy) continue;
    std::size_t v = variable.first.index();
    system.numbers[v].start = 1;
    if (!system.keeps_events()) system.definitions[v] = constant(system.dag(), 1);
  }
}

}  // namespace

Result<Done> extract_events(System& system, Diagnostics& diagnostics) {
  if (system.keeps_events()) count_free_samples(system);
  define_discrete(system, [&](VariableId v) { return !system.varies(v); });
  place_homotopy(system);
  if (!system.keeps_events()) return take_events_literally(system, diagnostics);
  Extraction extraction(system);
  ir::FlatModel& flat = system.flat;
  for (ir::Section* section : {&flat.equations, &flat.initial_equations, &flat.discrete_equations.section,
                               &flat.initial_discrete_equations.section, &flat.reinitialisations.section})
    extraction.in(*section);
  for (ir::Termination& termination : flat.terminations) extraction.in(termination.condition);
  for (ir::Delay& delay : flat.delays)
    for (ir::Term* term : {&delay.expression, &delay.time}) extraction.in(*term);
  return Done{};
}

}  // namespace bolza::passes
