// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/lints_internal.h"

#include <algorithm>
#include <map>

#include "base/bit_order.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/instance/evaluate.h"
#include "compiler/instance/library/codes.h"
#include "compiler/ir/print.h"

namespace bolza::flatten {
namespace {

std::optional<double> literal(const Model& model, const ir::Term& term) {
  const ir::Dag& dag = model.flat.expressions.dag;
  if (dag.op(term.root) == ir::Op::number) return dag.value(term.root);
  if (dag.op(term.root) == ir::Op::datum) return term.data[dag.index(term.root)];
  return {};
}

std::optional<double> literal_at(const Model& model, const ir::ElementValues& values, std::size_t element) {
  if (!values.present()) return {};
  return literal(model, values.terms[values.terms.size() == 1 ? 0 : element]);
}

/// Place of entry (row, 1) of a table as written, or of the whole.
Span row_span(const ast::Expr& table, std::size_t row) {
  if (table.kind == ast::ExprKind::matrix && row < table.rows.size()) return table.rows[row][0]->span;
  if (table.kind == ast::ExprKind::array && row < table.operands.size()) return table.operands[row]->span;
  return table.span;
}

/// A table over time in an input block of DOML.
void table(Model& model, const Instance& instance) {
  const instance::Definition* in = instance.declared_in;
  bool is_table = instance.name == "table" && instance.rank() == 2 &&
                  instance.variability <= instance::Variability::parameter && instance.binding && in != nullptr &&
                  instance::full_name(*in).starts_with("Modelica.DOML.");
  if (!is_table) return;
  auto value = instance::try_evaluate(model.tree, instance.binding);
  if (!value || value->dimensions.size() != 2 || value->dimensions[1] < 2 || value->numbers.empty()) return;
  auto width = static_cast<std::size_t>(value->dimensions[1]);
  std::map<std::uint64_t, std::size_t> seen;
  double first = value->numbers[0], last = first;
  std::string name = instance::path_of(instance);
  for (std::size_t row = 0; row < static_cast<std::size_t>(value->dimensions[0]); ++row) {
    double t = value->numbers[row * width];
    first = std::min(first, t);
    last = std::max(last, t);
    if (!seen.emplace(bits_of(t + 0.0), row).second)
      model.diagnostics.warning(duplicate_knots, row_span(*instance.binding.expr, row), {name, ir::to_text(t)});
  }
  const ir::Variable &start = model.flat.variables[1], &final = model.flat.variables[2];
  auto t0 = literal_at(model, start.binding, 0), tf = literal_at(model, final.binding, 0);
  if (!t0 || !tf || start.free || final.free || (first >= *t0 && last <= *tf)) return;
  model.diagnostics.warning(data_outside_horizon, instance.binding.span,
                            {name, ir::to_text(first), ir::to_text(last), ir::to_text(*t0), ir::to_text(*tf)});
}

/// What a String is bound to, where it is computed from values: nothing else may look at it.
void text(Model& model, const Instance& instance) {
  if (instance.type != instance::Type::string || !instance.binding) return;
  switch (instance.binding.expr->kind) {
    case ast::ExprKind::name:
    case ast::ExprKind::call:
    case ast::ExprKind::string_literal:
      return;
    default:
      break;
  }
  Diagnostics aside;
  auto value = instance::value_of(model.tree, instance, {}, {}, aside);
  if (!value && aside.all().back().code == &instance::codes::type_mismatch)
    (void)instance::value_of(model.tree, instance, {}, {}, model.diagnostics);
}

}  // namespace

void warn_of_contradictions(Model& model) {
  for_each_component(model.tree.root(), [&](const Instance& instance) {
    table(model, instance);
    text(model, instance);
  });
}

}  // namespace bolza::flatten
