// SPDX-License-Identifier: Apache-2.0
#include "compiler/instance/build/restrictions_internal.h"
#include "compiler/instance/build_internal.h"
#include "compiler/instance/evaluate.h"
#include "compiler/instance/library/codes.h"
#include "compiler/instance/values/evaluator_internal.h"
#include "compiler/syntax/print.h"

/// Sizes and conditions: what of the tree depends on values.
namespace bolza::instance {

using Store = InstanceTree::Store;

namespace {

bool in_function(const Instance& instance) {
  const Instance* top = &instance;
  while (top->parent) top = top->parent;
  return top->class_kind == ast::ClassKind::function || top->class_kind == ast::ClassKind::record;
}

/// Sizes that a value has for the target itself: without the levels in front.
Result<std::vector<std::int64_t>> own_shape(InstanceTree& tree, const Instance& c, const ScopedExpr& value, Diagnostics& d) {
  std::vector<std::string_view> fields;
  for (const Instance* at = &c; value.whole && at != value.whole; at = at->parent) fields.insert(fields.begin(), at->name);
  auto shape = shape_of_field(tree, *value.expr, fields, value.scope, d);
  if (!shape) return shape;
  std::size_t in_front = 0;
  for (const ArrayLevel& level : value.levels) in_front += level.instance == &c ? 0 : level.count;
  for (const Instance* at = c.parent; value.whole && at != value.whole->parent; at = at->parent) in_front += at->rank();
  if (shape->size() < in_front) in_front = 0;
  shape->erase(shape->begin(), shape->begin() + static_cast<std::ptrdiff_t>(in_front));
  return shape;
}

/// The binding, or the start values where each element has its own: what can tell the size of `x[:]`.
const ScopedExpr* sized_value(const Instance& c) {
  if (c.binding) return &c.binding;
  const ScopedExpr* start = c.attribute("start");
  return start && !start->each ? start : nullptr;
}

Result<Done> from_value(InstanceTree& tree, Instance& c, std::size_t at, Diagnostics& d) {
  const ScopedExpr* value = sized_value(c);
  if (!value) return d.error(codes::unknown_size, c.span, {path_of(c)});
  auto shape = own_shape(tree, c, *value, d);
  if (!shape) note_ragged(tree, *value, c, d);
  if (!shape) return d.already_reported();
  if (at >= shape->size()) {
    return d.error(codes::size_mismatch, value->span,
                   {"the value of `" + path_of(c) + "`", dimensions_text(*shape), std::to_string(c.rank()) + " of them"});
  }
  c.dimensions[at].size = (*shape)[at];
  return Done{};
}

/// `Real A[:, size(A, 1)]`: an earlier dimension of the component itself, -1 when the expression is anything else.
std::int64_t own_earlier_size(InstanceTree& tree, const Instance& c, const Dimension& dimension) {
  const ast::Expr& e = *dimension.expr;
  if (e.kind != ast::ExprKind::call || !e.reference->simple() || e.reference->parts[0].identifier != "size") return -1;
  const auto& arguments = e.arguments->positional;
  if (arguments.size() != 2 || arguments[0]->kind != ast::ExprKind::name ||
      arguments[1]->kind != ast::ExprKind::integer_literal)
    return -1;
  if (!arguments[0]->reference->simple()) return -1;
  Diagnostics aside;
  auto named = lookup(tree, dimension.scope, *arguments[0]->reference, aside);
  if (!named || named->kind != ResolvedKind::component || &named->component() != &c) return -1;
  std::int64_t k = arguments[1]->integer;
  return k >= 1 && static_cast<std::size_t>(k) <= c.rank() ? c.dimensions[static_cast<std::size_t>(k - 1)].size : -1;
}

Result<std::int64_t> size_from(InstanceTree& tree, const Instance& c, Dimension& dimension, Diagnostics& d) {
  if (std::int64_t known = own_earlier_size(tree, c, dimension); known >= 0) return known;
  if (dimension.expr->kind == ast::ExprKind::name) {
    auto named = lookup(tree, dimension.scope, *dimension.expr->reference, d);
    if (!named) return d.already_reported();
    bool boolean = named->kind == ResolvedKind::builtin_type && named->type == Type::boolean;
    if (named->kind == ResolvedKind::class_) {
      auto chain = resolve_class(tree, *named->definition, named->enclosing, dimension.expr->span, d);
      if (!chain) return d.already_reported();
      boolean = chain->type == Type::boolean;
      if (chain->type == Type::enumeration) {
        dimension.index = Type::enumeration;
        dimension.enumeration = chain->definition;
        return static_cast<std::int64_t>(chain->definition->ast->literals.size());
      }
    }
    if (boolean) {
      dimension.index = Type::boolean;
      return std::int64_t{2};
    }
  }
  auto value = evaluate(tree, *dimension.expr, dimension.scope, d);
  if (!value) return d.already_reported();
  if (value->kind != ValueKind::integer || !value->scalar() || value->integer() < 0) {
    return d.error(codes::bad_dimension, dimension.expr->span,
                   {"`" + syntax::print(*dimension.expr) + "` (" + print(*value) + ")"});
  }
  return value->integer();
}

/// Whether it stands in a nonuniform array: only what stands in its elements has sizes and conditions.
bool in_nonuniform(const Instance& instance) {
  const Instance* around = instance.parent;
  while (around && !around->is_nonuniform) around = around->parent;
  return around != nullptr;
}

}  // namespace

Result<Done> decide_dimensions(InstanceTree& tree, const Instance& given, Diagnostics& d) {
  Store& store = tree.store();
  Instance& c = Store::edit(given);
  bool open = false;
  for (const Dimension& dimension : c.dimensions) open = open || dimension.size < 0;
  if (!open || in_nonuniform(c)) return Done{};
  bool quiet = in_function(c);
  if (!store.sizing.insert(&c).second) return d.error(codes::depends_on_itself, c.span, {path_of(c)});
  Diagnostics aside;
  Diagnostics& told = quiet ? aside : d;
  bool good = true;
  store.last_differing.clear();
  for (std::size_t i = 0; i < c.dimensions.size() && good; ++i) {
    if (c.dimensions[i].size >= 0) continue;
    if (!c.dimensions[i].expr) {
      good = !quiet && bool(from_value(tree, c, i, told));
    } else if (auto size = size_from(tree, c, c.dimensions[i], told)) {
      c.dimensions[i].size = *size;
    } else {
      good = false;
    }
  }
  store.sizing.erase(&c);
  if (!good && quiet) store.found_nonuniform.merge(store.last_differing);
  if (good || quiet) return Done{};
  return d.already_reported();
}

Result<Done> decide_condition(InstanceTree& tree, const Instance& given, Diagnostics& d) {
  if (!given.declaration || !given.declaration->condition) return Done{};
  Store& store = tree.store();
  if (store.conditions_decided.contains(&given) || in_nonuniform(given)) return Done{};
  const ast::Expr& condition = *given.declaration->condition;
  if (!store.deciding.insert(&given).second)
    return d.error(codes::depends_on_itself, condition.span, {syntax::print(condition)});
  auto value = evaluate(tree, condition, {given.parent, given.declared_in}, d);
  store.deciding.erase(&given);
  if (!value) return d.already_reported();
  if (value->kind != ValueKind::boolean || !value->scalar())
    return d.error(codes::bad_condition, condition.span, {path_of(given)});
  store.conditions_decided.insert(&given);
  if (value->numbers[0] == 0.0) {
    Instance& c = Store::edit(given);
    c.removed = true;
    store.pending.erase(&c);
    c.children.clear();
  }
  return Done{};
}

bool complete(InstanceTree& tree, const Instance& instance, Diagnostics& d) {
  bool good = bool(expand(tree, instance, d));
  for (std::size_t i = 0; i < instance.children.size(); ++i) {  // inner components may be added to the root meanwhile
    const Instance* child = instance.children[i];
    if (tree.store().broken.contains(child)) {
      good = false;
      continue;
    }
    if (!decide_condition(tree, *child, d)) good = false;
    else if (child->is_nonuniform && !child->removed) {
      good = bool(make_elements(tree, *child, d)) && good;
      auto& children = Store::edit(instance).children;
      auto place = children.erase(children.begin() + static_cast<std::ptrdiff_t>(i));
      children.insert(place, child->elements.begin(), child->elements.end());
      --i;
    } else if (!child->removed) {
      good = bool(decide_dimensions(tree, *child, d)) && good;
      good = complete(tree, *child, d) && check_connector(tree, *child, d) && good;
    }
  }
  return good;
}

}  // namespace bolza::instance
