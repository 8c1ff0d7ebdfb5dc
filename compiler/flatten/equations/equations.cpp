// SPDX-License-Identifier: Apache-2.0
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
#include "compiler/flatten/fields/field_equations_internal.h"
#include "compiler/flatten/groups/emit_internal.h"
#include "compiler/flatten/groups/equation_leaves_internal.h"
#include "compiler/flatten/model/auxiliaries_internal.h"
#include "compiler/flatten/model/clock_names_internal.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/clock_codes.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/typing/connect_equations_internal.h"
#include "compiler/flatten/typing/connection_graph_internal.h"
#include "compiler/flatten/typing/context_internal.h"
#include "compiler/flatten/typing/sides_internal.h"
#include "compiler/flatten/typing/typer_internal.h"

namespace bolza::flatten {

using ast::EquationKind;

namespace {

class EquationTranslator {
 public:
  EquationTranslator(Model& model, Connections& connections) : model_(model), connections_(connections) {}

  /// An equation that stands in the class of an instance.
  void translate_of(const Instance& instance, const ast::Equation& equation, const Context& context) {
    instance_ = &instance;
    if (!context.initial) return translate(equation, context);
    for (const ast::Equation* made : initial_at_points(model_, equation, context)) translate(*made, context);
  }

  void translate(const ast::Equation& equation, const Context& context) {
    if (equation.domain != nullptr) return in_domain(equation, context);
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
        return when(equation, context);
    }
  }

 private:
  void in_domain(const ast::Equation& equation, const Context& context) {
    for (const ast::Equation* made : context.initial ? initial_at_points(model_, equation, context)
                                                     : equations_at_points(model_, equation, *instance_, context))
      translate(*made, context);
  }

  void when(const ast::Equation& equation, const Context& context) {
    if (!is_clock(model_, context.scope, *equation.branches[0].condition)) return translate_when(model_, equation, context);
    const char* misplaced = context.initial                ? "cannot stand in an initial equation"
                            : model_.clock != nullptr      ? "cannot stand in another one"
                            : equation.branches.size() > 1 ? "has no `elsewhen`"
                                                           : nullptr;
    if (misplaced) return void(model_.diagnostics.error(clocked_when, equation.span, {misplaced}));
    for_each_part(context.space, [&](Work& work) -> Outcome<Done> {
      Typer typer = typer_in(model_, work, context);
      auto clock = typer.expression(*equation.branches[0].condition);
      if (!clock) return clock.failure();
      if (!clock->dims.empty() || clock->basic != Basic::clock)
        return typer.wrong(expected_type, clock->span, {"a clock", type_text(*clock)});
      Context inner = context;
      inner.space = work.space;
      AxisId number = model_.nodes.new_axis();
      std::vector<double> numbers(work.space.n);
      for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
      inner.space.axes.emplace_back(number, Known(std::move(numbers)));
      const Node* own = new_discrete(model_, work.space.n, number, "$clock", Basic::clock, equation.span);
      emit_pairs(model_, inner.space, *own, *clock,
                 {&model_.flat.discrete_equations.section, ExpressionPlace::discrete, equation.span, &context.names});
      model_.clock = own;
      for (const ast::Equation* item : equation.branches[0].body) translate(*item, inner);
      model_.clock = nullptr;
      return Done{};
    });
  }

  void emit(const std::vector<Sides>& all, const Typer& typer, const Context& context, Span span) {
    for (const Sides& sides : all) emit_equation(model_, typer.work.space, sides, context.initial, span, context.names);
  }

  void equality(const ast::Equation& equation, const Context& context) {
    for_each_part(context.space, [&](Work& work) -> Outcome<Done> {
      if (model_.has_too_many_terms()) return Done{};  // it was said, and what follows would take as long
      Typer typer = typer_in(model_, work, context);
      typer.in_initial = context.initial;
      if (equation.left->kind == ast::ExprKind::tuple) return outputs(equation, typer, context);
      auto given = typer.both(*equation.left, *equation.right);
      if (!given) return given.failure();
      std::vector<Sides> sides;
      if (auto done = sides_of(typer, given->first, given->second, equation.span, sides); !done) return done;
      emit(sides, typer, context, equation.span);
      return Done{};
    });
  }

  Outcome<Done> outputs(const ast::Equation& equation, Typer& typer, const Context& context) {
    auto call = typer.expression(*equation.right);
    if (!call) return call.failure();
    std::vector<const Node*> values = typer.outputs_of(call);
    if (call->kind == NodeKind::call && !call->call->dims.empty() && values.size() > 1)
      return typer.wrong(several_outputs_over_arrays, equation.right->span,
                         {call->call->function->name, std::to_string(values.size())});
    if (equation.left->operands.size() > values.size())
      return typer.wrong(too_many_outputs, equation.left->span,
                         {std::to_string(values.size()), std::to_string(equation.left->operands.size())});
    std::vector<Sides> sides;
    for (std::size_t k = 0; k < equation.left->operands.size(); ++k) {
      const ast::Expr* to = equation.left->operands[k];
      if (to == nullptr) continue;
      auto left = typer.expression(*to);
      if (!left) return left.failure();
      if (auto done = sides_of(typer, left, values[k], equation.span, sides); !done) return done;
    }
    emit(sides, typer, context, equation.span);
    return Done{};
  }

  /// Branches and roots are read with the whole graph.
  void call_of_graph(const ast::Equation& equation) {
    const ast::Reference& name = *equation.left->reference;
    std::string_view last = name.parts.back().identifier;
    bool known = name.parts.size() == 2 && (last == "branch" || last == "root" || last == "potentialRoot");
    if (known) connection_graph(model_);
    else model_.diagnostics.error(unsupported, equation.span, {"`Connections." + std::string(last) + "`"});
  }

  void call(const ast::Equation& equation, const Context& context) {
    if (is_of_graph(equation)) return call_of_graph(equation);
    for_each_part(context.space, [&](Work& work) -> Outcome<Done> {
      Typer typer = typer_in(model_, work, context);
      std::vector<Effect> effects;
      if (auto done = effect_of(typer, *equation.left, model_.clock != nullptr, equation.span, effects); !done) return done;
      for (const Effect& effect : effects) {
        bool at_start = context.initial && effect.kind == Effect::Kind::call;
        const Node* fires = at_start ? model_.nodes.flag(Flag::initial, equation.span) : nullptr;
        if (model_.clock) fires = typer.clocked(ClockOperator::tick, model_.clock, Basic::boolean, equation.span);
        emit_effect(model_, work.space, effect, fires, context.names);
      }
      return Done{};
    });
  }

  void loop(const ast::Equation& equation, const Context& context, std::size_t iterator = 0) {
    if (iterator == equation.iterators.size()) {
      for (const ast::Equation* inner : equation.body) translate(*inner, context);
      return;
    }
    for_each_part(context.space, [&](Work& work) -> Outcome<Done> {
      const ast::Iterator& it = equation.iterators[iterator];
      auto inner = enter_loop(model_, it, it.range ? Subscripted{} : subscripted_by(equation.body, it.name), context, work);
      if (!inner) return inner.failure();
      loop(equation, *inner, iterator + 1);
      return Done{};
    });
  }

  void branches(const ast::Equation& equation, const Context& context) {
    for_each_part(context.space, [&](Work& work) -> Outcome<Done> {
      Typer typer = typer_in(model_, work, context);
      std::vector<const Node*> conditions;
      for (const auto& branch : equation.branches) {
        if (branch.condition == nullptr) break;
        auto condition = typer.boolean_condition(*branch.condition);
        if (!condition) return condition.failure();
        bool shapes = condition->level == Level::constant || typer.is_structural(*condition);
        if (shapes || (condition->level == Level::parameter && !same_structure(equation))) {
          Diagnostics before = model_.diagnostics;
          auto holds = typer.number_now(*condition);
          bool may_stay_open = !shapes && equation.branches.back().condition == nullptr;
          if (!holds && may_stay_open && holds.failure().reported()) {  // it follows from initial equations
            model_.diagnostics = std::move(before);
            conditions.push_back(condition);
            continue;
          }
          if (!holds) return holds.failure();
          if (*holds == 0) {
            conditions.push_back(model_.nodes.number(0, Basic::boolean, condition->span));
            continue;
          }
          if (std::all_of(conditions.begin(), conditions.end(), [](const Node* c) { return c->kind == NodeKind::number; })) {
            Context part = context;
            part.space = work.space;
            for (const ast::Equation* inner : branch.body) translate(*inner, part);
            return Done{};
          }
          conditions.push_back(model_.nodes.number(1, Basic::boolean, condition->span));
          continue;
        }
        conditions.push_back(condition);
      }
      if (std::all_of(conditions.begin(), conditions.end(), [](const Node* c) { return c->kind == NodeKind::number; })) {
        if (conditions.size() == equation.branches.size()) return Done{};
        Context part = context;
        part.space = work.space;
        for (const ast::Equation* inner : equation.branches.back().body) translate(*inner, part);
        return Done{};
      }
      return translate_open_branches(model_, typer, equation, conditions, context);
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
  const Instance* instance_ = nullptr;
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
        translator.translate_of(instance, *equation.node, context);
      }
    translate_algorithms(model, instance);
  });
}

}  // namespace bolza::flatten
