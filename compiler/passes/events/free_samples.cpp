// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/events/free_samples.h"

#include <algorithm>
#include <set>

#include "compiler/passes/system/applied.h"

namespace bolza::passes {

using ir::Op;
using ir::VariableKind;

namespace {

class TickCounts {
 public:
  explicit TickCounts(System& system) : system_(system), dag_(system.dag()), composer_(system.dag()) {}

  void run() {
    find();
    if (free_.empty()) return;
    std::vector<ir::Sampling> rest;
    for (const ir::Sampling& sampling : system_.flat.samples)
      if (free_.contains(owner(sampling.variable))) count(sampling);
      else rest.push_back(sampling);
    system_.flat.samples = std::move(rest);
    append(system_.flat.discrete_equations.section, rows_);
    append(system_.flat.initial_discrete_equations.section, initial_rows_);
  }

 private:
  struct Row {
    VariableId of;
    Applied value;
    Span span;
  };

  VariableId owner(VariableId v) const { return ir::variable_of(system_.flat, v).first; }

  /// Whether the initial equations say what it is: by what they determine, or by parameters that follow from that.
  bool is_found_at_start(VariableId v) const {
    const Applied* definition = system_.role(v) == ScalarRole::dependent ? system_.definition(v) : nullptr;
    return system_.varies(v) || (definition && any_found_at_start(definition->slots));
  }
  bool any_found_at_start(const std::vector<VariableId>& slots) const {
    return std::any_of(slots.begin(), slots.end(), [&](VariableId v) { return is_found_at_start(v); });
  }

  void find() {
    for (const ir::Sampling& sampling : system_.flat.samples)
      if (any_found_at_start(sampling.start.slots) || any_found_at_start(sampling.interval.slots))
        free_.insert(owner(sampling.variable));
    for (VariableId first : free_) ir::variable_of(system_.flat, first).kind = VariableKind::discrete;
  }

  VariableId add(VariableKind kind, ir::ValueType type, const char* name, VariableId of, Span span) {
    ir::Variable variable;
    if (name) variable.name = {{name + std::to_string(++n_), 0}};
    variable.kind = kind;
    variable.type = type;
    variable.of = of;
    variable.span = span;
    return add_variable(system_, std::move(variable));
  }

  VariableId initial_flag() {
    for (const ir::Variable& variable : system_.flat.variables)
      if (variable.kind == VariableKind::initial_flag) return variable.first;
    return add(VariableKind::initial_flag, ir::ValueType::boolean, "$initial", {}, {});
  }

  /// The expression; where it varies a discrete value that keeps what it is at the start, so that ticks are events of time.
  Applied held(const ir::Term& term, const char* name, Span span) {
    Applied value{{term.root}, term.slots, term.data};
    if (!any_found_at_start(term.slots)) return value;
    VariableId kept = add(VariableKind::discrete, ir::ValueType::real, name, {}, span);
    VariableId before = add(VariableKind::previous, ir::ValueType::real, nullptr, kept, span);
    initial_rows_.push_back({before, std::move(value), span});
    rows_.push_back({kept, {{dag_.slot(0)}, {before}, {}}, span});
    return rows_.back().value;
  }

  void count(const ir::Sampling& sampling) {
    Span span = system_.span_of(sampling.variable);
    VariableId ticks = add(VariableKind::discrete, ir::ValueType::integer, "$ticks", {}, span);
    VariableId before = add(VariableKind::previous, ir::ValueType::integer, nullptr, ticks, span);
    Applied a = held(sampling.start, "$start", span), b = held(sampling.interval, "$interval", span);
    VariableId now(std::size_t{0}), initial = initial_flag();
    VariableId start(std::size_t{system_.n()}), interval(start.index() + 1);  // stand for the expressions
    std::vector<VariableId> slots{sampling.variable, before, initial, now, start, interval};
    auto add_row = [&](std::vector<Row>& rows, VariableId of, ExprId value) {
      auto given = [&](VariableId v) { return v == start ? &a : v == interval ? &b : nullptr; };
      rows.push_back({of, composer_.compose({{value}, slots, {}}, given), span});
    };
    ExprId tick = dag_.slot(0), n = dag_.slot(1), first = dag_.slot(4), step = dag_.slot(5), zero = dag_.zero();
    ExprId repeats = dag_.make(Op::no_event, dag_.make(Op::greater, step, zero));
    ExprId due = dag_.make(Op::greater_equal, dag_.slot(3), dag_.add(first, dag_.mul(step, n)));
    ExprId left = dag_.make(Op::logical_or, repeats, dag_.make(Op::no_event, dag_.make(Op::less, n, dag_.one())));
    ExprId running = dag_.make(Op::logical_and, dag_.make(Op::logical_not, dag_.slot(2)), left);
    add_row(rows_, sampling.variable, dag_.make(Op::logical_and, running, due));
    add_row(rows_, ticks, dag_.select(tick, dag_.add(n, dag_.one()), n));
    ExprId late = dag_.div(dag_.sub(dag_.slot(3), first), step), rounding = dag_.number(1e-12);
    ExprId whole = dag_.make(Op::no_event, dag_.make(Op::ceil, dag_.sub(late, rounding)));
    ExprId passed = dag_.make(Op::no_event, dag_.make(Op::greater, dag_.slot(3), first));
    ExprId once = dag_.select(passed, dag_.one(), zero);
    add_row(initial_rows_, before, dag_.select(repeats, dag_.make(Op::max, zero, whole), once));
  }

  void append(ir::Section& section, const std::vector<Row>& rows) {
    SectionBuilder all(system_.options.enabled("group"));
    for_each_instance(section, [&](const GroupInstance& instance) { all.add(instance); });
    std::uint32_t n = section.n_rows;
    for (const Row& one : rows) {
      Applied equation = one.value;
      auto place = static_cast<std::uint32_t>(equation.slots.size());
      equation.slots.push_back(one.of);
      equation.roots.insert(equation.roots.begin(), dag_.slot(place));
      system_.flat.origins.push_back({one.span, {}});
      RowId row(std::size_t{n++});
      all.add({composer_.canonical(equation), {row, row}, static_cast<std::uint32_t>(system_.flat.origins.size() - 1)});
    }
    section = all.finish(n);
  }

  System& system_;
  ir::Dag& dag_;
  Composer composer_;
  std::set<VariableId> free_;  ///< first elements of what holds such ticks
  std::vector<Row> rows_, initial_rows_;
  std::uint32_t n_ = 0;
};

}  // namespace

void count_free_samples(System& system) { TickCounts(system).run(); }

}  // namespace bolza::passes
