// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/events/event_functions.h"

#include <algorithm>

#include "compiler/passes/system/parameter_values.h"

namespace bolza::passes {

using ir::VariableKind;

bool has_events(const System& system) {
  const EventRows& e = system.events;
  if (!system.keeps_events()) return !e.conditions.empty() || !e.delays.empty();
  auto is_homotopy = [](const ir::Variable& v) { return v.kind == VariableKind::homotopy; };
  if (std::any_of(system.flat.variables.begin(), system.flat.variables.end(), is_homotopy)) return true;
  return !e.updates.empty() || !e.fires.empty() || !e.initial.empty() || !e.conditions.empty() || !e.delays.empty() ||
         !system.flat.samples.empty();
}

bool is_discrete_variable(const System& system, VariableId v) {
  if (system.role(v) != ScalarRole::discrete || ir::variable_of(system.flat, v).kind != VariableKind::discrete) return false;
  return system.event_values.empty() || v < system.event_values.front().variable;
}

std::vector<FunctionRows> event_functions(const System& system) {
  const EventRows& e = system.events;
  std::vector<FunctionRows> functions(event_function_names.size());
  for (const EventRow& row : e.values) functions[0].add(row);
  for (const EventRow& row : e.indicators) functions[1].add(row);
  for (const auto* rows : {&e.fires, &e.sets})
    for (const EventRow& row : *rows) functions[2].add(row);
  for (const EventRow& row : e.initial_values) functions[3].add(row);
  for (const EventRow& row : e.conditions) functions[4].add(row);
  for (const EventRow& row : e.delays) functions[5].add(row);
  return functions;
}

EventRows events_of_phase(const System& system, const EventRows& all, std::uint32_t phase) {
  EventRows own;
  std::vector<EventRow> values;
  std::size_t condition = 0, behind = all.assertions.size() + all.terminations.size();
  auto add = [&](const std::vector<ir::EventMessage>& from, std::vector<ir::EventMessage>& to) {
    for (const ir::EventMessage& message : from) {
      const EventRow& row = all.conditions[condition++];
      std::uint32_t of = system.phase_of(row.value.slots);
      if (of != phase && !(of == no_phase && phase == 0)) continue;
      own.conditions.push_back(row);
      to.push_back(message);
      to.back().first_value = static_cast<std::uint32_t>(values.size());
      for (std::size_t k = 0; k < message.n_values; ++k) values.push_back(all.conditions[behind + message.first_value + k]);
    }
  };
  add(all.assertions, own.assertions);
  add(all.terminations, own.terminations);
  own.conditions.insert(own.conditions.end(), values.begin(), values.end());
  std::size_t n = system.flat.delays.size();  // expressions, times, longest times: the phase is the expression's
  for (std::size_t k = 0; k < 3 * n; ++k)
    if (system.phase_of(std::span(&system.flat.delays[k % n].variable, 1)) == phase) own.delays.push_back(all.delays[k]);
  return own;
}

namespace {

void add_entries(const System& system, const std::vector<VariableId>& shared, const std::vector<std::uint32_t>& inputs,
                 const std::map<VariableId, std::uint32_t>& entry, ir::EventPart& hybrid) {
  ParameterValues values(system);
  for (VariableId v : shared) {
    if (system.role(v) != ScalarRole::discrete) continue;
    VariableId of = system.owner[v.index()];
    switch (ir::variable_of(system.flat, v).kind) {
      case VariableKind::previous:
        if (system.role(of) != ScalarRole::discrete) hybrid.previous.push_back({inputs[of.index()], entry.at(v)});
        break;
      case VariableKind::initial_flag:
        hybrid.initial_flag = entry.at(v);
        break;
      case VariableKind::terminal_flag:
        hybrid.terminal_flag = entry.at(v);
        break;
      case VariableKind::homotopy:
        hybrid.homotopy = entry.at(v);
        break;
      default:
        break;  // discrete values; samples have a list of their own
    }
  }
  for (const ir::Sampling& sampling : system.flat.samples)
    if (auto at = entry.find(sampling.variable); at != entry.end())
      hybrid.samples.push_back(
          {at->second, values.of(sampling.start), values.of(sampling.interval), system.span_of(sampling.variable)});
}

}  // namespace

ir::EventPart event_tables(const System& system, const std::vector<VariableId>& shared,
                           const std::vector<std::uint32_t>& inputs) {
  const EventRows& e = system.events;
  ir::EventPart hybrid;
  std::map<VariableId, std::uint32_t> entry, before;  // entries of variables; entries of pre(v) by v
  for (std::uint32_t k = 0; k < shared.size(); ++k) {
    entry[shared[k]] = k;
    bool previous = system.role(shared[k]) == ScalarRole::discrete &&
                    ir::variable_of(system.flat, shared[k]).kind == VariableKind::previous;
    if (previous) before[system.owner[shared[k].index()]] = k;
  }
  for (const DiscreteUpdate& update : e.updates) {
    ir::DiscreteValue value{update.variable, update.role, entry.at(update.variable), {},         update.indicator,
                            false,           false,       update.time_only,          update.text};
    if (auto at = before.find(update.variable); at != before.end()) value.before = at->second;
    hybrid.discrete.push_back(value);
  }
  add_entries(system, shared, inputs, entry, hybrid);
  for (VariableId state : e.reset) hybrid.reinit_states.push_back(system.solved.position[state.index()]);
  for (VariableId target : e.initial) hybrid.initial_targets.push_back(entry.at(target));
  hybrid.assertions = e.assertions;
  hybrid.terminations = e.terminations;
  for (const ir::Transport& transport : system.flat.transports)
    hybrid.transports.push_back({transport.first, static_cast<std::uint32_t>(transport.places.size())});
  hybrid.is_literal = !system.keeps_events();
  return hybrid;
}

}  // namespace bolza::passes
