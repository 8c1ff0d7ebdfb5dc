// SPDX-License-Identifier: Apache-2.0
// Parts of records, computed without the rest of them: sizes and conditions need the structural fields of a record whose
// other fields are variables, or are set later.
#include <algorithm>

#include "compiler/instance/build/instantiate.h"
#include "compiler/instance/build_internal.h"
#include "compiler/instance/library/codes.h"
#include "compiler/instance/overloads.h"
#include "compiler/instance/values/evaluator_internal.h"

namespace bolza::instance {
namespace {

/// The field at the end of the names; null when there is none, or one on the way is an array.
const Instance* field_at(const Instance& record, std::span<const std::string_view> names) {
  const Instance* at = &record;
  for (std::string_view name : names) {
    at = at->rank() == 0 ? at->child(name) : nullptr;
    if (!at) return nullptr;
  }
  return at;
}

enum class Writes : std::uint8_t { nothing, around, part };

/// What statements give a value: the place that names say, or a part of it; something around it.
Writes written(ast::List<const ast::Statement*> items, std::span<const std::string_view> names) {
  Writes most = Writes::nothing;
  auto note = [&](const ast::Expr* target) {
    if (!target || target->kind != ast::ExprKind::name) return;
    ast::List<ast::NamePart> parts = target->reference->parts;
    std::size_t common = std::min<std::size_t>(parts.size(), names.size());
    for (std::size_t k = 0; k < common; ++k)
      if (parts[k].identifier != names[k]) return;
    most = std::max(most, common < names.size() ? Writes::around : Writes::part);
  };
  for (const ast::Statement* s : items) {
    bool several = s->target && s->target->kind == ast::ExprKind::tuple;
    if (!several) note(s->target);
    else std::for_each(s->target->operands.begin(), s->target->operands.end(), note);
    most = std::max(most, written(s->body, names));
    for (const auto& branch : s->branches) most = std::max(most, written(branch.body, names));
  }
  return most;
}

bool subscripted(const ast::Reference& reference) {
  return std::any_of(reference.parts.begin(), reference.parts.end(),
                     [](const ast::NamePart& part) { return !part.subscripts.empty(); });
}

}  // namespace

const ast::Expr* argument_for(const Instance& input, const std::vector<const Instance*>& inputs,
                              const ast::Arguments& given) {
  auto at = static_cast<std::size_t>(std::find(inputs.begin(), inputs.end(), &input) - inputs.begin());
  if (at < given.positional.size()) return given.positional[at];
  for (const ast::NamedArgument& argument : given.named)
    if (argument.name == input.name) return argument.value;
  return nullptr;
}

Result<Value> Evaluator::whole_then_part(const ast::Expr& expr, Names names) {
  auto whole = value(expr);
  for (std::string_view name : names) {
    if (!whole) return whole;
    const Value* field = whole->field(name);
    if (!field) return d_.error(codes::unknown_name, expr.span, {name, "a value of type " + type_name(*whole)});
    whole = Value(*field);
  }
  return whole;
}

Result<Value> Evaluator::part(const ast::Expr& expr, Names names) {
  switch (expr.kind) {
    case ast::ExprKind::name: {
      const ast::Reference& reference = *expr.reference;
      bool iterated = std::any_of(iterators.begin(), iterators.end(),
                                  [&](const IteratorValue& i) { return i.name == reference.parts[0].identifier; });
      if (iterated && !reference.global) return whole_then_part(expr, names);
      auto resolved = lookup(tree_, scope_, reference, d_);
      if (!resolved) return d_.already_reported();
      bool plain = resolved->kind == ResolvedKind::component && !resolved->removed;
      return plain ? part_of_component(*resolved, expr, names) : whole_then_part(expr, names);
    }
    case ast::ExprKind::call:
      return names.empty() ? value(expr) : part_of_call(expr, names);
    case ast::ExprKind::if_:
      for (std::size_t i = 0; i + 1 < expr.operands.size(); i += 2) {
        auto condition = scalar(*expr.operands[i], ValueKind::boolean, "`if`");
        if (!condition) return condition;
        if (condition->numbers[0] != 0.0) return part(*expr.operands[i + 1], names);
      }
      return part(*expr.operands.back(), names);
    default:
      return whole_then_part(expr, names);
  }
}

Result<Value> Evaluator::part_of_component(const Resolved& resolved, const ast::Expr& expr, Names names) {
  const ast::Reference& reference = *expr.reference;
  const Instance& first = *resolved.path[0].instance;
  if (frame && first.parent == frame->function) {
    auto argument = frame->arguments.find(&first);
    if (argument == frame->arguments.end()) return whole_then_part(expr, names);
    if (reference.parts[0].subscripts.empty() && !subscripted(reference)) {
      std::vector<std::string_view> all;
      for (const ast::NamePart& part : reference.parts.subspan(1)) all.push_back(part.identifier);
      all.insert(all.end(), names.begin(), names.end());
      return argument->second.caller->part(*argument->second.expr, all);
    }
    auto whole = argument->second.caller->value(*argument->second.expr);
    if (!whole) return whole;
    auto named = rest_of(*whole, reference.parts.subspan(1), reference.parts[0]);
    for (std::string_view name : names) {
      if (!named) return named;
      const Value* field = named->field(name);
      if (!field) return d_.error(codes::unknown_name, expr.span, {name, "a value of type " + type_name(*named)});
      named = Value(*field);
    }
    return named;
  }
  if (goes_through_nonuniform(resolved)) {
    auto led = elements_in(resolved);
    if (!led) return d_.already_reported();
    return led->ways.size() == 1 ? part_of_component(led->ways[0], expr, names) : whole_then_part(expr, names);
  }
  bool in_arrays = std::any_of(resolved.path.begin(), resolved.path.end(),
                               [](const PathPart& p) { return p.instance->rank() > 0 || !p.subscripts.empty(); });
  if (in_arrays || names.empty()) return whole_then_part(expr, names);
  const Instance* at = &resolved.component();
  for (std::string_view name : names) {
    if (at->rank() > 0) return whole_then_part(expr, names);
    auto child = child_of(tree_, *at, name, d_);
    if (!child) return d_.already_reported();
    if (!*child) return whole_then_part(expr, names);
    at = *child;
  }
  auto field = component(*at, indices, expr.span);
  if (!field) return d_.already_reported();
  return **field;
}

Result<Value> Evaluator::part_of_call(const ast::Expr& expr, Names names) {
  auto resolved = lookup(tree_, scope_, *expr.reference, d_);
  if (!resolved) return d_.already_reported();
  if (resolved->kind != ResolvedKind::class_ || resolved->definition->ast->form == ast::ClassForm::enumeration)
    return whole_then_part(expr, names);
  auto called = instance_of(tree_, *resolved->definition, resolved->enclosing, expr.span, d_);
  if (!called) return d_.already_reported();
  const Instance& function = **called;
  const ast::Arguments& given = *expr.arguments;
  auto constructed = has_constructors(tree_, *function.definition, d_);
  if (!constructed) return d_.already_reported();
  if (*constructed) return whole_then_part(expr, names);
  if (function.class_kind == ast::ClassKind::record) {
    const Instance* field = function.child(names[0]);
    const ast::Expr* argument = field ? argument_for(*field, function.children, given) : nullptr;
    return argument ? part(*argument, names.subspan(1)) : whole_then_part(expr, names);
  }
  std::vector<const Instance*> inputs = inputs_of(function), outputs = outputs_of(function);
  const Instance* field = outputs.empty() || outputs[0]->binding ? nullptr : field_at(*outputs[0], names);
  bool declared = field && field->variability <= Variability::parameter && field->binding && !field->binding.whole &&
                  field->binding.scope.instance == &function;
  if (!declared) return whole_then_part(expr, names);
  if (!keeps_declared_value(function, *field)) return whole_then_part(expr, names);
  Frame callee{.function = &function, .locals = {}, .around = nullptr, .at = {}, .modifications = {}, .arguments = {}};
  for (const Instance* input : inputs)
    if (const ast::Expr* argument = argument_for(*input, inputs, given)) callee.arguments[input] = {argument, this};
  Evaluator inside(tree_, field->binding.scope, d_, budget_);
  inside.frame = &callee;
  return inside.value(*field->binding.expr);
}

bool keeps_declared_value(const Instance& function, const Instance& field) {
  std::vector<std::string_view> place;
  for (const Instance* i = &field; i != nullptr && i != &function; i = i->parent) place.insert(place.begin(), i->name);
  Writes most = Writes::nothing;
  for (const auto& algorithm : function.algorithms) most = std::max(most, written(algorithm.node->items, place));
  bool is_size = field.type != Type::real && field.type != Type::string;
  return most == Writes::nothing || (most == Writes::around && is_size);
}

bool fields_agree(InstanceTree& tree, const Instance& root, Diagnostics& d) {
  auto& all = tree.store().given_twice;
  auto is_other = [&](const auto& entry) {
    const Instance* top = entry.first;
    while (top->parent) top = top->parent;
    return top != &root;
  };
  auto own_ones = std::stable_partition(all.begin(), all.end(), is_other);
  std::vector<std::pair<const Instance*, ScopedExpr>> given_twice(own_ones, all.end());
  all.erase(own_ones, all.end());
  bool good = true;
  for (const auto& [field, from_whole] : given_twice) {
    std::vector<std::string_view> names;
    for (const Instance* i = field; i != from_whole.whole; i = i->parent) names.insert(names.begin(), i->name);
    Diagnostics aside;
    EvaluationBudget budget;
    Evaluator there(tree, from_whole.scope, aside, budget);
    auto whole = there.part(*from_whole.expr, names);
    auto own = value_of(tree, *field, {}, field->span, aside);
    bool differ = whole && own && whole->scalar() && own->scalar() && !equal(*whole, *own);
    if (!differ) continue;  // the same, or not known: then sizes show it
    d.error(codes::disagrees_with_whole, field->binding.span,
            {path_of(*field), print(*own), path_of(*from_whole.whole), print(*whole)},
            {{from_whole.span, "the whole is given here"}});
    good = false;
  }
  return good;
}

std::optional<Value> Evaluator::part_of_given(const ScopedExpr& given, const Instance& target) {
  bool structural = target.rank() == 0 && target.variability <= Variability::parameter && target.type != Type::none &&
                    target.type != Type::real && given.whole->rank() == 0 && given.levels.empty();
  if (!structural) return {};
  std::vector<std::string_view> names;
  for (const Instance* i = &target; i != given.whole; i = i->parent) {
    if (i != &target && i->rank() > 0) return {};
    names.insert(names.begin(), i->name);
  }
  Diagnostics aside;
  EvaluationBudget budget;
  Evaluator there(tree_, given.scope, aside, budget);
  there.indices = indices;
  auto value = there.part(*given.expr, names);
  if (!value) return {};
  return std::move(*value);
}

}  // namespace bolza::instance
