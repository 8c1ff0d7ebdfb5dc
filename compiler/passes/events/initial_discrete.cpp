// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/events/initial_discrete.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "compiler/ir/node_map.h"
#include "compiler/passes/events/discrete_rows.h"
#include "compiler/passes/structure/incidence.h"
#include "compiler/passes/system/codes.h"

namespace bolza::passes {

using ir::VariableKind;

namespace {

class InitialDiscrete {
 public:
  InitialDiscrete(System& system, Diagnostics& diagnostics)
      : system_(system),
        diagnostics_(diagnostics),
        composer_(system.dag()),
        events_(system.events) {}

  Result<Done> run() {
    rows_ = read_discrete_rows(system_.dag(), system_.flat.initial_discrete_equations.section,
                               [&](VariableId v) { return is_target(v); });
    if (rows_.size() == 0) return Done{};
    index_updates();
    for (std::vector<Reading>& readings : rows_.readings) {
      for (Reading& reading : readings) {
        const Reading written = reading;
        reading = where_it_goes(reading);
        bool same = written.value == reading.value;  // not where one is the opposite of the other
        if (same && written.variable != reading.variable) named_.emplace(reading.variable, written.variable);
      }
      if (std::all_of(readings.begin(), readings.end(), [&](const Reading& r) { return has_value(r.variable); })) continue;
      std::erase_if(readings, [&](const Reading& r) { return has_value(r.variable); });
    }
    determine_continuous();
    std::size_t before = diagnostics_.errors();
    match();
    if (diagnostics_.errors() > before) return diagnostics_.already_reported();
    return Done{};
  }

 private:
  /// The value of every variable, and pre(v) of every v.
  void index_updates() {
    std::size_t u = 0;
    for (std::uint32_t row = 0; row < events_.values.size(); ++row)
      for (std::uint32_t root = 0; root < events_.values[row].value.roots.size(); ++root)
        update_of_.emplace(events_.updates[u++].variable, std::pair(row, root));
    for (std::size_t v = 0; v < system_.n(); ++v)
      if (system_.role(VariableId(v)) == ScalarRole::discrete && system_.owner[v])
        previous_of_.emplace(system_.owner[v], VariableId(v));
    for (const ir::Variable& variable : system_.flat.variables)
      if (variable.kind == VariableKind::initial_flag) initial_flag_ = variable.first;
  }

  bool is_target(VariableId v) const {
    bool before = v.index() < system_.n() && system_.role(v) == ScalarRole::discrete && !system_.definition(v) &&
                  ir::variable_of(system_.flat, v).kind == VariableKind::previous;
    return before || is_discrete_unknown(system_, v);
  }

  /// What an initial equation v = e gives a value to. A variable that a `when` determines was e before: then v = pre(v)
  /// keeps it. One that equals another, or pre of another, gives it to that one, for its own equation stays.
  Reading where_it_goes(Reading reading) {
    ir::Dag& dag = system_.dag();
    for (std::size_t k = 0; k <= events_.updates.size(); ++k) {
      auto at = update_of_.find(reading.variable);
      if (at == update_of_.end()) return reading;
      auto [row, root] = at->second;
      const Applied& value = events_.values[row].value;
      auto before = previous_of_.find(reading.variable);
      if (before != previous_of_.end() && reads_of(row).contains(before->second)) {
        reading.variable = before->second;
        return reading;
      }
      ExprId own = value.roots[root];
      bool inverted = dag.op(own) == ir::Op::logical_not;
      if (inverted) own = dag.operands(own)[0];
      if (dag.op(own) != ir::Op::slot || !is_target(value.slots[dag.index(own)])) return reading;
      reading.variable = value.slots[dag.index(own)];
      if (inverted) reading.value = dag.make(ir::Op::logical_not, reading.value);
    }
    return reading;
  }

  /// What the update of a variable reads when initial() is true.
  const std::unordered_set<VariableId>& reads_of(std::uint32_t row) {
    auto [at, is_new] = reads_.try_emplace(row);
    if (!is_new) return at->second;
    const Applied one = constant(system_.dag(), 1);
    const Applied value =
        composer_.insert(events_.values[row].value, [&](VariableId v) { return v == initial_flag_ ? &one : nullptr; });
    at->second.insert(value.slots.begin(), value.slots.end());
    return at->second;
  }

  /// Is the value there without this equation: by the variable's own update, or fixed?
  bool has_value(VariableId v) const {
    bool before = ir::variable_of(system_.flat, v).kind == VariableKind::previous;
    return update_of_.contains(v) || system_.numbers[before ? system_.owner[v.index()].index() : v.index()].fixed;
  }

  // ------------------------------------------------------------ continuous unknowns

  /// Rows that nothing discrete waits for, and that name something continuous that is to be found.
  void determine_continuous() {
    std::vector<GroupInstance> made;
    DiscreteRows kept;
    std::uint32_t n = system_.solved.initial.n_rows;
    for (std::size_t r = 0, first = 0; r < rows_.size(); first = r) {
      bool determined = true;
      for (; r < rows_.size() && rows_.instance[r] == rows_.instance[first]; ++r)
        determined = determined && std::all_of(rows_.readings[r].begin(), rows_.readings[r].end(),
                                               [&](const Reading& reading) { return has_value(reading.variable); });
      const GroupInstance& instance = rows_.instances[rows_.instance[first]];
      if (determined) {
        GroupInstance residuals = residuals_of(instance, n);
        if (names_unknown(residuals.applied)) {
          made.push_back(std::move(residuals));
          n += static_cast<std::uint32_t>(r - first);
          continue;
        }
      }
      kept.readings.insert(kept.readings.end(), rows_.readings.begin() + static_cast<std::ptrdiff_t>(first),
                           rows_.readings.begin() + static_cast<std::ptrdiff_t>(r));
      kept.instance.insert(kept.instance.end(), r - first, static_cast<std::uint32_t>(kept.instances.size()));
      kept.instances.push_back(instance);
    }
    if (made.empty()) return;
    rows_ = std::move(kept);
    SectionBuilder builder(system_.options.enabled("group"));
    for_each_instance(system_.solved.initial, [&](const GroupInstance& instance) { builder.add(instance); });
    for (const GroupInstance& instance : made) {
      builder.add(instance);
      system_.solved.initial_origins.insert(system_.solved.initial_origins.end(), instance.rows.size(), instance.origin);
    }
    system_.solved.initial = builder.finish(n);
  }

  /// Of the system of initial equations: states that are not fixed, parameters among them, algebraics.
  bool names_unknown(const Applied& a) const {
    return std::any_of(a.slots.begin(), a.slots.end(), [&](VariableId v) {
      return system_.is_unknown(v) || (system_.role(v) == ScalarRole::state && !system_.numbers[v.index()].fixed);
    });
  }

  GroupInstance residuals_of(const GroupInstance& pairs, std::uint32_t first_row) {
    ir::Dag& dag = system_.dag();
    Applied made{{}, pairs.applied.slots, pairs.applied.data};
    std::vector<RowId> rows;
    for (std::size_t k = 0; k + 1 < pairs.applied.roots.size(); k += 2) {
      made.roots.push_back(dag.sub(pairs.applied.roots[k], pairs.applied.roots[k + 1]));
      rows.push_back(RowId(first_row + rows.size()));
    }
    made = composer_.compose(made, [&](VariableId v) { return system_.definition(v); });
    return {std::move(made), std::move(rows), pairs.origin};
  }

  // ------------------------------------------------------------ discrete variables

  /// Either side of an initial equation may be what it determines.
  void match() {
    std::unordered_map<VariableId, std::uint32_t> column;
    Incidence incidence;
    incidence.begin.push_back(0);
    for (const std::vector<Reading>& readings : rows_.readings) {
      for (const Reading& reading : readings) {
        std::uint32_t own = column.try_emplace(reading.variable, static_cast<std::uint32_t>(column.size())).first->second;
        if (incidence.columns.size() == incidence.begin.back() || incidence.columns.back() != own)
          incidence.columns.push_back(own);
      }
      incidence.begin.push_back(static_cast<std::uint32_t>(incidence.columns.size()));
    }
    incidence.n_columns = static_cast<std::uint32_t>(column.size());
    Matching matching = empty_matching(incidence);
    maximise(incidence, matching);
    std::vector<const Reading*> chosen(rows_.size());
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      for (const Reading& reading : rows_.readings[r])
        if (!chosen[r] && column.at(reading.variable) == matching.of_row[r]) chosen[r] = &reading;
      if (!chosen[r]) diagnostics_.error(initial_not_assignment, system_.span_of_origin(rows_.origin(r)));
    }
    for_each_value(composer_, rows_, chosen, [&](std::size_t first, EventRow value) {
      for (std::size_t k = 0; k < value.value.roots.size(); ++k) {
        VariableId target = chosen[first + k]->variable;
        events_.initial.push_back(target);
        std::pair given(static_cast<std::uint32_t>(events_.initial_values.size()), static_cast<std::uint32_t>(k));
        given_.emplace(target, given);
        if (auto named = named_.find(target); named != named_.end()) given_.emplace(named->second, given);
      }
      events_.initial_values.push_back(std::move(value));
    });
    complete_.assign(events_.initial_values.size(), Progress::open);
    for (std::uint32_t row = 0; row < events_.initial_values.size(); ++row) complete_calls(row);
  }

  enum class Progress : std::uint8_t { open, begun, done };

  /// Values that others of these rows give stand in the arguments of calls: what acts is called with them alone.
  void complete_calls(std::uint32_t row) {
    if (complete_[row] != Progress::open) return;
    complete_[row] = Progress::begun;
    Applied& value = events_.initial_values[row].value;
    const ir::Dag& dag = system_.dag();
    const std::vector<ExprId> nodes = ir::reachable(dag, value.roots);
    bool calls = std::any_of(nodes.begin(), nodes.end(), [&](ExprId e) { return dag.op(e) == ir::Op::call; });
    std::map<VariableId, Applied> replaced;
    for (VariableId v : calls ? value.slots : std::vector<VariableId>{}) {
      auto at = given_.find(v);
      if (at == given_.end() || at->second.first == row) continue;
      complete_calls(at->second.first);
      if (complete_[at->second.first] != Progress::done) continue;  // they need each other
      const Applied& other = events_.initial_values[at->second.first].value;
      replaced.emplace(v, Applied{{other.roots[at->second.second]}, other.slots, other.data});
    }
    if (!replaced.empty())
      value = composer_.compose(value, [&](VariableId v) {
        auto at = replaced.find(v);
        return at == replaced.end() ? nullptr : &at->second;
      });
    complete_[row] = Progress::done;
  }

  System& system_;
  Diagnostics& diagnostics_;
  Composer composer_;
  EventRows& events_;
  DiscreteRows rows_;
  VariableId initial_flag_;
  std::unordered_map<VariableId, std::pair<std::uint32_t, std::uint32_t>> update_of_;  ///< entry of `values`, root of it
  std::unordered_map<VariableId, VariableId> previous_of_;
  std::unordered_map<std::uint32_t, std::unordered_set<VariableId>> reads_;  ///< [entry of `values`]
  std::unordered_map<VariableId, VariableId> named_;  ///< what gets a value: what the equation names in its place
  std::unordered_map<VariableId, std::pair<std::uint32_t, std::uint32_t>> given_;  ///< entry of `initial_values`, root of it
  std::vector<Progress> complete_;                                                 ///< [initial_values]
};

}  // namespace

Result<Done> sort_initial_discrete(System& system, Diagnostics& diagnostics) {
  if (!system.keeps_events()) return Done{};
  return InitialDiscrete(system, diagnostics).run();
}

}  // namespace bolza::passes
