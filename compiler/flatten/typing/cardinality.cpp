// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/typing/cardinality_internal.h"

#include <algorithm>

#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/lower_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/typing/context_internal.h"
#include "compiler/flatten/typing/typer_internal.h"

namespace bolza::flatten {
namespace {

using ElementKey = std::pair<const Instance*, std::vector<std::int64_t>>;

/// The elements of a connector (or array of connectors) that a node is, for every instance of the space: one list per
/// element of the node.
Outcome<std::vector<std::vector<ElementKey>>> elements_of(Model& model, Work& work, const Node& place) {
  const Node& base = place.kind == NodeKind::index ? *place.children[0] : place;
  Lowering lowering(model.nodes, model.dag(), model.diagnostics, work, model.structural_leaves());
  std::vector<std::vector<ElementKey>> all;
  for (std::int64_t e = 0; e < size_of(place.dims); ++e) {
    Indices at;
    for (std::int64_t index : indices_at(place.dims, e)) at.push_back(static_cast<double>(index));
    if (place.kind == NodeKind::index) {
      auto inside = lowering.base_indices(place, at);
      if (!inside) return inside.failure();
      at = std::move(*inside);
    }
    std::vector<ElementKey>& keys = all.emplace_back();
    for (std::size_t i = 0; i < work.space.n; ++i) {
      keys.push_back({base.instance, {}});
      for (const Scalar& index : at) keys.back().second.push_back(static_cast<std::int64_t>(index.known[i]));
    }
  }
  return all;
}

/// Goes through the connect equations of the whole model, with the ranges of loops and the conditions of branches.
class Count {
 public:
  explicit Count(Model& model) : model_(model) {
    for_each_component(model.tree.root(), [&](const Instance& instance) {
      for (const auto& equation : instance.equations)
        if (has_connect(*equation.node)) visit(*equation.node, context_of(model, instance, equation.scope));
    });
  }

 private:
  static bool has_connect(const ast::Equation& equation) {
    auto any = [](ast::List<const ast::Equation*> list) {
      return std::any_of(list.begin(), list.end(), [](const ast::Equation* e) { return has_connect(*e); });
    };
    return equation.kind == ast::EquationKind::connect || any(equation.body) ||
           std::any_of(equation.branches.begin(), equation.branches.end(), [&](const auto& b) { return any(b.body); });
  }

  void visit(const ast::Equation& equation, const Context& context) {
    if (equation.kind == ast::EquationKind::connect) {
      if (is_gone(*equation.left, context) || is_gone(*equation.right, context)) return;
      for (const ast::Expr* side : {equation.left, equation.right}) add(*side, context);
    } else if (equation.kind == ast::EquationKind::for_) {
      loop(equation, context, 0);
    } else if (equation.kind == ast::EquationKind::if_) {
      branch(equation, context);
    }
  }

  void inside(ast::List<const ast::Equation*> body, const Context& context) {
    for (const ast::Equation* inner : body)
      if (has_connect(*inner)) visit(*inner, context);
  }

  void loop(const ast::Equation& equation, const Context& context, std::size_t iterator) {
    if (iterator == equation.iterators.size()) return inside(equation.body, context);
    for_each_part(context.space, [&](Work& work) -> Outcome<Done> {
      const ast::Iterator& it = equation.iterators[iterator];
      auto inner = enter_loop(model_, it, it.range ? Subscripted{} : subscripted_by(equation.body, it.name), context, work);
      if (!inner) return inner.failure();
      loop(equation, *inner, iterator + 1);
      return Done{};
    });
  }

  void branch(const ast::Equation& equation, const Context& context) {
    for_each_part(context.space, [&](Work& work) -> Outcome<Done> {
      Typer typer = typer_in(model_, work, context);
      for (const auto& branch : equation.branches) {
        if (branch.condition) {
          auto condition = typer.boolean_condition(*branch.condition);
          auto holds = condition ? typer.number_now(*condition) : condition.failure();
          if (!holds) return holds.failure();
          if (*holds == 0) continue;
        }
        Context part = context;
        part.space = work.space;
        inside(branch.body, part);
        break;
      }
      return Done{};
    });
  }

  /// A connection to a conditional component that is not there is not there either.
  bool is_gone(const ast::Expr& side, const Context& context) {
    Diagnostics quiet;
    if (side.kind != ast::ExprKind::name) return false;
    auto resolved = instance::lookup(model_.tree, context.scope, *side.reference, quiet);
    return resolved && resolved->removed;
  }

  void add(const ast::Expr& side, const Context& context) {
    for_each_part(context.space, [&](Work& work) -> Outcome<Done> {
      Diagnostics quiet;
      if (side.kind != ast::ExprKind::name) return Done{};
      auto resolved = instance::lookup(model_.tree, context.scope, *side.reference, quiet);
      if (!resolved || resolved->kind != instance::ResolvedKind::component || resolved->removed) return Done{};
      Typer typer = typer_in(model_, work, context);
      auto place = typer.place(*resolved, side.span);
      if (!place) return place.failure();
      auto elements = elements_of(model_, work, *place);
      if (!elements) return elements.failure();
      for (const auto& instances : *elements)
        for (const ElementKey& key : instances) ++model_.connects[key];
      return Done{};
    });
  }

  Model& model_;
};

}  // namespace

Outcome<std::int64_t> cardinality(Model& model, Work& work, const Node& connector) {
  if (!model.connects_counted) {
    model.connects_counted = true;
    Count all(model);
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
