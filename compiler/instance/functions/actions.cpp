// SPDX-License-Identifier: Apache-2.0
#include "compiler/instance/functions/actions.h"

#include "compiler/instance/build/instantiate.h"
#include "compiler/instance/values/evaluator_internal.h"

namespace bolza::instance {

std::uint32_t Actions::add(const ast::Expr& expr, const Scope& scope, std::vector<ActionInput> inputs, bool is_call) {
  all_.push_back({&expr, scope, std::move(inputs), is_call});
  return static_cast<std::uint32_t>(all_.size() - 1);
}

ir::ActionPerformer::Outcome Actions::perform(std::size_t action, std::span<const double> values) {
  const Action& a = all_[action];
  Diagnostics diagnostics;
  EvaluationBudget budget;
  budget.may_act = true;
  Evaluator evaluator(tree_, a.scope, diagnostics, budget);
  for (const ActionInput& input : a.inputs) {
    Value value = input.value;
    take_numbers(value, values);
    evaluator.iterators.push_back({input.name, std::move(value)});
  }
  auto failed = [&]() -> Outcome {
    return {.text = "", .failure = budget.objection.empty() ? diagnostics.all().back().message : budget.objection};
  };
  if (!a.is_call) {
    auto text = evaluator.value(*a.expr);
    return text ? Outcome{text->text(), ""} : failed();
  }
  auto resolved = lookup(tree_, a.scope, *a.expr->reference, diagnostics);
  if (!resolved) return failed();
  auto function = instance_of(tree_, *resolved->definition, resolved->enclosing, a.expr->span, diagnostics);
  if (!function || !evaluator.call_function(**function, a.expr->arguments, a.expr->span)) return failed();
  return {};
}

}  // namespace bolza::instance
