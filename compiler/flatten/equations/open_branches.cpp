// SPDX-License-Identifier: Apache-2.0
// If-equations whose condition can change while the model runs: every branch has equally many rows, and row by row the one
// of the branch that holds counts. Where all branches determine the same variable the row is v = if c then … else ….
#include "compiler/flatten/equations/open_branches_internal.h"

#include <algorithm>

#include "compiler/flatten/calls/effects_internal.h"
#include "compiler/flatten/equations/emit_effect_internal.h"
#include "compiler/flatten/equations/equate_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/typing/context_internal.h"
#include "compiler/flatten/typing/sides_internal.h"
#include "compiler/flatten/typing/typer_internal.h"

namespace bolza::flatten {

using ast::EquationKind;
using ir::Op;

namespace {

struct BranchRow {
  const Node* left = nullptr;  ///< scalars
  const Node* right = nullptr;
  Span span;
  bool taken = false;
};

struct BranchRows {
  std::vector<BranchRow> rows;
  std::vector<Effect> effects;
};

bool is_place(const Node& node) {
  const Node& base = node.kind == NodeKind::index ? *node.children[0] : node;
  return base.kind == NodeKind::variable && base.instance != nullptr;
}

std::string name_of(const Node& node) {
  const Node& base = node.kind == NodeKind::index ? *node.children[0] : node;
  return is_place(node) ? instance::path_of(*base.instance) : type_text(node);
}

class OpenBranches {
 public:
  OpenBranches(Model& model, Typer& typer) : model_(model), typer_(typer) {}

  /// The rows of all branches; conditions that are known are numbers, of `else` null.
  Outcome<Done> branches(const ast::Equation& equation, const std::vector<const Node*>& given, BranchRows& out) {
    std::vector<const Node*> conditions;
    std::vector<BranchRows> parts;
    for (std::size_t b = 0; b < equation.branches.size(); ++b) {
      const Node* condition = b < given.size() ? given[b] : nullptr;
      if (condition && condition->kind == NodeKind::number && condition->value == 0) continue;
      bool last = condition == nullptr || condition->kind == NodeKind::number;
      conditions.push_back(last ? nullptr : condition);
      parts.emplace_back();
      for (const ast::Equation* inner : equation.branches[b].body)
        if (auto done = collect(*inner, parts.back()); !done) return done;
      if (last) break;
    }
    if (parts.empty()) return Done{};
    if (conditions.back() != nullptr) parts.emplace_back();
    for (const BranchRows& part : parts)
      if (part.rows.size() != parts[0].rows.size())
        return model_.diagnostics.error(branches_differ, equation.span,
                                        {std::to_string(parts[0].rows.size()), std::to_string(part.rows.size())});
    merge_effects(conditions, parts, out);
    return merge_rows(conditions, parts, out);
  }

 private:
  Outcome<Done> collect(const ast::Equation& equation, BranchRows& out) {
    switch (equation.kind) {
      case EquationKind::equality:
        return equality(equation, out);
      case EquationKind::for_:
        return loop(equation, 0, out);
      case EquationKind::if_:
        return nested(equation, out);
      case EquationKind::call:
        return effect_of(typer_, *equation.left, false, equation.span, out.effects);
      case EquationKind::when:
        return model_.diagnostics.error(not_in_open_branch, equation.span, {"`when`"});
      case EquationKind::connect:
        return model_.diagnostics.error(not_in_open_branch, equation.span, {"`connect`"});
    }
    expects(false, "every kind of equation is collected");
    return Done{};
  }

  Outcome<Done> equality(const ast::Equation& equation, BranchRows& out) {
    auto right = typer_.expression(*equation.right);
    if (!right) return right.failure();
    if (equation.left->kind != ast::ExprKind::tuple) {
      auto left = typer_.expression(*equation.left);
      return left ? add(left, right, equation.span, out) : left.failure();
    }
    std::vector<const Node*> values = typer_.outputs_of(right);
    const auto& targets = equation.left->operands;
    if (targets.size() > values.size())
      return model_.diagnostics.error(too_many_outputs, equation.left->span,
                                      {std::to_string(values.size()), std::to_string(targets.size())});
    for (std::size_t k = 0; k < targets.size(); ++k) {
      if (targets[k] == nullptr) continue;
      auto left = typer_.expression(*targets[k]);
      if (!left) return left.failure();
      if (auto done = add(left, values[k], equation.span, out); !done) return done;
    }
    return Done{};
  }

  Outcome<Done> add(const Node* left, const Node* right, Span span, BranchRows& out) {
    std::vector<Sides> sides;
    if (auto done = sides_of(typer_, left, right, span, sides); !done) return done;
    for (const Sides& side : sides)
      for (std::int64_t e = 0; e < size_of(side.left->dims); ++e) {
        std::vector<std::int64_t> at = indices_at(side.left->dims, e);
        out.rows.push_back({model_.nodes.element(side.left, at), model_.nodes.element(side.right, at), span});
      }
    return Done{};
  }

  Outcome<Done> loop(const ast::Equation& equation, std::size_t k, BranchRows& out) {
    if (k == equation.iterators.size()) {
      for (const ast::Equation* inner : equation.body)
        if (auto done = collect(*inner, out); !done) return done;
      return Done{};
    }
    const ast::Iterator& it = equation.iterators[k];
    auto range = typer_.range_of(it, it.range ? Subscripted{} : subscripted_by(equation.body, it.name));
    if (!range) return range.failure();
    for (std::int64_t i = 1; i <= range->dims[0]; ++i) {
      typer_.iterators.emplace_back(it.name, model_.nodes.element(range, {i}));
      auto done = loop(equation, k + 1, out);
      typer_.iterators.pop_back();
      if (!done) return done;
    }
    return Done{};
  }

  Outcome<Done> nested(const ast::Equation& equation, BranchRows& out) {
    std::vector<const Node*> conditions;
    for (const auto& branch : equation.branches) {
      if (branch.condition == nullptr) break;
      auto condition = typer_.boolean_condition(*branch.condition);
      if (!condition) return condition.failure();
      if (condition->level == Level::constant || Typer::is_structural(*condition)) {
        auto holds = typer_.number_now(*condition);
        if (!holds) return holds.failure();
        condition = model_.nodes.number(*holds, Basic::boolean, condition->span);
      }
      conditions.push_back(condition);
    }
    return branches(equation, conditions, out);
  }

  /// The value of the branch that holds.
  Typed chosen(const std::vector<const Node*>& conditions, const std::vector<const Node*>& values, Span span) {
    Typed value = values.back();
    for (std::size_t b = values.size() - 1; b-- > 0 && value;)
      value = typer_.if_expression(conditions[b], values[b], value, span);
    return value;
  }

  Outcome<Done> merge_rows(const std::vector<const Node*>& conditions, std::vector<BranchRows>& parts, BranchRows& out) {
    if (parts.size() == 1) {
      out.rows.insert(out.rows.end(), parts[0].rows.begin(), parts[0].rows.end());
      return Done{};
    }
    std::vector<BranchRow> merged(parts[0].rows.size());
    for (std::size_t r = 0; r < merged.size(); ++r)
      if (auto done = same_variable(conditions, parts, r, merged[r]); !done) return done;
    for (std::size_t r = 0; r < merged.size(); ++r)
      if (merged[r].left == nullptr)
        if (auto done = residual(conditions, parts, r, merged[r]); !done) return done;
    out.rows.insert(out.rows.end(), merged.begin(), merged.end());
    return Done{};
  }

  /// A row for the variable that stands on the left in every branch.
  Outcome<Done> same_variable(const std::vector<const Node*>& conditions, std::vector<BranchRows>& parts, std::size_t r,
                              BranchRow& out) {
    const BranchRow& first = parts[0].rows[r];
    if (!is_place(*first.left)) return Done{};
    std::vector<BranchRow*> chosen_rows;
    std::vector<const Node*> values;
    for (BranchRows& part : parts) {
      auto at = std::find_if(part.rows.begin(), part.rows.end(),
                             [&](const BranchRow& row) { return !row.taken && same_place(*row.left, *first.left); });
      if (at == part.rows.end()) return Done{};
      chosen_rows.push_back(&*at);
      values.push_back(at->right);
    }
    for (BranchRow* row : chosen_rows) row->taken = true;
    auto value = chosen(conditions, values, first.span);
    if (!value) return value.failure();
    out = {first.left, value, first.span};
    return Done{};
  }

  /// The rows that are left, in their order: 0 = residual of the branch that holds.
  Outcome<Done> residual(const std::vector<const Node*>& conditions, std::vector<BranchRows>& parts, std::size_t r,
                         BranchRow& out) {
    std::vector<const Node*> values;
    Span span = parts[0].rows[r].span;
    for (BranchRows& part : parts) {
      auto row =
          std::find_if(part.rows.begin(), part.rows.end(), [](const BranchRow& candidate) { return !candidate.taken; });
      row->taken = true;
      if (!is_numeric(row->left->basic))
        return model_.diagnostics.error(when_branches_differ, row->span, {name_of(*row->left)});
      auto difference = typer_.add(Op::sub, row->left, row->right, false, row->span);
      if (!difference) return difference.failure();
      values.push_back(difference);
    }
    auto value = chosen(conditions, values, span);
    if (!value) return value.failure();
    out = {value, model_.nodes.number(0, value->basic, span), span};
    return Done{};
  }

  void merge_effects(const std::vector<const Node*>& conditions, const std::vector<BranchRows>& parts, BranchRows& out) {
    const Node* none_before = nullptr;
    for (std::size_t b = 0; b < parts.size(); ++b) {
      const Node* condition = b < conditions.size() ? conditions[b] : nullptr;
      for (Effect effect : parts[b].effects) {
        effect.guard = both(model_.nodes, both(model_.nodes, none_before, condition), effect.guard);
        out.effects.push_back(std::move(effect));
      }
      if (condition == nullptr) continue;
      const Node* not_this = model_.nodes.apply(Op::logical_not, {condition}, Basic::boolean, condition->span);
      none_before = both(model_.nodes, none_before, not_this);
    }
  }

  Model& model_;
  Typer& typer_;
};

}  // namespace

Outcome<Done> translate_open_branches(Model& model, Typer& typer, const ast::Equation& equation,
                                      const std::vector<const Node*>& conditions, const Context& context) {
  BranchRows rows;
  if (auto done = OpenBranches(model, typer).branches(equation, conditions, rows); !done) return done;
  for (const BranchRow& row : rows.rows)
    emit_equation(model, typer.work.space, {row.left, row.right}, context.initial, row.span, context.names);
  for (const Effect& effect : rows.effects) {
    bool at_start = context.initial && effect.kind == Effect::Kind::call;
    const Node* fires = at_start ? model.nodes.flag(Flag::initial, effect.span) : nullptr;
    emit_effect(model, typer.work.space, effect, fires, context.names);
  }
  return Done{};
}

}  // namespace bolza::flatten
