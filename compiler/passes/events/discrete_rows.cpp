// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/events/discrete_rows.h"

#include <algorithm>

#include "compiler/ir/substitute.h"

namespace bolza::passes {

using ir::Op;
using ir::VariableKind;

std::vector<Reading> readings_of(ir::Dag& dag, const Applied& rows, std::size_t row,
                                 const std::function<bool(VariableId)>& is_target) {
  std::vector<Reading> readings;
  for (std::size_t side = 0; side < 2; ++side) {
    ExprId own = rows.roots[2 * row + side], other = rows.roots[2 * row + 1 - side];
    Op wrapper = dag.op(own);
    bool wrapped = wrapper == Op::neg || wrapper == Op::logical_not;
    ExprId slot = wrapped ? dag.operands(own)[0] : own;
    if (dag.op(slot) != Op::slot) continue;
    VariableId v = rows.slots[dag.index(slot)];
    if (is_target(v)) readings.push_back({v, wrapped ? dag.make(wrapper, other) : other});
  }
  return readings;
}

DiscreteRows read_discrete_rows(ir::Dag& dag, const ir::Section& section, const std::function<bool(VariableId)>& is_target) {
  DiscreteRows rows{instances_of(section), {}, {}};
  for (std::uint32_t i = 0; i < rows.instances.size(); ++i)
    for (std::size_t k = 0; k < rows.instances[i].applied.roots.size() / 2; ++k) {
      rows.instance.push_back(i);
      rows.readings.push_back(readings_of(dag, rows.instances[i].applied, k, is_target));
    }
  return rows;
}

void for_each_value(Composer& composer, const DiscreteRows& rows, std::span<const Reading* const> chosen,
                    const std::function<void(std::size_t first, EventRow value)>& visit) {
  for (std::size_t r = 0; r < rows.size();) {
    const GroupInstance& instance = rows.instances[rows.instance[r]];
    std::vector<ExprId> values;
    std::size_t first = r;
    for (; r < rows.size() && rows.instance[r] == rows.instance[first]; ++r)
      if (chosen[r]) values.push_back(chosen[r]->value);
    if (values.size() < r - first) continue;
    visit(first,
          EventRow{composer.canonical({std::move(values), instance.applied.slots, instance.applied.data}), instance.origin});
  }
}

bool is_discrete_unknown(const System& system, VariableId v) {
  return v.index() < system.n() && system.role(v) == ScalarRole::discrete && !system.definition(v) &&
         ir::variable_of(system.flat, v).kind == VariableKind::discrete &&
         (system.event_values.empty() || v < system.event_values.front().variable);
}

// ---------------------------------------------------------------- definitions

namespace {

/// Rows become definitions when nothing is open in them any more; a definition may close rows that wait for its variable.
/// Rows that share a call do so together.
class Definitions {
 public:
  Definitions(System& system, const std::function<bool(VariableId)>& known)
      : system_(system),
        known_(known),
        composer_(system.dag()) {}

  bool run() {
    rows_ = instances_of(system_.flat.discrete_equations.section);
    gone_.assign(rows_.size(), false);
    waiting_.resize(system_.n());
    std::vector<std::uint32_t> ready;
    for (std::uint32_t r = 0; r < rows_.size(); ++r) ready.push_back(r);
    while (!ready.empty()) {
      std::vector<std::uint32_t> next;
      for (std::uint32_t r : ready)
        if (!gone_[r]) try_rows(r, next);
      std::sort(next.begin(), next.end());
      next.erase(std::unique(next.begin(), next.end()), next.end());
      ready = std::move(next);
    }
    if (std::find(gone_.begin(), gone_.end(), true) == gone_.end()) return false;
    remove_rows();
    return true;
  }

 private:
  void try_rows(std::uint32_t r, std::vector<std::uint32_t>& next) {
    auto target = [&](VariableId v) { return is_discrete_unknown(system_, v); };
    Applied rows = composer_.insert(rows_[r].applied, [&](VariableId v) { return system_.definition(v); });
    std::vector<Reading> chosen = rows.roots.size() == 2 ? one_of(rows, r, target) : all_of(rows, r, target);
    if (chosen.empty()) return;
    for (const Reading& reading : chosen) {
      system_.definitions[reading.variable.index()] = composer_.canonical({{reading.value}, rows.slots, rows.data});
      system_.definition_origins[reading.variable.index()] = rows_[r].origin;
      const std::vector<std::uint32_t>& waiting = waiting_[reading.variable.index()];
      next.insert(next.end(), waiting.begin(), waiting.end());
    }
    gone_[r] = true;
  }

  using Target = std::function<bool(VariableId)>;

  /// The reading of a row in which nothing is open; none: the row waits.
  std::vector<Reading> one_of(const Applied& row, std::uint32_t r, const Target& target) {
    for (const Reading& reading : readings_of(system_.dag(), row, 0, target)) {
      VariableId open = first_open(row, std::span(&reading.value, 1));
      if (!open) return {reading};
      waiting_[open.index()].push_back(r);
    }
    return {};
  }

  /// The same for rows that share a call, and with it what is open.
  std::vector<Reading> all_of(const Applied& rows, std::uint32_t r, const Target& target) {
    std::vector<Reading> readings;
    std::vector<ExprId> values;
    for (std::size_t k = 0; k < rows.roots.size() / 2; ++k) {
      std::vector<Reading> own = readings_of(system_.dag(), rows, k, target);
      if (own.empty()) return {};
      readings.push_back(own[0]);
      values.push_back(own[0].value);
    }
    VariableId open = first_open(rows, values);
    if (!open) return readings;
    waiting_[open.index()].push_back(r);
    return {};
  }

  /// A variable of the values that may not stand in a definition.
  VariableId first_open(const Applied& rows, std::span<const ExprId> values) const {
    for (std::uint32_t k : ir::leaves_of(system_.dag(), values, Op::slot))
      if (!known_(rows.slots[k])) return rows.slots[k];
    return {};
  }

  void remove_rows() {
    SectionBuilder builder(system_.options.enabled("group"));
    std::uint32_t n = 0;
    for (std::uint32_t r = 0; r < rows_.size(); ++r) {
      if (gone_[r]) continue;
      for (std::size_t k = 0; k < rows_[r].rows.size(); ++k) rows_[r].rows[k] = RowId(std::size_t{k % 2 == 0 ? n++ : n - 1});
      builder.add(rows_[r]);
    }
    system_.flat.discrete_equations.section = builder.finish(n);
  }

  System& system_;
  const std::function<bool(VariableId)>& known_;
  Composer composer_;
  std::vector<GroupInstance> rows_;  ///< of one or more rows each
  std::vector<bool> gone_;
  std::vector<std::vector<std::uint32_t>> waiting_;  ///< [n] rows that a definition of the variable may make ready
};

/// The variable that holds pre(v), made when there is none.
class PreviousVariables {
 public:
  explicit PreviousVariables(System& system) : system_(system) {
    for (std::size_t v = 0; v < system.n(); ++v) note(VariableId(v));
  }

  VariableId of(VariableId v) {
    auto at = of_.find(v);
    if (at != of_.end()) return at->second;
    ir::Variable variable;
    variable.kind = VariableKind::previous;
    variable.type = ir::variable_of(system_.flat, v).type;
    variable.of = v;
    variable.span = system_.span_of(v);
    VariableId made = add_variable(system_, std::move(variable));
    system_.numbers[made.index()] = system_.numbers[v.index()];
    note(made);
    return made;
  }
  const std::vector<VariableId>& all() const { return all_; }

 private:
  void note(VariableId v) {
    if (system_.role(v) != ScalarRole::discrete || ir::variable_of(system_.flat, v).kind != VariableKind::previous) return;
    of_.emplace(system_.owner[v.index()], v);
    all_.push_back(v);
  }
  System& system_;
  std::map<VariableId, VariableId> of_;
  std::vector<VariableId> all_;
};

}  // namespace

bool define_previous(System& system, Composer& composer) {
  bool any = false;
  PreviousVariables previous(system);
  for (std::size_t k = 0; k < previous.all().size(); ++k) {  // grows
    VariableId before = previous.all()[k], v = system.owner[before.index()];
    if (system.definition(before) || !system.definition(v)) continue;
    std::map<VariableId, Applied> replaced;
    const Applied now = *system.definition(v);
    for (VariableId slot : now.slots) {
      if (!system.varies(slot) || system.role(slot) == ScalarRole::time) continue;
      VariableKind kind = ir::variable_of(system.flat, slot).kind;
      if (system.role(slot) == ScalarRole::discrete && kind != VariableKind::discrete)
        continue;  // ticks and flags have no past
      replaced.emplace(slot, variable_alone(system.dag(), previous.of(slot)));
    }
    system.definitions[before.index()] = composer.compose(now, [&](VariableId slot) {
      auto at = replaced.find(slot);
      return at == replaced.end() ? nullptr : &at->second;
    });
    system.definition_origins[before.index()] = system.definition_origins[v.index()];
    any = true;
  }
  return any;
}

void define_discrete(System& system, const std::function<bool(VariableId)>& known) {
  if (system.flat.discrete_equations.section.n_rows == 0) return;
  if (!Definitions(system, known).run()) return;
  Composer composer(system.dag());
  define_previous(system, composer);
  insert_definitions(system, composer);
}

}  // namespace bolza::passes
