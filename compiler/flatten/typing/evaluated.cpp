// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/typing/evaluated_internal.h"

#include <algorithm>

#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/typing/nonuniform_arrays_internal.h"

namespace bolza::flatten {
namespace {

/// Notes the parameters that an expression names.
class ParameterSearch {
 public:
  ParameterSearch(Model& model, const Scope& scope) : model_(model), scope_(scope) {}

  void expression(const ast::Expr& expr) {
    if (expr.reference) reference(expr);
    for (const ast::Expr* operand : expr.operands)
      if (operand) expression(*operand);
    for (const auto& row : expr.rows)
      for (const ast::Expr* entry : row) expression(*entry);
    if (!expr.arguments) return;
    for (const ast::Expr* argument : expr.arguments->positional) expression(*argument);
    for (const ast::NamedArgument& argument : expr.arguments->named) expression(*argument.value);
  }

 private:
  void reference(const ast::Expr& expr) {
    for (const ast::NamePart& part : expr.reference->parts)
      for (const ast::Subscript& subscript : part.subscripts)
        if (subscript.index) expression(*subscript.index);
    if (expr.kind != ast::ExprKind::name) return;
    Diagnostics quiet;
    auto resolved = instance::lookup(model_.tree, scope_, *expr.reference, quiet);
    if (!resolved || resolved->kind != instance::ResolvedKind::component) return;
    for (const Instance* component : meant_by(model_, *resolved)) model_.evaluated.insert(component);
  }

  Model& model_;
  Scope scope_;
};

/// Sizes and conditions of components were computed when the tree was made.
void note_sizes_and_conditions(Model& model) {
  std::vector<const Instance*> todo{&model.tree.root()};
  while (!todo.empty()) {
    const Instance* next = todo.back();
    todo.pop_back();
    todo.insert(todo.end(), next->children.begin(), next->children.end());
    for (const instance::Dimension& d : next->dimensions)
      if (d.expr) ParameterSearch(model, d.scope).expression(*d.expr);
    if (next->declaration && next->declaration->condition && next->parent)
      ParameterSearch(model, instance::scope_of(*next->parent)).expression(*next->declaration->condition);
  }
}

}  // namespace

void note_parameters(Model& model, const ast::Expr& expr, const Scope& scope) {
  ParameterSearch(model, scope).expression(expr);
}

void mark_evaluated(Model& model) {
  note_sizes_and_conditions(model);
  std::vector<std::uint32_t> todo;
  for (const Instance* instance : model.evaluated)
    if (auto id = model.first_id.find(instance); id != model.first_id.end()) todo.push_back(id->second);
  while (!todo.empty()) {
    ir::Variable& variable = ir::variable_of(model.flat, ir::VariableId(std::size_t{todo.back()}));
    todo.pop_back();
    if (variable.evaluate || variable.kind != ir::VariableKind::parameter) continue;
    variable.evaluate = true;
    const ir::ElementValues& start = variable.attributes[static_cast<std::size_t>(ir::Attribute::start)];
    for (const ir::Term& term : variable.binding.present() ? variable.binding.terms : start.terms)
      for (ir::VariableId id : term.slots)
        if ((id.value & provisional::kind) == 0) todo.push_back(id.value);
  }
}

}  // namespace bolza::flatten
