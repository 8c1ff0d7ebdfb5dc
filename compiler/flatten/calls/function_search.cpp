// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/calls/function_search_internal.h"

#include <algorithm>

#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/typing/typer_internal.h"
#include "compiler/instance/build/instantiate.h"

namespace bolza::flatten {

bool FunctionSearch::has(const Instance& function) {
  if (auto known = known_.find(&function); known != known_.end()) return known->second;
  if (std::find(seen_.begin(), seen_.end(), &function) != seen_.end()) return property_.of_recursive;
  bool is_first = seen_.empty();
  seen_.push_back(&function);
  std::optional<bool> own = property_.own(function);
  bool answer = own ? *own : in_text(function);
  // a "no" from inside a circle of calls may rest on a function whose own answer is still open
  if (answer || is_first || property_.of_recursive) known_[&function] = answer;
  return answer;
}

bool FunctionSearch::in_text(const Instance& function) {
  for (const Instance* child : function.children) {
    bool begins = property_.in_declarations && child->variability != instance::Variability::constant && !is_input(*child);
    if (begins && child->binding && in(*child->binding.expr, child->binding.scope)) return true;
  }
  return std::any_of(function.algorithms.begin(), function.algorithms.end(),
                     [&](const auto& section) { return in(section.node->items, section.scope); });
}

bool FunctionSearch::in(ast::List<const ast::Statement*> statements, const Scope& scope) {
  return std::any_of(statements.begin(), statements.end(), [&](const ast::Statement* s) { return in(*s, scope); });
}

bool FunctionSearch::in(const ast::Statement& s, const Scope& scope) {
  bool is_call = s.kind == ast::StatementKind::call;
  bool is_assert = is_call && s.value->reference->simple() && s.value->reference->parts[0].identifier == "assert";
  if (is_assert && !property_.in_assertions) return false;
  if (is_call && called(*s.value->reference, scope)) return true;
  if (s.value && property_.in_expressions && in(*s.value, scope)) return true;
  return in(s.body, scope) || std::any_of(s.branches.begin(), s.branches.end(), [&](const auto& branch) {
           return (branch.condition && property_.in_expressions && in(*branch.condition, scope)) || in(branch.body, scope);
         });
}

bool FunctionSearch::in(const ast::Expr& e, const Scope& scope) {
  auto inside = [&](const ast::Expr* part) { return part && in(*part, scope); };
  if (e.kind == ast::ExprKind::call && called(*e.reference, scope)) return true;
  if (std::any_of(e.operands.begin(), e.operands.end(), inside)) return true;
  for (const auto& row : e.rows)
    if (std::any_of(row.begin(), row.end(), inside)) return true;
  if (!e.arguments) return false;
  return std::any_of(e.arguments->positional.begin(), e.arguments->positional.end(), inside) ||
         std::any_of(e.arguments->named.begin(), e.arguments->named.end(), [&](const auto& n) { return inside(n.value); });
}

bool FunctionSearch::called(const ast::Reference& name, const Scope& scope) {
  Work work;
  Typer typer(model_, work, scope);
  const Instance* function = function_named(typer, name);
  return function != nullptr && has(*function);
}

const Instance* function_named(Typer& typer, const ast::Reference& name) {
  Diagnostics quiet;
  auto resolved = instance::lookup(typer.model.tree, typer.scope, name, quiet);
  bool is_class = resolved && resolved->kind == instance::ResolvedKind::class_ && resolved->definition != nullptr &&
                  resolved->definition->ast->kind == ast::ClassKind::function;
  if (!is_class) return nullptr;
  auto made = instance::instance_of(typer.model.tree, *resolved->definition, resolved->enclosing, name.span, quiet);
  return made ? *made : nullptr;
}

}  // namespace bolza::flatten
