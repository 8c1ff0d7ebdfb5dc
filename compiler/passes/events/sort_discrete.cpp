// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/events/sort_discrete.h"

#include <algorithm>

#include "compiler/ir/print.h"
#include "compiler/passes/events/discrete_rows.h"
#include "compiler/passes/shapes/linearity.h"
#include "compiler/passes/structure/check_balance.h"
#include "compiler/passes/structure/incidence.h"
#include "compiler/passes/system/codes.h"

namespace bolza::passes {

using ir::VariableKind;

namespace {

class DiscreteSorting {
 public:
  DiscreteSorting(System& system, Diagnostics& diagnostics)
      : system_(system),
        diagnostics_(diagnostics),
        composer_(system.dag()),
        linearity_(system.flat.expressions),
        events_(system.events) {}

  Result<Done> run() {
    std::size_t before = diagnostics_.errors();
    define_values_before();
    collect_rows();
    match();
    add_event_values();
    order();
    add_reinitialisations();
    add_conditions();
    add_delays();
    if (diagnostics_.errors() > before) return diagnostics_.already_reported();
    return Done{};
  }

  /// Events are taken literally: delays stay, and what is asserted is all there is to watch.
  Result<Done> keep_what_is_literal() {
    keep_assertions();
    add_delays();
    return Done{};
  }

 private:
  void keep_assertions() {
    auto is_checked = [&](const ir::Assertion& a) {
      auto acts = [&](VariableId v) {
        return system_.role(v) == ScalarRole::discrete || system_.role(v) == ScalarRole::unused;
      };
      auto reads_events = [&](const ir::Term& term) { return std::any_of(term.slots.begin(), term.slots.end(), acts); };
      return a.level < ir::AssertionLevel::call && !reads_events(a.condition) &&
             std::none_of(a.values.begin(), a.values.end(), reads_events);
    };
    std::erase_if(system_.flat.assertions, [&](const ir::Assertion& a) { return !is_checked(a); });
    system_.flat.terminations.clear();
    add_conditions();
  }

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
    rows_ = read_discrete_rows(system_.dag(), system_.flat.discrete_equations.section,
                               [&](VariableId v) { return is_discrete_unknown(system_, v); });
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
    for_each_value(composer_, rows_, chosen, [&](std::size_t first, EventRow value) {
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
      matching.of_row.push_back(k);
      matching.of_column.push_back(k);
    }
    matching.size = incidence.n_columns;
    std::vector<DiscreteUpdate> sorted;
    std::vector<EventRow> values;
    for (const std::vector<std::uint32_t>& block : blocks_of(incidence, matching))
      for (std::uint32_t k : block) {
        for (std::uint32_t u = first[k]; u < first[k + 1]; ++u) sorted.push_back(std::move(events_.updates[u]));
        values.push_back(std::move(events_.values[k]));
      }
    events_.updates = std::move(sorted);
    events_.values = std::move(values);
  }

  // ------------------------------------------------------------ reinit

  void add_reinitialisations() {
    for_each_instance(system_.flat.reinitialisations.section, [&](const GroupInstance& instance) {
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
      if (system_.role(v) != ScalarRole::discrete) continue;
      const ir::Variable& variable = ir::variable_of(system_.flat, v);
      if (variable.kind != VariableKind::previous) continue;
      VariableId of(variable.of.index() + (v.index() - variable.first.index()));
      if (system_.role(of) == ScalarRole::state) v = of;
    }
    return slots;
  }

  /// The state that a variable is, up to a linear function of it and of parameters, and the value that it must get.
  bool as_state(VariableId& v, Applied& value) {
    const Applied* definition = system_.definition(v);
    if (!definition) return system_.role(v) == ScalarRole::state;
    std::uint32_t state = Matching::none;
    for (std::uint32_t k = 0; k < definition->slots.size(); ++k) {
      if (system_.role(definition->slots[k]) == ScalarRole::state && state == Matching::none) state = k;
      else if (system_.varies(definition->slots[k])) return false;
    }
    if (state == Matching::none) return false;
    const LinearParts parts = linearity_.linear_parts(definition->root(), state);
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
    for (const ir::Transport& transport : system_.flat.transports)
      for (const std::vector<ir::Term>* terms : {&transport.places, &transport.values})
        for (const ir::Term& term : *terms) events_.delays.push_back(row_of(term));
  }

  System& system_;
  Diagnostics& diagnostics_;
  Composer composer_;
  Linearity linearity_;
  EventRows& events_;
  std::vector<VariableId> unknowns_;
  std::vector<std::uint32_t> number_;
  DiscreteRows rows_;
};

}  // namespace

Result<Done> sort_discrete(System& system, Diagnostics& diagnostics) {
  system.stage = SystemStage::discrete;
  if (!system.keeps_events()) {
    for (const ir::Assertion& a : system.flat.assertions)
      if (a.level >= ir::AssertionLevel::call) diagnostics.warning(call_left_out, a.condition.span);
    if (system.flat.optimization && !system.flat.optimization->is_static)
      return DiscreteSorting(system, diagnostics).keep_what_is_literal();
    if (!system.flat.delays.empty()) return diagnostics.error(delay_without_time, system.flat.delays[0].expression.span);
    return Done{};
  }
  return DiscreteSorting(system, diagnostics).run();
}

}  // namespace bolza::passes
