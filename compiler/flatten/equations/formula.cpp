// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/equations/formula_internal.h"

#include <algorithm>

#include "compiler/flatten/model/auxiliaries_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/ir/node_map.h"
#include "compiler/ir/substitute.h"

namespace bolza::flatten {

using ir::ExprId;
using ir::Op;

ExprId Formula::value(std::uint32_t id) {
  auto at = std::find(slots_.begin(), slots_.end(), ir::VariableId(std::size_t{id}));
  if (at == slots_.end()) at = slots_.insert(slots_.end(), ir::VariableId(std::size_t{id}));
  return model_.dag().slot(static_cast<std::uint32_t>(at - slots_.begin()));
}

ExprId Formula::term(const ir::Term& term) {
  ir::Dag& dag = model_.dag();
  std::vector<ExprId> slots, data;
  for (ir::VariableId id : term.slots) slots.push_back(value(id.value));
  for (double number : term.data) data.push_back(dag.number(number));
  return ir::substitute(dag, term.root, {slots, data});
}

std::uint32_t new_variable(Model& model, const char* stem, ir::VariableKind kind, ir::ValueType type, Span span) {
  return add_auxiliaries(model, {0, 1, span, stem, kind, type});
}

std::uint32_t initial_flag(Model& model, Span span) {
  std::uint32_t& id = model.flags[static_cast<std::size_t>(Flag::initial)];
  if (id == 0) id = new_variable(model, "initial()", ir::VariableKind::initial_flag, ir::ValueType::boolean, span);
  return id;
}

namespace {

void add_row(Model& model, ir::Section& section, const Formula& formula, std::vector<ExprId> roots, Span span) {
  ir::Group group;
  group.n = 1;
  group.rows.assign(roots.size(), {ir::RowId(std::size_t{section.n_rows})});
  group.roots = std::move(roots);
  for (ir::VariableId id : formula.slots()) group.slots.push_back(ir::Column::affine(id, 0));
  group.origins = {static_cast<std::uint32_t>(model.flat.origins.size())};
  model.flat.origins.push_back({span, {}});
  ++section.n_rows;
  section.groups.push_back(std::move(group));
}

}  // namespace

void set_discrete(Model& model, std::uint32_t variable, const Formula& formula, ExprId value, Span span) {
  Formula both = formula;
  ExprId own = both.value(variable);
  add_row(model, model.flat.discrete_equations.section, both, {own, value}, span);
}

void add_equation(Model& model, const Formula& formula, ExprId residual, Span span) {
  add_row(model, model.flat.equations, formula, {residual}, span);
}

std::vector<ExprId> without_events(ir::Dag& dag, const std::vector<ExprId>& roots) {
  ir::NodeMap<ExprId> made;
  std::vector<ExprId> operands, out;
  for (ExprId e : ir::reachable(dag, roots)) {
    operands.clear();
    for (ExprId operand : dag.operands(e)) operands.push_back(*made.find(operand));
    ExprId own = operands.empty() ? e : ir::with_operands(dag, e, operands);
    bool makes_event = cuts(dag.op(e)) || dag.op(e) == Op::mod || dag.op(e) == Op::rem;
    made[e] = makes_event ? dag.make(Op::no_event, own) : own;
  }
  for (ExprId root : roots) out.push_back(*made.find(root));
  return out;
}

}  // namespace bolza::flatten
