// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "compiler/instance/build/instantiate.h"
#include "compiler/instance/build_internal.h"
#include "compiler/instance/library/codes.h"
#include "compiler/instance/values/shape_internal.h"
#include "compiler/syntax/print.h"

/// Dimensions of expressions. What is not a question of structure alone is asked of the evaluator.
namespace bolza::instance {

using ast::ExprKind;

Result<Shape> Shaper::shape(const ast::Expr& expr) {
  switch (expr.kind) {
    case ExprKind::integer_literal:
    case ExprKind::real_literal:
    case ExprKind::string_literal:
    case ExprKind::boolean_literal:
    case ExprKind::end:
    case ExprKind::relation:
    case ExprKind::partial_function:
    case ExprKind::tuple:
      return Shape{};
    case ExprKind::name:
      return name(*expr.reference);
    case ExprKind::unary:
    case ExprKind::power:
      return shape(*expr.operands[0]);
    case ExprKind::logical_and:
    case ExprKind::logical_or:
    case ExprKind::additive:
      return first_array(expr.operands);
    case ExprKind::multiplicative:
      return product(expr);
    case ExprKind::range:
      return by_value(expr);
    case ExprKind::comprehension:
      return loop(*expr.operands[0], expr.iterators, expr);
    case ExprKind::if_: {
      // branches of one shape, unless the condition is known: then the chosen one counts
      for (std::size_t i = 0; i + 1 < expr.operands.size(); i += 2) {
        auto condition = try_evaluate(tree_, *expr.operands[i], scope_, context_);
        if (!condition || condition->kind != ValueKind::boolean || !condition->scalar() || condition->number() != 0.0)
          return shape(*expr.operands[i + 1]);
      }
      return shape(*expr.operands.back());
    }
    case ExprKind::call:
      return call(expr);
    case ExprKind::array: {
      Shape out{static_cast<std::int64_t>(expr.operands.size())};
      if (expr.operands.empty()) return out;
      auto inner = shape(*expr.operands[0]);
      if (!inner) return inner;
      out.insert(out.end(), inner->begin(), inner->end());
      return out;
    }
    case ExprKind::matrix:
      return matrix(expr);
    case ExprKind::subscripted: {
      auto inner = shape(*expr.operands[0]);
      if (!inner) return inner;
      return part(*inner, expr.subscripts);
    }
    case ExprKind::member:
      return by_value(expr);
  }
  return Shape{};
}

Result<Value> Shaper::value(const ast::Expr& expr) {
  EvaluationBudget budget;
  Evaluator evaluator(tree_, scope_, d_, budget);
  evaluator.frame = frame_;
  evaluator.indices.assign(context_.indices.begin(), context_.indices.end());
  evaluator.iterators.assign(context_.iterators.begin(), context_.iterators.end());
  return evaluator.value(expr);
}

Result<Shape> Shaper::by_value(const ast::Expr& expr, Names names) {
  auto whole = value(expr);
  for (std::string_view name : names) {
    if (!whole) return d_.already_reported();
    const Value* field = whole->field(name);
    if (!field) return d_.error(codes::unknown_name, expr.span, {name, "a value of type " + type_name(*whole)});
    whole = Value(*field);
  }
  if (!whole) return d_.already_reported();
  return whole->dimensions;
}

Result<Shape> Shaper::part(const Shape& dimensions, ast::List<ast::Subscript> subscripts) {
  Shape out;
  for (std::size_t k = 0; k < dimensions.size(); ++k) {
    if (k >= subscripts.size() || subscripts[k].whole()) {
      out.push_back(dimensions[k]);
      continue;
    }
    const ast::Expr& index = *subscripts[k].index;
    if (index.kind == ExprKind::range) {
      // 2:end needs to know what `end` is
      EvaluationBudget budget;
      Evaluator evaluator(tree_, scope_, d_, budget);
      evaluator.indices.assign(context_.indices.begin(), context_.indices.end());
      evaluator.iterators.assign(context_.iterators.begin(), context_.iterators.end());
      evaluator.frame = frame_;
      auto chosen = evaluator.selectors(subscripts.subspan(k, 1), std::span(dimensions).subspan(k, 1), "the array");
      if (!chosen) return d_.already_reported();
      out.push_back(static_cast<std::int64_t>(chosen->front().indices.size()));
      continue;
    }
    auto inner = shape(index);
    if (!inner) return inner;
    out.insert(out.end(), inner->begin(), inner->end());
  }
  return out;
}

Result<Shape> Shaper::name(const ast::Reference& reference) {
  if (!reference.global) {
    for (std::size_t i = context_.iterators.size(); i-- > 0;) {
      if (context_.iterators[i].name == reference.parts[0].identifier) return context_.iterators[i].value.dimensions;
    }
  }
  auto resolved = lookup(tree_, scope_, reference, d_);
  if (!resolved) return d_.already_reported();
  Shape out;
  if (resolved->kind != ResolvedKind::component) return out;
  if (frame_ && resolved->path[0].instance->parent == frame_->function) return local(*resolved, reference, {});
  if (!goes_through_nonuniform(*resolved)) return along(*resolved);
  auto led = elements_in(*resolved);
  if (!led) return d_.already_reported();
  for (const Resolved& way : led->ways) {
    auto own = along(way);
    if (!own) return own;
    if (&way != &led->ways.front() && *own != out)
      return d_.error(codes::ragged_array, reference.span, {path_of(resolved->component())});
    out = std::move(*own);
  }
  out.insert(out.begin(), led->dimensions.begin(), led->dimensions.end());
  return out;
}

Result<Led> Shaper::elements_in(const Resolved& resolved) {
  EvaluationBudget budget;
  Evaluator evaluator(tree_, scope_, d_, budget);
  evaluator.frame = frame_;
  evaluator.indices.assign(context_.indices.begin(), context_.indices.end());
  evaluator.iterators.assign(context_.iterators.begin(), context_.iterators.end());
  return evaluator.elements_in(resolved);
}

/// Dimensions of what a path leads to.
Result<Shape> Shaper::along(const Resolved& resolved) {
  Shape out;
  for (const PathPart& step : resolved.path) {
    auto sized = decide_dimensions(tree_, *step.instance, d_);
    if (!sized) return d_.already_reported();
    Shape own;
    for (const Dimension& dimension : step.instance->dimensions) own.push_back(dimension.size);
    if (step.subscripts.size() > own.size()) {
      return d_.error(
          codes::size_mismatch, step.subscripts[own.size()].span,
          {"`" + path_of(*step.instance) + "`", dimensions_text(own), "at least " + std::to_string(step.subscripts.size())});
    }
    auto chosen = part(own, step.subscripts);
    if (!chosen) return chosen;
    out.insert(out.end(), chosen->begin(), chosen->end());
  }
  return out;
}

Result<Shape> Shaper::first_array(std::span<const ast::Expr* const> operands) {
  Shape out;
  for (const ast::Expr* operand : operands) {
    auto s = shape(*operand);
    if (!s) return s;
    if (out.empty()) out = std::move(*s);
  }
  return out;
}

Result<Shape> Shaper::product(const ast::Expr& expr) {
  auto left = shape(*expr.operands[0]);
  for (std::size_t i = 1; left && i < expr.operands.size(); ++i) {
    auto right = shape(*expr.operands[i]);
    if (!right) return right;
    if (left->empty()) {
      left = right;
    } else if (!right->empty() && expr.operators[i - 1] == ast::Operator::multiply) {
      Shape out(left->begin(), left->end() - 1);
      out.insert(out.end(), right->begin() + 1, right->end());
      left = out;
    }
  }
  return left;
}

Result<Shape> Shaper::matrix(const ast::Expr& expr) {
  Shape out;
  for (const auto& row : expr.rows) {
    Shape whole;
    for (const ast::Expr* entry : row) {
      auto s = shape(*entry);
      if (!s) return s;
      while (s->size() < 2) s->push_back(1);
      if (whole.empty()) whole = *s;
      else whole[1] += (*s)[1];
    }
    if (out.empty()) out = whole;
    else out[0] += whole.empty() ? 0 : whole[0];
  }
  return out;
}

Result<Shape> Shaper::loop(const ast::Expr& body, ast::List<ast::Iterator> iterators, const ast::Expr& whole) {
  std::vector<IteratorValue> values(context_.iterators.begin(), context_.iterators.end());
  Shape out;
  bool runs = true;
  for (std::size_t k = iterators.size(); k-- > 0;) {
    if (!iterators[k].range) return by_value(whole);
    auto range = evaluate(tree_, *iterators[k].range, scope_, d_, {.iterators = values, .indices = context_.indices});
    if (!range) return d_.already_reported();
    if (range->dimensions.size() != 1)
      return d_.error(codes::type_mismatch, iterators[k].range->span, {"`for`", type_name(*range)});
    out.push_back(range->dimensions[0]);
    runs = runs && range->dimensions[0] > 0;
    std::int64_t first = 1;
    values.push_back({iterators[k].name, runs ? element(*range, std::span(&first, 1)) : integer_value(1)});
  }
  if (!runs) return out;
  EvaluationContext within{.iterators = values, .indices = context_.indices};
  auto inner = Shaper(tree_, scope_, d_, within, frame_).shape(body);
  if (!inner) return inner;
  out.insert(out.end(), inner->begin(), inner->end());
  return out;
}

Result<Shape> Shaper::sizes(const ast::Expr& expr, std::size_t first) {
  Shape out;
  for (std::size_t i = first; i < expr.arguments->positional.size(); ++i) {
    auto n = value(*expr.arguments->positional[i]);
    if (!n) return d_.already_reported();
    if (n->kind != ValueKind::integer || !n->scalar() || n->integer() < 0) {
      return d_.error(codes::bad_dimension, expr.arguments->positional[i]->span, {"`" + print(*n) + "`"});
    }
    out.push_back(n->integer());
  }
  return out;
}

Result<Shape> Shaper::concatenated(const ast::Expr& expr) {
  auto dimension = value(*expr.arguments->positional[0]);
  if (!dimension) return d_.already_reported();
  if (dimension->kind != ValueKind::integer || !dimension->scalar() || dimension->integer() < 1) {
    return d_.error(codes::wrong_arguments, expr.span, {"cat", "its first argument is the number of a dimension"});
  }
  Shape out;
  auto k = static_cast<std::size_t>(dimension->integer() - 1);
  for (std::size_t i = 1; i < expr.arguments->positional.size(); ++i) {
    auto s = shape(*expr.arguments->positional[i]);
    if (!s) return s;
    if (k >= s->size()) return d_.error(codes::wrong_arguments, expr.span, {"cat", "there is no such dimension"});
    if (out.empty()) out = *s;
    else out[k] += (*s)[k];
  }
  return out;
}

Result<Shape> Shaper::builtin(std::string_view name, const ast::Expr& expr) {
  const auto& a = expr.arguments->positional;
  if (!expr.arguments->iterators.empty()) {
    auto all = loop(*a[0], expr.arguments->iterators, expr);
    if (all && name != "array")
      all->erase(all->begin(), all->begin() + static_cast<std::ptrdiff_t>(expr.arguments->iterators.size()));
    return all;
  }
  if (name == "zeros" || name == "ones") return sizes(expr, 0);
  if (name == "cross") return Shape{3};
  if (name == "skew") return Shape{3, 3};
  if (name == "scalar" || name == "sum" || name == "product" || name == "ndims" || name == "min" || name == "max" ||
      a.empty())
    return Shape{};
  if (name == "identity" || name == "linspace") {
    auto n = sizes(expr, name == "identity" ? 0 : 2);
    if (n && name == "identity" && !n->empty()) n->push_back(n->front());
    return n;
  }
  if (name == "size") return a.size() == 2 ? Shape{} : by_value(expr);
  if (name == "cat") return concatenated(expr);
  if (name == "fill") {
    auto out = sizes(expr, 1);
    auto inner = shape(*a[0]);
    if (!out || !inner) return d_.already_reported();
    out->insert(out->end(), inner->begin(), inner->end());
    return out;
  }
  if (name == "array") {
    auto inner = shape(*a[0]);
    if (inner) inner->insert(inner->begin(), static_cast<std::int64_t>(a.size()));
    return inner;
  }
  auto first = shape(*a[name == "smooth" ? a.size() - 1 : 0]);
  if (!first) return first;
  std::int64_t count = 1;
  for (std::int64_t n : *first) count *= n;
  if (name == "vector") return Shape{count};
  if (name == "diagonal" && first->size() == 1) return Shape{count, count};
  if (name == "matrix") {
    while (first->size() < 2) first->push_back(1);
    return Shape{(*first)[0], (*first)[0] == 0 ? (*first)[1] : count / (*first)[0]};
  }
  if (name == "transpose" && first->size() >= 2) std::swap((*first)[0], (*first)[1]);
  if (name == "outerProduct" && a.size() == 2) {
    auto second = shape(*a[1]);
    if (!second) return second;
    first->insert(first->end(), second->begin(), second->end());
  }
  return first;
}

Result<Shape> Shaper::call(const ast::Expr& expr) {
  auto resolved = lookup(tree_, scope_, *expr.reference, d_);
  if (!resolved) return d_.already_reported();
  switch (resolved->kind) {
    case ResolvedKind::builtin_function:
      return builtin(resolved->name, expr);
    case ResolvedKind::component:
      return name(*expr.reference);  // the value of a variable at one time
    case ResolvedKind::builtin_type:
      return expr.arguments->positional.empty() ? Shape{} : shape(*expr.arguments->positional[0]);
    case ResolvedKind::enumeration_literal:
    case ResolvedKind::time:
      return Shape{};
    case ResolvedKind::class_:
      break;
  }
  if (resolved->definition->ast->form == ast::ClassForm::enumeration) return Shape{};
  auto function = instance_of(tree_, *resolved->definition, resolved->enclosing, expr.span, d_);
  if (!function) return d_.already_reported();
  if ((*function)->class_kind == ast::ClassKind::record) return Shape{};
  return output_of(**function, expr);
}

Result<std::vector<std::int64_t>> shape_of(InstanceTree& tree, const ast::Expr& expr, const Scope& scope, Diagnostics& d,
                                           const EvaluationContext& context) {
  return Shaper(tree, scope, d, context).shape(expr);
}

Result<std::vector<std::int64_t>> shape_of_field(InstanceTree& tree, const ast::Expr& expr,
                                                 std::span<const std::string_view> names, const Scope& scope,
                                                 Diagnostics& d) {
  EvaluationContext context;
  return Shaper(tree, scope, d, context).shape(expr, names);
}

}  // namespace bolza::instance
