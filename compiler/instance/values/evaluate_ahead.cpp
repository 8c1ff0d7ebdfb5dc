// SPDX-License-Identifier: Apache-2.0
#include <tuple>
#include <vector>

#include "compiler/instance/store_internal.h"
#include "compiler/instance/values/evaluator_internal.h"

/// Long chains of constants, each of which needs the next: evaluated from their end, without nesting.
namespace bolza::instance {
namespace {

void references_in(const ast::Expr& root, std::vector<const ast::Reference*>& out) {
  std::vector<const ast::Expr*> open{&root};
  auto add = [&](const ast::Expr* expr) {
    if (expr) open.push_back(expr);
  };
  while (!open.empty()) {
    const ast::Expr& expr = *open.back();
    open.pop_back();
    if (expr.kind == ast::ExprKind::name && expr.reference) out.push_back(expr.reference);
    for (const ast::Expr* operand : expr.operands) add(operand);
    for (const auto& row : expr.rows)
      for (const ast::Expr* operand : row) add(operand);
    if (!expr.arguments) continue;
    for (const ast::Expr* argument : expr.arguments->positional) add(argument);
  }
}

}  // namespace

std::vector<const Instance*> Evaluator::needed_by(const Instance& c) const {
  std::vector<const ast::Reference*> references;
  std::vector<const Instance*> needed;
  if (!c.binding || c.binding.whole || c.rank() > 0) return needed;
  references_in(*c.binding.expr, references);
  for (const ast::Reference* reference : references) {
    Diagnostics aside;
    auto found = lookup(tree_, c.binding.scope, *reference, aside);
    if (!found || found->kind != ResolvedKind::component || found->path.size() != 1 || found->removed) continue;
    const Instance* component = found->path[0].instance;
    bool plain = component->parent == c.parent && component->variability <= Variability::parameter;
    if (plain && !tree_.store().values.contains({component, {}})) needed.push_back(component);
  }
  return needed;
}

void Evaluator::evaluate_ahead(const Instance& c) {
  if (!c.parent || c.parent->parent) return;  // elements of arrays have indices
  auto& begun = tree_.store().evaluated_ahead;
  std::vector<std::pair<const Instance*, bool>> open{{&c, false}};
  while (!open.empty()) {
    auto [instance, has_all] = open.back();
    if (has_all || !begun.insert(instance).second) {
      open.pop_back();
      if (!has_all || instance == &c) continue;
      Diagnostics aside;  // what is wrong is reported by whoever asks for the value
      EvaluationBudget budget{.depth = budget_.depth, .may_act = budget_.may_act};
      std::ignore = Evaluator(tree_, scope_, aside, budget).component(*instance, {}, instance->span);
      continue;
    }
    open.back().second = true;
    for (const Instance* needed : needed_by(*instance)) open.emplace_back(needed, false);
  }
}

}  // namespace bolza::instance
