// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/system/system.h"

#include <algorithm>
#include <limits>

namespace bolza::passes {

using ir::Section;
using ir::Variable;
using ir::VariableKind;

namespace {

ScalarRole first_role(VariableKind kind) {
  switch (kind) {
    case VariableKind::time:
      return ScalarRole::time;
    case VariableKind::start_time:
      return ScalarRole::start_time;
    case VariableKind::final_time:
      return ScalarRole::final_time;
    case VariableKind::parameter:
      return ScalarRole::fixed_parameter;
    case VariableKind::unknown:
      return ScalarRole::algebraic;
    case VariableKind::derivative:
      return ScalarRole::derivative;
    case VariableKind::input:
      return ScalarRole::input;
    case VariableKind::timed:
      return ScalarRole::timed;
    case VariableKind::delayed:
      return ScalarRole::input;
    case VariableKind::discrete:
    case VariableKind::previous:
    case VariableKind::sample:
    case VariableKind::initial_flag:
    case VariableKind::terminal_flag:
    case VariableKind::homotopy:
      return ScalarRole::discrete;
  }
  return ScalarRole::algebraic;
}

StateSelect select_of(const Variable& variable) {
  if (variable.state_select_always) return StateSelect::always;
  if (variable.state_select_prefer) return StateSelect::prefer;
  if (variable.state_select_avoid) return StateSelect::avoid;
  if (variable.state_select_never) return StateSelect::never;
  return StateSelect::standard;
}

void resize_tables(System& system) {
  std::size_t n = system.n();
  system.roles.resize(n);
  system.numbers.resize(n);
  system.derivative.resize(n);
  system.owner.resize(n);
  system.definitions.resize(n);
  system.definition_origins.resize(n, 0);
  system.select.resize(n, StateSelect::standard);
  system.merged.resize(n, false);
  system.phase.resize(n, no_phase);
}

}  // namespace

System::System(ir::FlatModel model, PassOptions given) : flat(std::move(model)), options(std::move(given)) {
  if (!options.form) options.form = Form::explicit_rates;
  if (flat.origins.empty()) flat.origins.push_back({});  // what has no place of its own has origin 0
  resize_tables(*this);
  for (const Variable& variable : flat.variables)
    for (std::uint32_t i = 0; i < variable.size; ++i) {
      std::size_t v = variable.first.index() + i;
      roles[v] = first_role(variable.kind);
      select[v] = select_of(variable);
      if (variable.of) owner[v] = VariableId(variable.of.index() + i);
    }
  for (std::size_t v = 0; v < n(); ++v)
    if (roles[v] == ScalarRole::derivative) {
      derivative[owner[v].index()] = VariableId(v);
      if (roles[owner[v].index()] == ScalarRole::algebraic) roles[owner[v].index()] = ScalarRole::state;
    }
}

VariableId System::add_derivative(VariableId of, std::uint32_t size) {
  Variable variable;
  variable.name = {{"", size > 1 ? 1u : 0u}};
  if (size > 1) variable.dimensions = {size};
  variable.size = size;
  variable.kind = VariableKind::derivative;
  variable.of = of;
  variable.span = span_of(of);
  return add_variable(*this, std::move(variable));
}

bool System::keeps_events() const {
  if (options.smooth > 0 || options.events == Events::literal) return false;
  return options.events == Events::keep || !flat.optimization;
}

bool System::varies(VariableId v) const {
  switch (role(v)) {
    case ScalarRole::time:
    case ScalarRole::state:
    case ScalarRole::derivative:
    case ScalarRole::algebraic:
    case ScalarRole::input:
    case ScalarRole::discrete:
      return true;
    case ScalarRole::start_time:
    case ScalarRole::final_time:
    case ScalarRole::fixed_parameter:
    case ScalarRole::free_parameter:
    case ScalarRole::dependent:
    case ScalarRole::timed:
    case ScalarRole::unused:
      return false;
  }
  return false;
}

std::uint32_t System::phase_of(std::span<const VariableId> variables) const {
  if (flat.phases.empty()) return 0;
  for (VariableId v : variables)
    if (v.index() < n() && phase[v.index()] != no_phase && varies(v)) return phase[v.index()];
  return no_phase;
}

PhaseEnds System::ends_of(std::uint32_t number) const {
  if (flat.phases.empty()) return {VariableId(std::size_t{1}), VariableId(std::size_t{2})};
  auto without_definition = [&](VariableId v) {
    const Applied* same = definition(v);
    return same && dag().op(same->root()) == ir::Op::slot ? same->slots[0] : v;
  };
  const ir::Phase& own = flat.phases[number];
  return {without_definition(own.start_time), without_definition(own.final_time)};
}

bool System::is_free(VariableId v) const {
  switch (role(v)) {
    case ScalarRole::free_parameter:
    case ScalarRole::dependent:
    case ScalarRole::timed:
      return true;
    case ScalarRole::start_time:
    case ScalarRole::final_time:
      return !numbers[v.index()].fixed;
    case ScalarRole::time:
    case ScalarRole::state:
    case ScalarRole::derivative:
    case ScalarRole::algebraic:
    case ScalarRole::input:
    case ScalarRole::discrete:
    case ScalarRole::fixed_parameter:
    case ScalarRole::unused:
      return false;
  }
  return false;
}

const Applied* System::definition(VariableId v) const {
  const auto& found = definitions[v.index()];
  return found ? &*found : nullptr;
}

bool is_declared_free(const ir::FlatModel& model, VariableId v) {
  const Variable& variable = ir::variable_of(model, v);
  if (variable.free) return true;
  if (variable.kind != VariableKind::parameter || variable.fixed.empty()) return false;
  std::size_t i = variable.fixed.size() == 1 ? 0 : v.index() - variable.first.index();
  return !variable.fixed[i];
}

// ---------------------------------------------------------------- small expressions

Applied variable_alone(ir::Dag& dag, VariableId v) { return {{dag.slot(0)}, {v}, {}}; }
Applied constant(ir::Dag& dag, double value) {
  ExprId number = dag.number(value);
  ir::CanonicalShape shape = ir::canonical_shape(dag, std::span(&number, 1));
  Applied result{shape.roots, {}, {}};
  for (const auto& source : shape.data) result.data.push_back(source.literal);
  return result;
}

Applied signed_variable(ir::Dag& dag, VariableId v, double sign, double offset) {
  ExprId root = sign < 0 ? dag.neg(dag.slot(0)) : dag.slot(0);
  if (offset == 0) return {{root}, {v}, {}};
  root = sign < 0 ? dag.sub(dag.datum(0), dag.slot(0)) : dag.add(dag.slot(0), dag.datum(0));
  return {{root}, {v}, {offset}};
}

// ---------------------------------------------------------------- variables and sections

VariableId add_variable(System& system, ir::Variable variable) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  VariableId first(std::size_t{system.n()});
  variable.first = first;
  system.flat.n_scalars += variable.size;
  resize_tables(system);
  bool boolean = variable.type == ir::ValueType::boolean;
  for (std::size_t i = 0; i < variable.size; ++i) {
    std::size_t v = first.index() + i;
    system.roles[v] = first_role(variable.kind);
    system.numbers[v].min = boolean ? 0 : -infinite;
    system.numbers[v].max = boolean ? 1 : infinite;
    if (variable.of) system.owner[v] = VariableId(variable.of.index() + i);
    if (variable.of) system.phase[v] = system.phase[variable.of.index() + i];
  }
  system.flat.variables.push_back(std::move(variable));
  return first;
}

bool is_sought(const System& system, const ir::Delay& delay) {
  return std::any_of(delay.time.slots.begin(), delay.time.slots.end(), [&](VariableId v) { return system.is_free(v); });
}

bool reads_delays_linearly(const System& system) {
  return system.flat.optimization && !system.flat.optimization->is_static && !system.keeps_events();
}

std::vector<Section*> sections_of(ir::FlatModel& model) {
  std::vector<Section*> sections{&model.equations, &model.initial_equations, &model.discrete_equations.section,
                                 &model.initial_discrete_equations.section, &model.reinitialisations.section};
  if (!model.optimization) return sections;
  ir::OptimizationProblem& o = *model.optimization;
  for (Section* section : {&o.objective, &o.integrand, &o.path.section, &o.point.section}) sections.push_back(section);
  return sections;
}

std::vector<ir::Term*> terms_of(ir::FlatModel& model) {
  std::vector<ir::Term*> terms;
  for (ir::Assertion& assertion : model.assertions) {
    terms.push_back(&assertion.condition);
    for (ir::Term& value : assertion.values) terms.push_back(&value);
  }
  for (ir::Termination& termination : model.terminations) {
    terms.push_back(&termination.condition);
    for (ir::Term& value : termination.values) terms.push_back(&value);
  }
  for (ir::Delay& delay : model.delays)
    for (ir::Term* term : {&delay.expression, &delay.time, &delay.longest}) terms.push_back(term);
  for (ir::Transport& transport : model.transports)
    for (std::vector<ir::Term>* list : {&transport.places, &transport.values})
      for (ir::Term& term : *list) terms.push_back(&term);
  return terms;
}

// ---------------------------------------------------------------- definitions into sections

Section with_definitions(const System& system, Composer& composer, const Section& section) {
  auto lookup = [&](VariableId v) { return system.definition(v); };
  SectionBuilder builder(system.options.enabled("group"));
  for_each_instance(section, [&](const GroupInstance& instance) {
    if (Composer::touches(instance.applied, lookup))
      builder.add({composer.compose(instance.applied, lookup), instance.rows, instance.origin});
    else builder.add(instance);
  });
  return builder.finish(section.n_rows);
}

void insert_definitions(System& system, Composer& composer) {
  bool any = false;
  for (const auto& definition : system.definitions) any = any || definition.has_value();
  if (!any) return;
  for (Section* section : sections_of(system.flat)) *section = with_definitions(system, composer, *section);
  for (ir::Term* term : terms_of(system.flat)) {
    Applied changed =
        composer.insert({{term->root}, term->slots, term->data}, [&](VariableId v) { return system.definition(v); });
    term->root = changed.root();
    term->slots = changed.slots;
    term->data = changed.data;
  }
}

}  // namespace bolza::passes
