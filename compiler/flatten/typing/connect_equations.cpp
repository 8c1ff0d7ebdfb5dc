// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/typing/connect_equations_internal.h"

#include <algorithm>

#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/lower_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/typing/typer_internal.h"

namespace bolza::flatten {

bool is_of_graph(const ast::Equation& equation) {
  return equation.kind == ast::EquationKind::call && equation.left->reference->parts[0].identifier == "Connections";
}

namespace {

class ConnectWalk {
 public:
  ConnectWalk(Model& model, const VisitConnection& give) : model_(model), give_(give) {
    for_each_component(model.tree.root(), [&](const Instance& instance) {
      for (const auto& equation : instance.equations)
        if (connects(*equation.node)) visit(*equation.node, context_of(model, instance, equation.scope));
    });
  }

 private:
  static bool connects(const ast::Equation& equation) {
    auto any = [](ast::List<const ast::Equation*> list) {
      return std::any_of(list.begin(), list.end(), [](const ast::Equation* e) { return connects(*e); });
    };
    return equation.kind == ast::EquationKind::connect || is_of_graph(equation) || any(equation.body) ||
           std::any_of(equation.branches.begin(), equation.branches.end(), [&](const auto& b) { return any(b.body); });
  }

  void visit(const ast::Equation& equation, const Context& context) {
    if (equation.kind == ast::EquationKind::connect || is_of_graph(equation)) give_(equation, context);
    else if (equation.kind == ast::EquationKind::for_) loop(equation, context, 0);
    else if (equation.kind == ast::EquationKind::if_) branch(equation, context);
  }

  void inside(ast::List<const ast::Equation*> body, const Context& context) {
    for (const ast::Equation* inner : body)
      if (connects(*inner)) visit(*inner, context);
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

  Model& model_;
  const VisitConnection& give_;
};

}  // namespace

void for_each_connection(Model& model, const VisitConnection& visit) { ConnectWalk walk(model, visit); }

Outcome<std::vector<std::vector<ElementKey>>> elements_of(Model& model, Work& work, const Node& place) {
  const Node& base = place.kind == NodeKind::index ? *place.children[0] : place;
  Lowering lowering(model.nodes, model.dag(), model.diagnostics, work, model.structural_leaves());
  std::vector<std::vector<ElementKey>> all;
  if (place.kind == NodeKind::array) {
    for (const Node* part : place.children) {
      auto inside = elements_of(model, work, *part);
      if (!inside) return inside.failure();
      all.insert(all.end(), inside->begin(), inside->end());
    }
    return all;
  }
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

}  // namespace bolza::flatten
