// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/typing/cardinality_internal.h"

#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/typing/connect_equations_internal.h"
#include "compiler/flatten/typing/context_internal.h"
#include "compiler/flatten/typing/typer_internal.h"

namespace bolza::flatten {
namespace {

/// A connection to a conditional component that is not there is not there either.
bool is_gone(Model& model, const ast::Expr& side, const Context& context) {
  Diagnostics quiet;
  if (side.kind != ast::ExprKind::name) return false;
  auto resolved = instance::lookup(model.tree, context.scope, *side.reference, quiet);
  return resolved && resolved->removed;
}

void count_side(Model& model, const ast::Expr& side, const Context& context) {
  for_each_part(context.space, [&](Work& work) -> Outcome<Done> {
    Diagnostics quiet;
    if (side.kind != ast::ExprKind::name) return Done{};
    auto resolved = instance::lookup(model.tree, context.scope, *side.reference, quiet);
    if (!resolved || resolved->kind != instance::ResolvedKind::component || resolved->removed) return Done{};
    Typer typer = typer_in(model, work, context);
    auto place = typer.place(*resolved, side.span);
    if (!place) return place.failure();
    auto elements = elements_of(model, work, *place);
    if (!elements) return elements.failure();
    for (const auto& instances : *elements)
      for (const ElementKey& key : instances) ++model.connects[key];
    return Done{};
  });
}

}  // namespace

Outcome<std::int64_t> cardinality(Model& model, Work& work, const Node& connector) {
  if (!model.connects_counted) {
    model.connects_counted = true;
    for_each_connection(model, [&](const ast::Equation& equation, const Context& context) {
      if (equation.kind != ast::EquationKind::connect) return;
      if (is_gone(model, *equation.left, context) || is_gone(model, *equation.right, context)) return;
      for (const ast::Expr* side : {equation.left, equation.right}) count_side(model, *side, context);
    });
  }
  auto elements = elements_of(model, work, connector);
  if (!elements) return elements.failure();
  std::vector<double> counts(work.space.n);
  for (const auto& instances : *elements)
    for (std::size_t i = 0; i < counts.size(); ++i)
      if (auto at = model.connects.find(instances[i]); at != model.connects.end())
        counts[i] += static_cast<double>(at->second);
  auto count = work.uniform(Known(std::move(counts)));
  if (!count) return count.failure();
  return static_cast<std::int64_t>(*count);
}

}  // namespace bolza::flatten
