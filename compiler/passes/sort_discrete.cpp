#include "compiler/passes/sort_discrete.h"

#include <algorithm>

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
    auto target = [&](VariableId v) { return is_discrete_unknown(system_, v); };
    for_each_instance(system_.flat.discrete_equations.section, [&](const Instance& instance) {
      readings_.push_back(readings_of(system_.dag(), instance.applied, target));
      origins_.push_back(instance.origin);
    });
  }

  void match() {
    Incidence incidence;
    incidence.n_columns = static_cast<std::uint32_t>(unknowns_.size());
    incidence.begin.push_back(0);
    for (const auto& readings : readings_) {
      for (const Assignment& reading : readings) {
        std::uint32_t column = number_[reading.variable.index()];
        if (incidence.columns.size() == incidence.begin.back() || incidence.columns.back() != column)
          incidence.columns.push_back(column);
      }
      incidence.begin.push_back(static_cast<std::uint32_t>(incidence.columns.size()));
    }
    Matching matching = empty_matching(incidence);
    maximise(incidence, matching);
    if (matching.size != readings_.size() || matching.size != unknowns_.size()) return explain(incidence, matching);
    for (std::uint32_t c = 0; c < unknowns_.size(); ++c) {
      std::uint32_t r = matching.of_column[c];
      for (Assignment& reading : readings_[r])
        if (reading.variable == unknowns_[c])
          events_.updates.push_back({unknowns_[c], ir::DiscreteRole::variable, {reading.value, origins_[r]}, {}, false, {}});
    }
  }

  void explain(const Incidence& incidence, const Matching& matching) {
    Decomposition d = decompose(incidence, matching);
    std::vector<Note> notes;
    for (std::size_t k = 0; k < d.over_rows.size() && k < notes_limit; ++k) {
      std::string text = text_of_origin(system_, origins_[d.over_rows[k]]);
      notes.push_back({system_.span_of_origin(origins_[d.over_rows[k]]),
                       readings_[d.over_rows[k]].empty() ? "determines no variable: no side of it is one"
                                                         : "one too many" + (text.empty() ? "" : ": " + text)});
    }
    for (std::size_t k = 0; k < d.under_columns.size() && k < notes_limit; ++k) {
      VariableId v = unknowns_[d.under_columns[k]];
      notes.push_back({system_.span_of(v), "not determined: `" + system_.name(v) + "`"});
    }
    Span span = d.over_rows.empty() ? system_.flat.span : system_.span_of_origin(origins_[d.over_rows[0]]);
    if (d.over_rows.empty() && !d.under_columns.empty()) span = system_.span_of(unknowns_[d.under_columns[0]]);
    diagnostics_.error(discrete_unbalanced, span,
                       {counted(readings_.size(), "equation"), counted(unknowns_.size(), "variable")}, std::move(notes));
  }

  // ------------------------------------------------------------ relations

  void add_event_values() {
    for (const EventValue& value : system_.event_values) {
      auto first = static_cast<std::uint32_t>(events_.indicators.size());
      for (const Applied& indicator : value.indicators) events_.indicators.push_back({inserted(indicator), value.origin});
      events_.updates.push_back(
          {value.variable, value.role, {inserted(value.literal), value.origin}, first, value.time_only, text_of(value)});
    }
  }

  /// As it was written, but for the order of sides.
  std::string text_of(const EventValue& value) const {
    constexpr std::size_t most = 60;
    return ir::to_text(system_.flat, ir::Term{value.literal.root(), value.literal.slots, value.literal.data, {}},
                       {.limit = most});
  }

  /// Blocks of the assignments, each after those that it needs.
  void order() {
    std::vector<std::uint32_t> number(system_.n(), Matching::none);
    for (std::uint32_t k = 0; k < events_.updates.size(); ++k) number[events_.updates[k].variable.index()] = k;
    Incidence incidence;
    incidence.n_columns = static_cast<std::uint32_t>(events_.updates.size());
    incidence.begin.push_back(0);
    Matching matching;
    for (std::uint32_t k = 0; k < events_.updates.size(); ++k) {
      incidence.columns.push_back(k);
      for (VariableId v : events_.updates[k].row.value.slots)
        if (std::uint32_t needed = number[v.index()]; needed != Matching::none && needed != k)
          incidence.columns.push_back(needed);
      incidence.begin.push_back(static_cast<std::uint32_t>(incidence.columns.size()));
      matching.of_row.push_back(k), matching.of_column.push_back(k);
    }
    matching.size = incidence.n_columns;
    std::vector<DiscreteUpdate> sorted;
    for (const std::vector<std::uint32_t>& block : blocks_of(incidence, matching))
      for (std::uint32_t k : block) sorted.push_back(std::move(events_.updates[k]));
    events_.updates = std::move(sorted);
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
  Assignment where_it_goes(Assignment reading) {
    for (std::size_t k = 0; k <= events_.updates.size(); ++k) {
      const DiscreteUpdate* update = update_of(reading.variable);
      if (!update) return reading;
      const Applied& value = update->row.value;
      for (VariableId slot : value.slots)
        if (system_.role(slot) == Role::discrete && system_.owner[slot.index()] == reading.variable) {
          reading.variable = slot;
          return reading;
        }
      ir::Dag& dag = system_.dag();
      bool inverted = dag.op(value.root()) == ir::Op::logical_not;
      ExprId root = inverted ? dag.operands(value.root())[0] : value.root();
      if (dag.op(root) != ir::Op::slot || !is_initial_target(value.slots[dag.index(root)])) return reading;
      reading.variable = value.slots[dag.index(root)];
      if (inverted) reading.value.roots[0] = dag.make(ir::Op::logical_not, reading.value.root());
    }
    return reading;
  }

  const DiscreteUpdate* update_of(VariableId v) const {
    for (const DiscreteUpdate& update : events_.updates)
      if (update.variable == v) return &update;
    return nullptr;
  }

  bool is_initial_target(VariableId v) const {
    bool before = v.index() < system_.n() && system_.role(v) == Role::discrete && !system_.definition(v) &&
                  ir::variable_of(system_.flat, v).kind == VariableKind::previous;
    return before || is_discrete_unknown(system_, v);
  }

  /// Either side of an initial equation may be what it determines.
  void add_initial_updates() {
    std::vector<std::vector<Assignment>> readings;
    std::vector<std::uint32_t> origins;
    std::map<VariableId, std::uint32_t> column;
    Incidence incidence;
    incidence.begin.push_back(0);
    for_each_instance(system_.flat.initial_discrete_equations.section, [&](const Instance& instance) {
      readings.emplace_back();
      for (Assignment& reading :
           readings_of(system_.dag(), instance.applied, [&](VariableId v) { return is_initial_target(v); })) {
        readings.back().push_back(where_it_goes(std::move(reading)));
        VariableId v = readings.back().back().variable;
        std::uint32_t own = column.try_emplace(v, static_cast<std::uint32_t>(column.size())).first->second;
        if (incidence.columns.size() == incidence.begin.back() || incidence.columns.back() != own)
          incidence.columns.push_back(own);
      }
      incidence.begin.push_back(static_cast<std::uint32_t>(incidence.columns.size()));
      origins.push_back(instance.origin);
    });
    incidence.n_columns = static_cast<std::uint32_t>(column.size());
    Matching matching = empty_matching(incidence);
    maximise(incidence, matching);
    for (std::size_t r = 0; r < readings.size(); ++r) {
      auto chosen = std::find_if(readings[r].begin(), readings[r].end(),
                                 [&](const Assignment& a) { return column.at(a.variable) == matching.of_row[r]; });
      if (chosen == readings[r].end()) diagnostics_.error(initial_not_assignment, system_.span_of_origin(origins[r]));
      else events_.initial.push_back({chosen->variable, {std::move(chosen->value), origins[r]}});
    }
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
  std::vector<std::uint32_t> number_, origins_;
  std::vector<std::vector<Assignment>> readings_;
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
