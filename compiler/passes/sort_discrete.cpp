#include "compiler/passes/sort_discrete.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "compiler/ir/print.h"
#include "compiler/passes/check_balance.h"
#include "compiler/passes/codes.h"
#include "compiler/passes/discrete_rows.h"
#include "compiler/passes/facts.h"
#include "compiler/passes/incidence.h"

namespace bolza::passes {

using ir::VariableKind;

namespace {

constexpr std::size_t notes_limit = 8;

std::string counted(std::size_t n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

class DiscreteSorting {
 public:
  DiscreteSorting(System& system, Diagnostics& diagnostics)
      : system_(system),
        diagnostics_(diagnostics),
        composer_(system.dag()),
        facts_(system.flat.expressions),
        events_(system.events) {}

  Result<Done> run() {
    std::size_t before = diagnostics_.errors();
    define_values_before();
    collect_rows();
    match();
    add_event_values();
    order();
    add_reinitialisations();
    add_initial_updates();
    add_conditions();
    add_delays();
    if (diagnostics_.errors() > before) return diagnostics_.already_reported();
    return Done{};
  }

 private:
  Applied inserted(const Applied& a) {
    return composer_.insert(a, [&](VariableId v) { return system_.definition(v); });
  }
  Applied inserted(const ir::Term& term) { return inserted(Applied{{term.root}, term.slots, term.data}); }
  EventRow row_of(const ir::Term& term) { return {inserted(term), add_origin(term.span)}; }
  std::uint32_t add_origin(Span span) {
    system_.flat.origins.push_back({span, {}});
    return static_cast<std::uint32_t>(system_.flat.origins.size() - 1);
  }

  /// pre(v) where v has been eliminated, in everything that elimination has made already.
  void define_values_before() {
    if (!define_previous(system_, composer_)) return;
    insert_definitions(system_, composer_);
    for (ir::Section* section : {&system_.solved.rates, &system_.solved.residuals, &system_.solved.initial})
      *section = with_definitions(system_, composer_, *section);
    for (auto& definition : system_.definitions)
      if (definition) definition = inserted(*definition);
  }

  // ------------------------------------------------------------ which row determines what

  void collect_rows() {
    number_.assign(system_.n(), Matching::none);
    for (std::size_t v = 0; v < system_.n(); ++v) {
      if (!is_discrete_unknown(system_, VariableId(v))) continue;
      number_[v] = static_cast<std::uint32_t>(unknowns_.size());
      unknowns_.push_back(VariableId(v));
    }
    rows_ =
        read_rows(system_.flat.discrete_equations.section, [&](VariableId v) { return is_discrete_unknown(system_, v); });
  }

  /// The rows of a section. Those that share a call are neighbours, of one instance.
  struct Rows {
    std::vector<Instance> instances;
    std::vector<std::uint32_t> instance;         ///< [rows]
    std::vector<std::vector<Reading>> readings;  ///< [rows]
    std::uint32_t origin(std::size_t row) const { return instances[instance[row]].origin; }
    std::size_t size() const { return readings.size(); }
  };

  Rows read_rows(const ir::Section& section, const std::function<bool(VariableId)>& is_target) {
    Rows rows{instances_of(section), {}, {}};
    for (std::uint32_t i = 0; i < rows.instances.size(); ++i)
      for (std::size_t k = 0; k < rows.instances[i].applied.roots.size() / 2; ++k) {
        rows.instance.push_back(i);
        rows.readings.push_back(readings_of(system_.dag(), rows.instances[i].applied, k, is_target));
      }
    return rows;
  }

  /// Calls back with the first row and the values of every instance, as chosen for its rows.
  template <class Visit>
  void for_each_value(const Rows& rows, const std::vector<const Reading*>& chosen, Visit visit) {
    for (std::size_t r = 0; r < rows.size();) {
      const Instance& instance = rows.instances[rows.instance[r]];
      std::vector<ExprId> values;
      std::size_t first = r;
      for (; r < rows.size() && rows.instance[r] == rows.instance[first]; ++r) values.push_back(chosen[r]->value);
      visit(first, EventRow{composer_.canonical({std::move(values), instance.applied.slots, instance.applied.data}),
                            instance.origin});
    }
  }

  void match() {
    Incidence incidence;
    incidence.n_columns = static_cast<std::uint32_t>(unknowns_.size());
    incidence.begin.push_back(0);
    for (const auto& readings : rows_.readings) {
      for (const Reading& reading : readings) {
        std::uint32_t column = number_[reading.variable.index()];
        if (incidence.columns.size() == incidence.begin.back() || incidence.columns.back() != column)
          incidence.columns.push_back(column);
      }
      incidence.begin.push_back(static_cast<std::uint32_t>(incidence.columns.size()));
    }
    Matching matching = empty_matching(incidence);
    maximise(incidence, matching);
    if (matching.size != rows_.size() || matching.size != unknowns_.size()) return explain(incidence, matching);
    std::vector<const Reading*> chosen(rows_.size());
    for (std::uint32_t r = 0; r < rows_.size(); ++r)
      for (const Reading& reading : rows_.readings[r])
        if (reading.variable == unknowns_[matching.of_row[r]]) chosen[r] = &reading;
    std::map<VariableId, std::pair<std::size_t, EventRow>> in_order;  // of the first variables
    for_each_value(rows_, chosen, [&](std::size_t first, EventRow value) {
      in_order.emplace(chosen[first]->variable, std::pair(first, std::move(value)));
    });
    for (auto& [variable, value] : in_order) {
      for (std::size_t k = 0; k < value.second.value.roots.size(); ++k)
        events_.updates.push_back({chosen[value.first + k]->variable, ir::DiscreteRole::variable, {}, false, {}});
      events_.values.push_back(std::move(value.second));
    }
  }

  void explain(const Incidence& incidence, const Matching& matching) {
    Decomposition d = decompose(incidence, matching);
    std::vector<Note> notes;
    for (std::size_t k = 0; k < d.over_rows.size() && k < notes_limit; ++k) {
      std::uint32_t row = d.over_rows[k], origin = rows_.origin(row);
      std::string text = text_of_origin(system_, origin);
      notes.push_back({system_.span_of_origin(origin), rows_.readings[row].empty()
                                                           ? "determines no variable: no side of it is one"
                                                           : "one too many" + (text.empty() ? "" : ": " + text)});
    }
    for (std::size_t k = 0; k < d.under_columns.size() && k < notes_limit; ++k) {
      VariableId v = unknowns_[d.under_columns[k]];
      notes.push_back({system_.span_of(v), "not determined: `" + system_.name(v) + "`"});
    }
    Span span = d.over_rows.empty() ? system_.flat.span : system_.span_of_origin(rows_.origin(d.over_rows[0]));
    if (d.over_rows.empty() && !d.under_columns.empty()) span = system_.span_of(unknowns_[d.under_columns[0]]);
    diagnostics_.error(discrete_unbalanced, span, {counted(rows_.size(), "equation"), counted(unknowns_.size(), "variable")},
                       std::move(notes));
  }

  // ------------------------------------------------------------ relations

  void add_event_values() {
    for (const EventValue& value : system_.event_values) {
      auto first = static_cast<std::uint32_t>(events_.indicators.size());
      for (const Applied& indicator : value.indicators) events_.indicators.push_back({inserted(indicator), value.origin});
      events_.updates.push_back({value.variable, value.role, first, value.time_only, text_of(value)});
      events_.values.push_back({inserted(value.literal), value.origin});
    }
  }

  /// As it was written, but for the order of sides.
  std::string text_of(const EventValue& value) const {
    constexpr std::size_t most = 60;
    return ir::to_text(system_.flat, ir::Term{value.literal.root(), value.literal.slots, value.literal.data, {}},
                       {.limit = most});
  }

  /// Assignments, each after those that it needs; those that share a call together.
  void order() {
    auto n = static_cast<std::uint32_t>(events_.values.size());
    std::vector<std::uint32_t> number(system_.n(), Matching::none), first{0};
    for (std::uint32_t k = 0; k < n; ++k) {
      first.push_back(first.back() + static_cast<std::uint32_t>(events_.values[k].value.roots.size()));
      for (std::uint32_t u = first[k]; u < first[k + 1]; ++u) number[events_.updates[u].variable.index()] = k;
    }
    Incidence incidence;
    incidence.n_columns = n;
    incidence.begin.push_back(0);
    Matching matching;
    for (std::uint32_t k = 0; k < n; ++k) {
      incidence.columns.push_back(k);
      for (VariableId v : events_.values[k].value.slots)
        if (std::uint32_t needed = number[v.index()]; needed != Matching::none && needed != k)
          incidence.columns.push_back(needed);
      incidence.begin.push_back(static_cast<std::uint32_t>(incidence.columns.size()));
      matching.of_row.push_back(k), matching.of_column.push_back(k);
    }
    matching.size = incidence.n_columns;
    std::vector<DiscreteUpdate> sorted;
    std::vector<EventRow> values;
    for (const std::vector<std::uint32_t>& block : blocks_of(incidence, matching))
      for (std::uint32_t k : block) {
        for (std::uint32_t u = first[k]; u < first[k + 1]; ++u) sorted.push_back(std::move(events_.updates[u]));
        values.push_back(std::move(events_.values[k]));
      }
    events_.updates = std::move(sorted), events_.values = std::move(values);
  }

  // ------------------------------------------------------------ reinit

  void add_reinitialisations() {
    for_each_instance(system_.flat.reinitialisations.section, [&](const Instance& instance) {
      const Applied& a = instance.applied;
      VariableId v = system_.flat.reinitialisations.states[instance.rows[0].index()];
      Applied value = composer_.canonical({{a.roots[1]}, without_previous(a.slots), a.data});
      if (!as_state(v, value)) {
        diagnostics_.error(reinit_not_state, system_.span_of_origin(instance.origin), {system_.name(v)});
        return;
      }
      events_.reset.push_back(v);
      events_.fires.push_back({composer_.canonical({{a.roots[0]}, a.slots, a.data}), instance.origin});
      events_.sets.push_back({std::move(value), instance.origin});
    });
  }

  /// A state is set at the end of an iteration of the event, until when it is what it was: pre(x) is x. Derivatives see it
  /// that way.
  std::vector<VariableId> without_previous(std::vector<VariableId> slots) const {
    for (VariableId& v : slots) {
      if (system_.role(v) != Role::discrete) continue;
      const ir::Variable& variable = ir::variable_of(system_.flat, v);
      if (variable.kind != VariableKind::previous) continue;
      VariableId of(variable.of.index() + (v.index() - variable.first.index()));
      if (system_.role(of) == Role::state) v = of;
    }
    return slots;
  }

  /// The state that a variable is, up to a linear function of it and of parameters, and the value that it must get.
  bool as_state(VariableId& v, Applied& value) {
    const Applied* definition = system_.definition(v);
    if (!definition) return system_.role(v) == Role::state;
    std::uint32_t state = Matching::none;
    for (std::uint32_t k = 0; k < definition->slots.size(); ++k) {
      if (system_.role(definition->slots[k]) == Role::state && state == Matching::none) state = k;
      else if (system_.varies(definition->slots[k])) return false;
    }
    if (state == Matching::none) return false;
    const LinearParts parts = facts_.linear_parts(definition->root(), state);
    if (!parts.linear) return false;
    ir::Dag& dag = system_.dag();
    Applied inverse{{}, definition->slots, definition->data};
    ExprId wanted = dag.slot(static_cast<std::uint32_t>(inverse.slots.size()));
    inverse.slots.push_back(v);
    inverse.roots = {dag.div(dag.sub(wanted, parts.rest), parts.coefficient)};
    VariableId own = v;
    v = definition->slots[state];
    value = composer_.compose(inverse, [&](VariableId u) { return u == own ? &value : nullptr; });
    return true;
  }

  // ------------------------------------------------------------ the start

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
      if (dag.op(own) != ir::Op::slot || !is_initial_target(value.slots[dag.index(own)])) return reading;
      reading.variable = value.slots[dag.index(own)];
      if (inverted) reading.value = dag.make(ir::Op::logical_not, reading.value);
    }
    return reading;
  }

  /// For where_it_goes: the value of every variable, and pre(v) of every v.
  void index_updates() {
    std::size_t u = 0;
    for (std::uint32_t row = 0; row < events_.values.size(); ++row)
      for (std::uint32_t root = 0; root < events_.values[row].value.roots.size(); ++root)
        update_of_.emplace(events_.updates[u++].variable, std::pair(row, root));
    for (std::size_t v = 0; v < system_.n(); ++v)
      if (system_.role(VariableId(v)) == Role::discrete && system_.owner[v])
        previous_of_.emplace(system_.owner[v], VariableId(v));
  }

  const std::unordered_set<VariableId>& reads_of(std::uint32_t row) {
    auto [at, is_new] = reads_.try_emplace(row);
    const std::vector<VariableId>& slots = events_.values[row].value.slots;
    if (is_new) at->second.insert(slots.begin(), slots.end());
    return at->second;
  }

  bool is_initial_target(VariableId v) const {
    bool before = v.index() < system_.n() && system_.role(v) == Role::discrete && !system_.definition(v) &&
                  ir::variable_of(system_.flat, v).kind == VariableKind::previous;
    return before || is_discrete_unknown(system_, v);
  }

  /// Either side of an initial equation may be what it determines.
  void add_initial_updates() {
    Rows rows =
        read_rows(system_.flat.initial_discrete_equations.section, [&](VariableId v) { return is_initial_target(v); });
    if (rows.size() == 0) return;
    index_updates();
    std::unordered_map<VariableId, std::uint32_t> column;
    Incidence incidence;
    incidence.begin.push_back(0);
    for (std::vector<Reading>& readings : rows.readings) {
      for (Reading& reading : readings) {
        reading = where_it_goes(reading);
        std::uint32_t own = column.try_emplace(reading.variable, static_cast<std::uint32_t>(column.size())).first->second;
        if (incidence.columns.size() == incidence.begin.back() || incidence.columns.back() != own)
          incidence.columns.push_back(own);
      }
      incidence.begin.push_back(static_cast<std::uint32_t>(incidence.columns.size()));
    }
    incidence.n_columns = static_cast<std::uint32_t>(column.size());
    Matching matching = empty_matching(incidence);
    maximise(incidence, matching);
    std::vector<const Reading*> chosen(rows.size());
    bool good = true;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (const Reading& reading : rows.readings[r])
        if (!chosen[r] && column.at(reading.variable) == matching.of_row[r]) chosen[r] = &reading;
      if (chosen[r]) continue;
      good = false;
      diagnostics_.error(initial_not_assignment, system_.span_of_origin(rows.origin(r)));
    }
    if (!good) return;
    for_each_value(rows, chosen, [&](std::size_t first, EventRow value) {
      for (std::size_t k = 0; k < value.value.roots.size(); ++k) events_.initial.push_back(chosen[first + k]->variable);
      events_.initial_values.push_back(std::move(value));
    });
  }

  // ------------------------------------------------------------ messages, delays

  void add_conditions() {
    std::vector<EventRow> values;
    auto add = [&](const auto& from, ir::AssertionLevel level, std::vector<ir::EventMessage>& messages) {
      events_.conditions.push_back(row_of(from.condition));
      messages.push_back({from.message, from.condition.span, level, static_cast<std::uint32_t>(from.values.size()),
                          static_cast<std::uint32_t>(values.size()), from.action});
      for (const ir::Term& term : from.values) values.push_back(row_of(term));
    };
    for (const ir::Assertion& a : system_.flat.assertions)
      if (!system_.dag().is_number(a.condition.root) || system_.dag().value(a.condition.root) == 0)
        add(a, a.level, events_.assertions);
    for (const ir::Termination& t : system_.flat.terminations) add(t, ir::AssertionLevel::error, events_.terminations);
    events_.conditions.insert(events_.conditions.end(), values.begin(), values.end());
  }

  void add_delays() {
    for (ir::Term ir::Delay::* term : {&ir::Delay::expression, &ir::Delay::time, &ir::Delay::longest})
      for (const ir::Delay& delay : system_.flat.delays) events_.delays.push_back(row_of(delay.*term));
  }

  System& system_;
  Diagnostics& diagnostics_;
  Composer composer_;
  Facts facts_;
  EventRows& events_;
  std::vector<VariableId> unknowns_;
  std::vector<std::uint32_t> number_;
  Rows rows_;
  std::unordered_map<VariableId, std::pair<std::uint32_t, std::uint32_t>> update_of_;  ///< entry of `values`, root of it
  std::unordered_map<VariableId, VariableId> previous_of_;
  std::unordered_map<std::uint32_t, std::unordered_set<VariableId>> reads_;  ///< slots of an entry of `values`
};

}  // namespace

Result<Done> sort_discrete(System& system, Diagnostics& diagnostics) {
  if (!system.keeps_events()) {
    for (const ir::Assertion& a : system.flat.assertions)
      if (a.level >= ir::AssertionLevel::call) diagnostics.warning(call_left_out, a.condition.span);
    return Done{};
  }
  return DiscreteSorting(system, diagnostics).run();
}

}  // namespace bolza::passes
