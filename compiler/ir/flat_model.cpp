// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/flat_model.h"

#include <algorithm>

#include "base/expects.h"
#include "compiler/ir/print.h"

namespace bolza::ir {
namespace {

std::size_t position_of(const FlatModel& model, VariableId id) {
  expects(id.value < model.n_scalars, "variable ids are below n_scalars");
  auto after = std::upper_bound(model.variables.begin(), model.variables.end(), id,
                                [](VariableId value, const Variable& v) { return value < v.first; });
  expects(after != model.variables.begin(), "variables cover all ids");
  return static_cast<std::size_t>(after - model.variables.begin()) - 1;
}

/// Subscripts, from 1, of an element of a row-major array.
std::vector<std::uint32_t> subscripts_of(const Variable& variable, std::uint32_t element) {
  std::vector<std::uint32_t> subscripts(variable.dimensions.size());
  for (std::size_t d = subscripts.size(); d-- > 0;) {
    std::uint32_t extent = std::max(variable.dimensions[d], 1u);
    subscripts[d] = element % extent + 1;
    element /= extent;
  }
  return subscripts;
}

std::string declared_name(const Variable& variable, std::uint32_t element) {
  std::vector<std::uint32_t> subscripts = subscripts_of(variable, element);
  std::string text;
  std::size_t next = 0;
  for (const Variable::NamePart& part : variable.name) {
    if (!text.empty()) text += '.';
    text += part.name;
    for (std::uint32_t d = 0; d < part.dimensions && next < subscripts.size(); ++d, ++next)
      text += (d == 0 ? "[" : ",") + std::to_string(subscripts[next]);
    if (part.dimensions > 0) text += ']';
  }
  return text;
}

void verify_values(const FlatModel& model, const Variable& variable, const ElementValues& values) {
  std::size_t n = values.terms.size();
  expects(n <= 1 || n == variable.size, "element values are none, one for all, or one per element");
  for (const Term& term : values.terms) verify(model.expressions.dag, term, model.n_scalars);
}

/// Sections whose groups have two roots for the same row.
void verify_sides(const FlatModel& model, const Section& section) {
  verify(model.expressions.dag, section, model.n_scalars);
  for (const Group& group : section.groups)
    expects(group.roots.size() == 2 && group.rows[0] == group.rows[1], "such a row has two roots");
}

/// Sections whose groups have pairs of roots, each pair for one row.
void verify_pairs(const FlatModel& model, const Section& section) {
  verify(model.expressions.dag, section, model.n_scalars);
  for (const Group& group : section.groups) {
    expects(!group.roots.empty() && group.roots.size() % 2 == 0, "rows have two roots each");
    for (std::size_t r = 0; r < group.roots.size(); r += 2)
      expects(group.rows[r] == group.rows[r + 1], "both roots of a pair belong to one row");
  }
}

void verify_constraints(const FlatModel& model, const ConstraintSection& constraints) {
  verify_sides(model, constraints.section);
  expects(constraints.relations.size() == constraints.section.n_rows, "every constraint row has a relation");
}

void verify_events(const FlatModel& model) {
  const Dag& dag = model.expressions.dag;
  verify_pairs(model, model.discrete_equations.section);
  verify_pairs(model, model.initial_discrete_equations.section);
  verify_sides(model, model.reinitialisations.section);
  expects(model.reinitialisations.states.size() == model.reinitialisations.section.n_rows, "every reinit has a state");
  for (const Sampling& sampling : model.samples)
    for (const Term* term : {&sampling.start, &sampling.interval}) verify(dag, *term, model.n_scalars);
  for (const Delay& delay : model.delays)
    for (const Term* term : {&delay.expression, &delay.time, &delay.longest}) verify(dag, *term, model.n_scalars);
  for (const Transport& transport : model.transports) {
    expects(transport.first + 1 < model.delays.size(), "a transport has two delays");
    expects(transport.places.size() == transport.values.size(), "a profile has a value at every place");
    for (const std::vector<Term>* terms : {&transport.places, &transport.values})
      for (const Term& term : *terms) verify(dag, term, model.n_scalars);
  }
  for (const Assertion& assertion : model.assertions) {
    verify(dag, assertion.condition, model.n_scalars);
    for (const Term& value : assertion.values) verify(dag, value, model.n_scalars);
  }
  for (const Termination& termination : model.terminations) {
    verify(dag, termination.condition, model.n_scalars);
    for (const Term& value : termination.values) verify(dag, value, model.n_scalars);
  }
}

void verify_variables(const FlatModel& model) {
  std::uint32_t next = 0;
  for (const Variable& variable : model.variables) {
    expects(variable.first.value == next, "variables cover all ids in order, without gaps");
    std::uint32_t size = 1;
    for (std::uint32_t extent : variable.dimensions) size *= extent;
    expects(size == variable.size, "a variable's size is the product of its dimensions");
    next += variable.size;
    bool belongs = variable.kind == VariableKind::derivative || variable.kind == VariableKind::timed ||
                   variable.kind == VariableKind::previous;
    expects(!belongs || variable.of.value + variable.size <= model.n_scalars,
            "derivatives and timed values belong to variables");
    expects(variable.fixed.size() <= 1 || variable.fixed.size() == variable.size, "`fixed` has no, one or every element");
    if (variable.kind == VariableKind::timed) {
      std::size_t slots = variable.one_time_slot ? 1 : variable.size;
      expects(variable.time_slot + slots <= model.time_slots.size(), "timed values name existing time slots");
    }
    for (const ElementValues& values : variable.attributes) verify_values(model, variable, values);
    verify_values(model, variable, variable.binding);
  }
  expects(next == model.n_scalars, "variables cover all ids");
  expects(model.n_scalars >= 3 && variable_of(model, VariableId(0)).kind == VariableKind::time &&
              variable_of(model, VariableId(1)).kind == VariableKind::start_time &&
              variable_of(model, VariableId(2)).kind == VariableKind::final_time,
          "ids 0, 1, 2 are time, startTime, finalTime");
}

}  // namespace

const Variable& variable_of(const FlatModel& model, VariableId id) { return model.variables[position_of(model, id)]; }
Variable& variable_of(FlatModel& model, VariableId id) { return model.variables[position_of(model, id)]; }

std::string name_of(const FlatModel& model, VariableId id) {
  const Variable& variable = variable_of(model, id);
  std::uint32_t element = id.value - variable.first.value;
  VariableId owner(std::size_t{variable.of.value} + element);
  bool is_rate = variable.kind == VariableKind::derivative || variable.kind == VariableKind::input;
  if (is_rate && variable.of) return "der(" + name_of(model, owner) + ")";
  if (variable.kind == VariableKind::previous && variable.of) return "pre(" + name_of(model, owner) + ")";
  if (variable.kind == VariableKind::timed && variable.of) {
    std::size_t slot = variable.time_slot + (variable.one_time_slot ? 0 : element);
    return name_of(model, owner) + "(" + to_text(model, model.time_slots[slot].time) + ")";
  }
  return declared_name(variable, element);
}

void verify(const FlatModel& model) {
  verify(model.expressions);
  verify_variables(model);
  verify(model.expressions.dag, model.equations, model.n_scalars);
  verify(model.expressions.dag, model.initial_equations, model.n_scalars);
  for (const TimeSlot& slot : model.time_slots) verify(model.expressions.dag, slot.time, model.n_scalars);
  verify_events(model);
  if (!model.optimization) return;
  verify(model.expressions.dag, model.optimization->objective, model.n_scalars);
  verify(model.expressions.dag, model.optimization->integrand, model.n_scalars);
  verify_constraints(model, model.optimization->path);
  verify_constraints(model, model.optimization->point);
}

}  // namespace bolza::ir
