#include <algorithm>

#include "base/expects.h"
#include "compiler/flatten/codes.h"
#include "compiler/flatten/connections_internal.h"
#include "compiler/flatten/function_internal.h"
#include "compiler/flatten/translate_internal.h"

namespace bolza::flatten {

using ast::EquationKind;

namespace {

/// A row of one branch of an if-equation whose condition is not known: 0 = residual.
struct BranchRow {
  const Node* residual = nullptr;
  Span span;
};

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
        model_.diagnostics.error(unsupported, equation.span, {"`when`"});
        return;
    }
  }

 private:
  Target target(const Context& context, Span span) {
    bool initial = context.initial;
    return {initial ? &model_.flat.initial_equations : &model_.flat.equations,
            initial ? Place::initial_equation : Place::equation, span, &context.names};
  }

  void equality(const ast::Equation& equation, const Context& context) {
    for_each_part(context.space, [&](Work& work) {
      Typer typer = typer_in(model_, work, context);
      if (equation.left->kind == ast::ExprKind::tuple) return outputs(equation, typer, work, context);
      const Node* left = typer.expression(*equation.left);
      const Node* right = typer.expression(*equation.right);
      if (left && right) equate(model_, work, typer, left, right, target(context, equation.span));
    });
  }

  void outputs(const ast::Equation& equation, Typer& typer, Work& work, const Context& context) {
    const Node* call = typer.expression(*equation.right);
    if (!call) return;
    std::vector<const Node*> values = typer.outputs_of(call);
    if (equation.left->operands.size() > values.size()) {
      typer.wrong(too_many_outputs, equation.left->span,
                  {std::to_string(values.size()), std::to_string(equation.left->operands.size())});
      return;
    }
    for (std::size_t k = 0; k < equation.left->operands.size(); ++k) {
      const ast::Expr* to = equation.left->operands[k];
      const Node* left = to ? typer.expression(*to) : nullptr;
      if (to && !left) return;
      if (left) equate(model_, work, typer, left, values[k], target(context, equation.span));
    }
  }

  void call(const ast::Equation& equation, const Context& context) {
    const ast::Reference& name = *equation.left->reference;
    if (name.simple() && name.parts[0].identifier == "assert") return assertion(equation, context);
    if (name.parts[0].identifier == "Connections") {
      model_.diagnostics.error(unsupported, equation.span, {"an overconstrained connection graph (`Connections`)"});
      return;
    }
    for_each_part(context.space, [&](Work& work) {
      Typer typer = typer_in(model_, work, context);
      if (typer.expression(*equation.left)) typer.wrong(call_without_effect, equation.span, {name.parts.back().identifier});
    });
  }

  void assertion(const ast::Equation& equation, const Context& context) {
    const ast::Arguments& given = *equation.left->arguments;
    const ast::Expr* condition = given.positional.empty() ? nullptr : given.positional[0];
    const ast::Expr* message = given.positional.size() > 1 ? given.positional[1] : nullptr;
    for (const ast::NamedArgument& argument : given.named) {
      if (argument.name == "condition") condition = argument.value;
      if (argument.name == "message") message = argument.value;
    }
    if (condition == nullptr) {
      model_.diagnostics.error(argument_count, equation.span, {"assert", "2", "0"});
      return;
    }
    std::string text;
    if (message && message->kind == ast::ExprKind::string_literal) {
      text = std::string(message->text);
    } else if (message) {
      auto value = instance::try_evaluate(model_.tree, *message, context.scope);
      if (value && !value->strings.empty()) text = value->strings[0];
    }
    for_each_part(context.space, [&](Work& work) {
      Typer typer = typer_in(model_, work, context);
      const Node* node = typer.boolean_condition(*condition);
      auto values = node ? lower_values(model_, work, *node, {}, Place::equation) : std::nullopt;
      if (!values || work.split) return;
      for (ir::Term& term : values->terms) {
        if (model_.dag().is_number(term.root, 1.0)) continue;
        term.span = equation.span;
        model_.flat.assertions.push_back({std::move(term), text});
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
      auto inner = enter_loop(model_, it, it.range ? nullptr : first_expression(equation, it.name), context, work);
      if (inner) loop(equation, *inner, iterator + 1);
    });
  }

  /// An expression of the body in which the iterator is a subscript.
  const ast::Expr* first_expression(const ast::Equation& equation, std::string_view name) {
    for (const ast::Equation* inner : equation.body) {
      for (const ast::Expr* side : {inner->left, inner->right})
        if (side && mentions_as_subscript(*side, name)) return side;
      if (const ast::Expr* deeper = first_expression(*inner, name)) return deeper;
    }
    return nullptr;
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
            (condition->level == Level::parameter && !same_counts(equation))) {
          auto value = typer.known(*condition);
          if (!value) return;
          if (!value->is_uniform()) {
            work.split = *value;
            return;
          }
          if (value->uniform() == 0) {
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
      selected(equation, conditions, typer, work, context);
    });
  }

  /// Whether the branches have equally many items: a parameter's condition may then stay open.
  static bool same_counts(const ast::Equation& equation) {
    for (const auto& branch : equation.branches) {
      if (branch.body.size() != equation.branches[0].body.size()) return false;
      for (const ast::Equation* inner : branch.body)
        if (inner->kind != EquationKind::equality) return false;
    }
    return equation.branches.back().condition == nullptr;
  }

  /// Branches that are chosen while the model runs: row by row, the residual of the branch that holds.
  void selected(const ast::Equation& equation, const std::vector<const Node*>& conditions, Typer& typer, Work& work,
                const Context& context) {
    std::vector<std::vector<BranchRow>> rows;
    for (const auto& branch : equation.branches) {
      rows.emplace_back();
      for (const ast::Equation* inner : branch.body)
        if (!collect(*inner, typer, work, rows.back())) return;
    }
    if (equation.branches.back().condition != nullptr) rows.emplace_back();
    for (std::size_t b = 1; b < rows.size(); ++b)
      if (rows[b].size() != rows[0].size()) {
        typer.wrong(branches_differ, equation.span, {std::to_string(rows[0].size()), std::to_string(rows[b].size())});
        return;
      }
    std::vector<const Node*> residuals;
    for (std::size_t r = 0; r < rows[0].size(); ++r) {
      const Node* residual = rows.back()[r].residual;
      for (std::size_t b = conditions.size(); b-- > 0;)
        residual = typer.if_expression(conditions[b], rows[b][r].residual, residual, rows[0][r].span);
      residuals.push_back(residual);
    }
    for (std::size_t r = 0; r < residuals.size(); ++r)
      emit_rows(model_, work.space, *residuals[r], target(context, rows[0][r].span));
  }

  /// The scalar rows of an equation inside such a branch.
  bool collect(const ast::Equation& equation, Typer& typer, Work& work, std::vector<BranchRow>& rows) {
    if (equation.kind == EquationKind::equality && equation.left->kind != ast::ExprKind::tuple) {
      const Node *left = typer.expression(*equation.left), *right = typer.expression(*equation.right);
      const Node* residual = left && right ? typer.add(ir::Op::sub, left, right, false, equation.span) : nullptr;
      if (!residual) return false;
      for (std::int64_t e = 0; e < size_of(residual->dims); ++e)
        rows.push_back({model_.nodes.element(residual, indices_at(residual->dims, e)), equation.span});
      return true;
    }
    if (equation.kind == EquationKind::for_) return collect_loop(equation, 0, typer, work, rows);
    if (equation.kind == EquationKind::if_) return collect_branches(equation, typer, work, rows);
    bool is_assert = equation.kind == EquationKind::call && equation.left->reference->parts[0].identifier == "assert";
    if (is_assert) return true;
    constexpr std::array names{"an equation", "a call", "`connect`", "`if`", "`for`", "`when`"};
    typer.wrong(not_in_open_branch, equation.span, {names[static_cast<std::size_t>(equation.kind)]});
    return false;
  }

  bool collect_loop(const ast::Equation& equation, std::size_t k, Typer& typer, Work& work, std::vector<BranchRow>& rows) {
    if (k == equation.iterators.size())
      return std::all_of(equation.body.begin(), equation.body.end(),
                         [&](const ast::Equation* inner) { return collect(*inner, typer, work, rows); });
    const Node* range = typer.range_of(equation.iterators[k], first_expression(equation, equation.iterators[k].name));
    if (!range) return false;
    for (std::int64_t i = 1; i <= range->dims[0]; ++i) {
      typer.iterators.emplace_back(equation.iterators[k].name, model_.nodes.element(range, {i}));
      bool good = collect_loop(equation, k + 1, typer, work, rows);
      typer.iterators.pop_back();
      if (!good) return false;
    }
    return true;
  }

  bool collect_branches(const ast::Equation& equation, Typer& typer, Work& work, std::vector<BranchRow>& rows) {
    std::vector<const Node*> conditions;
    std::vector<std::vector<BranchRow>> parts;
    for (const auto& branch : equation.branches) {
      if (branch.condition) conditions.push_back(typer.boolean_condition(*branch.condition));
      if (branch.condition && !conditions.back()) return false;
      parts.emplace_back();
      for (const ast::Equation* inner : branch.body)
        if (!collect(*inner, typer, work, parts.back())) return false;
    }
    if (equation.branches.back().condition) parts.emplace_back();
    for (const auto& part : parts)
      if (part.size() != parts[0].size()) {
        typer.wrong(branches_differ, equation.span, {std::to_string(parts[0].size()), std::to_string(part.size())});
        return false;
      }
    for (std::size_t r = 0; r < parts[0].size(); ++r) {
      const Node* residual = parts.back()[r].residual;
      for (std::size_t b = conditions.size(); b-- > 0 && residual;)
        residual = typer.if_expression(conditions[b], parts[b][r].residual, residual, parts[0][r].span);
      if (!residual) return false;
      rows.push_back({residual, parts[0][r].span});
    }
    return true;
  }

  Model& model_;
  Connections& connections_;
};

}  // namespace

void equate(Model& model, Work& work, Typer& typer, const Node* left, const Node* right, const Target& target) {
  if (left->basic == Basic::record || right->basic == Basic::record) {
    if (left->basic != right->basic || left->dims != right->dims) {
      typer.wrong(types_differ, target.span, {type_text(*left), type_text(*right)});
      return;
    }
    for (const Instance* field : left->instance->children) {
      const Node* a = typer.member(left, field->name, target.span);
      const Node* b = a ? typer.member(right, field->name, target.span) : nullptr;
      if (!b) return;
      if (field->variability > instance::Variability::parameter) equate(model, work, typer, a, b, target);
    }
    return;
  }
  bool numbers = is_numeric(left->basic) && is_numeric(right->basic);
  if (!numbers && (left->basic != right->basic || left->basic == Basic::string)) {
    typer.wrong(types_differ, target.span, {type_text(*left), type_text(*right)});
    return;
  }
  if (left->dims != right->dims) {
    typer.wrong(sizes_differ, target.span, {"equation", dims_text(left->dims), dims_text(right->dims)});
    return;
  }
  const Node* residual = model.nodes.apply(ir::Op::sub, {left, right}, Basic::real, target.span);
  emit_rows(model, work.space, *residual, target);
}

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
