#include "compiler/flatten/equations/equations_internal.h"

#include <algorithm>

#include "base/expects.h"
#include "compiler/flatten/calls/effects_internal.h"
#include "compiler/flatten/equations/algorithms_internal.h"
#include "compiler/flatten/equations/connections_internal.h"
#include "compiler/flatten/equations/emit_effect_internal.h"
#include "compiler/flatten/equations/equate_internal.h"
#include "compiler/flatten/equations/open_branches_internal.h"
#include "compiler/flatten/equations/when_internal.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/typing/context_internal.h"
#include "compiler/flatten/typing/sides_internal.h"
#include "compiler/flatten/typing/typer_internal.h"

namespace bolza::flatten {

using ast::EquationKind;

namespace {

class EquationTranslator {
 public:
  EquationTranslator(Model& model, Connections& connections) : model_(model), connections_(connections) {}

  void translate(const ast::Equation& equation, const Context& context) {
    switch (equation.kind) {
      case EquationKind::equality:
        return equality(equation, context);
      case EquationKind::call:
        return call(equation, context);
      case EquationKind::connect:
        return connections_.add(equation, context);
      case EquationKind::if_:
        return branches(equation, context);
      case EquationKind::for_:
        return loop(equation, context);
      case EquationKind::when:
        return translate_when(model_, equation, context);
    }
  }

 private:
  void equate(const Node* left, const Node* right, Typer& typer, const Context& context, Span span) {
    std::vector<Sides> sides;
    if (!sides_of(typer, left, right, span, sides)) return;
    for (const Sides& side : sides) emit_equation(model_, typer.work.space, side, context.initial, span, context.names);
  }

  void equality(const ast::Equation& equation, const Context& context) {
    for_each_part(context.space, [&](Work& work) {
      Typer typer = typer_in(model_, work, context);
      typer.in_initial = context.initial;
      if (equation.left->kind == ast::ExprKind::tuple) return outputs(equation, typer, context);
      const Node* left = typer.expression(*equation.left);
      const Node* right = typer.expression(*equation.right);
      if (left && right) equate(left, right, typer, context, equation.span);
    });
  }

  void outputs(const ast::Equation& equation, Typer& typer, const Context& context) {
    const Node* call = typer.expression(*equation.right);
    if (!call) return;
    std::vector<const Node*> values = typer.outputs_of(call);
    if (call->kind == NodeKind::call && !call->call->dims.empty() && values.size() > 1) {
      typer.wrong(several_outputs_over_arrays, equation.right->span,
                  {call->call->function->name, std::to_string(values.size())});
      return;
    }
    if (equation.left->operands.size() > values.size()) {
      typer.wrong(too_many_outputs, equation.left->span,
                  {std::to_string(values.size()), std::to_string(equation.left->operands.size())});
      return;
    }
    for (std::size_t k = 0; k < equation.left->operands.size(); ++k) {
      const ast::Expr* to = equation.left->operands[k];
      const Node* left = to ? typer.expression(*to) : nullptr;
      if (to && !left) return;
      if (left) equate(left, values[k], typer, context, equation.span);
    }
  }

  void call(const ast::Equation& equation, const Context& context) {
    const ast::Reference& name = *equation.left->reference;
    if (name.parts[0].identifier == "Connections") {
      model_.diagnostics.error(unsupported, equation.span, {"an overconstrained connection graph (`Connections`)"});
      return;
    }
    for_each_part(context.space, [&](Work& work) {
      Typer typer = typer_in(model_, work, context);
      std::vector<Effect> effects;
      if (!effect_of(typer, *equation.left, false, equation.span, effects)) return;
      for (const Effect& effect : effects) {
        bool at_start = context.initial && effect.kind == Effect::Kind::call;
        const Node* fires = at_start ? model_.nodes.flag(Flag::initial, equation.span) : nullptr;
        emit_effect(model_, work.space, effect, fires, context.names);
      }
    });
  }

  void loop(const ast::Equation& equation, const Context& context, std::size_t iterator = 0) {
    if (iterator == equation.iterators.size()) {
      for (const ast::Equation* inner : equation.body) translate(*inner, context);
      return;
    }
    for_each_part(context.space, [&](Work& work) {
      const ast::Iterator& it = equation.iterators[iterator];
      auto inner = enter_loop(model_, it, it.range ? Subscripted{} : subscripted_by(equation.body, it.name), context, work);
      if (inner) loop(equation, *inner, iterator + 1);
    });
  }

  void branches(const ast::Equation& equation, const Context& context) {
    for_each_part(context.space, [&](Work& work) {
      Typer typer = typer_in(model_, work, context);
      std::vector<const Node*> conditions;
      for (const auto& branch : equation.branches) {
        if (branch.condition == nullptr) break;
        const Node* condition = typer.boolean_condition(*branch.condition);
        if (!condition) return;
        if (condition->level == Level::constant || typer.is_structural(*condition) ||
            (condition->level == Level::parameter && !same_structure(equation))) {
          auto holds = typer.number_now(*condition);
          if (!holds) return;
          if (*holds == 0) {
            conditions.push_back(model_.nodes.number(0, Basic::boolean, condition->span));
            continue;
          }
          if (std::all_of(conditions.begin(), conditions.end(), [](const Node* c) { return c->kind == NodeKind::number; })) {
            Context part = context;
            part.space = work.space;
            for (const ast::Equation* inner : branch.body) translate(*inner, part);
            return;
          }
          conditions.push_back(model_.nodes.number(1, Basic::boolean, condition->span));
          continue;
        }
        conditions.push_back(condition);
      }
      if (std::all_of(conditions.begin(), conditions.end(), [](const Node* c) { return c->kind == NodeKind::number; })) {
        if (conditions.size() == equation.branches.size()) return;
        Context part = context;
        part.space = work.space;
        for (const ast::Equation* inner : equation.branches.back().body) translate(*inner, part);
        return;
      }
      translate_open_branches(model_, typer, equation, conditions, context);
    });
  }

  /// Whether the branches have equally many items, and derivatives in all of them or in none: a parameter's condition may
  /// then stay open.
  static bool same_structure(const ast::Equation& equation) {
    std::size_t with_derivatives = 0;
    for (const auto& branch : equation.branches) {
      if (branch.body.size() != equation.branches[0].body.size()) return false;
      bool any = false;
      for (const ast::Equation* inner : branch.body) {
        if (inner->kind != EquationKind::equality) return false;
        any = any || differentiates(*inner->left) || differentiates(*inner->right);
      }
      with_derivatives += any;
    }
    bool alike = with_derivatives == 0 || with_derivatives == equation.branches.size();
    return alike && equation.branches.back().condition == nullptr;
  }

  static bool differentiates(const ast::Expr& expr) {
    auto in = [](const ast::Expr* part) { return part != nullptr && differentiates(*part); };
    if (expr.kind == ast::ExprKind::call && expr.reference && expr.reference->simple() &&
        expr.reference->parts[0].identifier == "der")
      return true;
    if (std::any_of(expr.operands.begin(), expr.operands.end(), in)) return true;
    for (const auto& row : expr.rows)
      if (std::any_of(row.begin(), row.end(), in)) return true;
    return expr.arguments && std::any_of(expr.arguments->positional.begin(), expr.arguments->positional.end(), in);
  }

  Model& model_;
  Connections& connections_;
};

}  // namespace

void translate_equations(Model& model, Connections& connections) {
  EquationTranslator translator(model, connections);
  for_each_component(model.tree.root(), [&](const Instance& instance) {
    if (instance.type != instance::Type::none) return;
    for (bool initial : {false, true})
      for (const auto& equation : initial ? instance.initial_equations : instance.equations) {
        Context context = context_of(model, instance, equation.scope);
        context.initial = initial;
        translator.translate(*equation.node, context);
      }
    translate_algorithms(model, instance);
  });
}

}  // namespace bolza::flatten
