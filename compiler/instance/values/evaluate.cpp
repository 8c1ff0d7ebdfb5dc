// SPDX-License-Identifier: Apache-2.0
#include "compiler/instance/evaluate.h"

#include <algorithm>

#include "compiler/instance/library/codes.h"
#include "compiler/instance/values/evaluator_internal.h"
#include "compiler/syntax/print.h"

namespace bolza::instance {

using ast::ExprKind;

Result<Value> Evaluator::value(const ast::Expr& expr) {
  if (++budget_.steps > budget_.most_steps()) {
    return d_.error(codes::too_long, expr.span, {syntax::print(expr), budget_.most_steps_text()});
  }
  if (budget_.depth >= EvaluationBudget::most_depth) {
    return d_.error(codes::too_long, expr.span, {syntax::print(expr), "1200 nested calls and expressions"});
  }
  ++budget_.depth;
  auto out = dispatch(expr);
  --budget_.depth;
  if (out) budget_.steps += out->numbers.size() / 64;
  return out;
}

Result<Value> Evaluator::dispatch(const ast::Expr& expr) {
  switch (expr.kind) {
    case ExprKind::integer_literal:
      return integer_value(expr.integer);
    case ExprKind::real_literal:
      return real_value(expr.number);
    case ExprKind::string_literal:
      return string_value(std::string(expr.text));
    case ExprKind::boolean_literal:
      return boolean_value(expr.boolean);
    case ExprKind::end:
      if (ends_.empty()) return d_.error(codes::depends_on_variable, expr.span, {"end", codes::end_outside});
      return integer_value(ends_.back());
    case ExprKind::name:
      return name(expr);
    case ExprKind::unary: {
      auto a = value(*expr.operands[0]);
      if (a && a->kind == ValueKind::record && expr.op == ast::Operator::subtract)
        if (auto result = overloaded("'-'", {*a}, /*elementwise=*/true, expr.span)) return std::move(*result);
      if (a && a->kind == ValueKind::record && expr.op == ast::Operator::add) return a;
      return a ? apply_unary(expr.op, *a, expr.span, d_) : a;
    }
    case ExprKind::power:
    case ExprKind::relation: {
      auto a = value(*expr.operands[0]);
      if (!a) return a;
      auto b = value(*expr.operands[1]);
      return b ? binary(expr.op, *a, *b, expr.span) : b;
    }
    case ExprKind::additive:
    case ExprKind::multiplicative:
      return chain(expr);
    case ExprKind::logical_and:
    case ExprKind::logical_or:
      return logical(expr);
    case ExprKind::range:
      return range(expr);
    case ExprKind::if_:
      return if_expression(expr);
    case ExprKind::call:
      return call(expr);
    case ExprKind::partial_function:
      return d_.error(codes::not_supported, expr.span, {"a function as an argument"});
    case ExprKind::array:
      return array(expr.operands, expr.span);
    case ExprKind::comprehension:
      return comprehension(*expr.operands[0], expr.iterators);
    case ExprKind::matrix:
      return matrix(expr);
    case ExprKind::tuple:
      return d_.error(codes::type_mismatch, expr.span, {"a list of results", "an expression"});
    case ExprKind::subscripted: {
      auto a = value(*expr.operands[0]);
      if (!a) return a;
      auto chosen = selectors(expr.subscripts, a->dimensions, syntax::print(*expr.operands[0]));
      if (!chosen) return d_.already_reported();
      return select_part(*a, *chosen);
    }
    case ExprKind::member: {
      auto a = value(*expr.operands[0]);
      return a ? rest_of(*a, expr.reference->parts, {}) : a;
    }
  }
  return d_.error(codes::not_supported, expr.span, {"this expression"});
}

Result<Value> Evaluator::scalar(const ast::Expr& expr, ValueKind kind, std::string_view what) {
  auto v = value(expr);
  if (!v) return v;
  if (v->kind != kind || !v->scalar()) return d_.error(codes::type_mismatch, expr.span, {what, type_name(*v)});
  return v;
}

Result<Value> Evaluator::chain(const ast::Expr& expr) {
  auto left = value(*expr.operands[0]);
  for (std::size_t i = 1; left && i < expr.operands.size(); ++i) {
    auto right = value(*expr.operands[i]);
    if (!right) return right;
    left = binary(expr.operators[i - 1], *left, *right, expr.span);
  }
  return left;
}

Result<Value> Evaluator::logical(const ast::Expr& expr) {
  bool any = expr.kind == ExprKind::logical_or;
  std::string name = any ? "`or`" : "`and`";
  std::optional<Value> all;
  for (const ast::Expr* operand : expr.operands) {
    auto v = value(*operand);
    if (!v) return v;
    if (v->kind != ValueKind::boolean) return d_.error(codes::type_mismatch, operand->span, {name, type_name(*v)});
    if (v->scalar() && !all && (v->numbers[0] != 0.0) == any) return boolean_value(any);
    if (v->scalar()) continue;
    if (all && all->dimensions != v->dimensions)
      return d_.error(codes::size_mismatch, operand->span,
                      {"an operand of " + name, dimensions_text(v->dimensions), dimensions_text(all->dimensions)});
    if (!all) all = std::move(*v);
    else
      for (std::size_t k = 0; k < all->numbers.size(); ++k)
        all->numbers[k] = any ? std::max(all->numbers[k], v->numbers[k]) : std::min(all->numbers[k], v->numbers[k]);
  }
  return all ? std::move(*all) : boolean_value(!any);
}

Result<Value> Evaluator::if_expression(const ast::Expr& expr) {
  for (std::size_t i = 0; i + 1 < expr.operands.size(); i += 2) {
    auto condition = scalar(*expr.operands[i], ValueKind::boolean, "`if`");
    if (!condition) return condition;
    if (condition->numbers[0] != 0.0) return value(*expr.operands[i + 1]);
  }
  return value(*expr.operands.back());
}

Result<Value> Evaluator::range(const ast::Expr& expr) {
  std::vector<Value> parts;
  for (const ast::Expr* operand : expr.operands) {
    auto v = value(*operand);
    if (!v) return v;
    bool fits = v->scalar() && v->kind != ValueKind::string && v->kind != ValueKind::record;
    if (!fits) return d_.error(codes::type_mismatch, operand->span, {"`:`", type_name(*v)});
    parts.push_back(std::move(*v));
  }
  Value out{.kind = parts[0].kind, .definition = parts[0].definition};
  for (const Value& v : parts) {
    if (v.kind == ValueKind::real) out.kind = ValueKind::real;
  }
  double first = parts[0].number(), last = parts.back().number(), step = parts.size() == 3 ? parts[1].number() : 1.0;
  if (step == 0.0) return d_.error(codes::undefined_result, expr.span, {"a range", "its step is zero"});
  double count = std::max(0.0, 1.0 + (last - first) / step + 1e-10);
  if (count > 1e7) return d_.error(codes::too_long, expr.span, {syntax::print(expr), "10 million elements"});
  for (double k = 0.0; k + 1.0 <= count; k += 1.0) out.numbers.push_back(first + k * step);
  out.dimensions = {static_cast<std::int64_t>(out.numbers.size())};
  return out;
}

Result<Value> Evaluator::array(std::span<const ast::Expr* const> elements, Span span) {
  std::vector<Value> values;
  values.reserve(elements.size());
  for (const ast::Expr* element : elements) {
    auto v = value(*element);
    if (!v) return v;
    if (!values.empty() && v->dimensions != values[0].dimensions) {
      return d_.error(codes::size_mismatch, element->span,
                      {"this element", dimensions_text(v->dimensions), dimensions_text(values[0].dimensions)});
    }
    if (!values.empty() && !stackable(values[0], *v)) {
      return d_.error(codes::type_mismatch, span, {"`{…}`", type_name(values[0]) + " and " + type_name(*v)});
    }
    values.push_back(std::move(*v));
  }
  auto n = static_cast<std::int64_t>(values.size());
  return stack(std::move(values), std::span(&n, 1));
}

Result<Value> Evaluator::matrix(const ast::Expr& expr) {
  std::vector<Value> rows;
  for (const auto& row : expr.rows) {
    std::vector<Value> columns;
    std::size_t rank = 2;
    for (const ast::Expr* entry : row) {
      auto v = value(*entry);
      if (!v) return v;
      rank = std::max(rank, v->dimensions.size());
      columns.push_back(std::move(*v));
    }
    for (Value& v : columns) v = promote(std::move(v), rank);
    auto joined = concatenate(1, columns, expr.span, d_);
    if (!joined) return joined;
    rows.push_back(std::move(*joined));
  }
  return concatenate(0, rows, expr.span, d_);
}

namespace {

/// The size an iterator without range runs over: that of the subscript it stands in somewhere in the expression.
const ast::Subscript* find_subscript(const ast::Expr& expr, std::string_view iterator, const ast::Reference*& reference,
                                     std::size_t& part, std::size_t& position) {
  auto within = [&](const ast::Reference* r) -> const ast::Subscript* {
    for (std::size_t p = 0; r && p < r->parts.size(); ++p) {
      for (std::size_t k = 0; k < r->parts[p].subscripts.size(); ++k) {
        const ast::Expr* index = r->parts[p].subscripts[k].index;
        if (!index || index->kind != ExprKind::name || !index->reference->simple()) continue;
        if (index->reference->parts[0].identifier != iterator) continue;
        reference = r;
        part = p;
        position = k;
        return &r->parts[p].subscripts[k];
      }
    }
    return nullptr;
  };
  if (const ast::Subscript* found = within(expr.reference)) return found;
  for (const ast::Expr* operand : expr.operands) {
    if (!operand) continue;
    if (const ast::Subscript* found = find_subscript(*operand, iterator, reference, part, position)) return found;
  }
  if (expr.arguments) {
    for (const ast::Expr* argument : expr.arguments->positional) {
      if (const ast::Subscript* found = find_subscript(*argument, iterator, reference, part, position)) return found;
    }
  }
  return nullptr;
}

}  // namespace

Result<Value> Evaluator::iterator_range(const ast::Iterator& iterator, const ast::Expr& body) {
  Value out{.kind = ValueKind::integer};
  if (iterator.range) {
    if (iterator.range->kind == ExprKind::name) {
      auto named = lookup(tree_, scope_, *iterator.range->reference, d_);
      if (named && named->kind == ResolvedKind::class_ && named->definition->ast->form == ast::ClassForm::enumeration) {
        auto n = static_cast<std::int64_t>(named->definition->ast->literals.size());
        out = {.kind = ValueKind::enumeration, .dimensions = {n}, .definition = named->definition};
        for (std::int64_t i = 1; i <= n; ++i) out.numbers.push_back(static_cast<double>(i));
        return out;
      }
    }
    auto given = value(*iterator.range);
    if (given && given->dimensions.size() != 1)
      return d_.error(codes::type_mismatch, iterator.range->span, {"`for`", type_name(*given)});
    return given;
  }
  const ast::Reference* reference = nullptr;
  std::size_t part = 0, position = 0;
  if (!find_subscript(body, iterator.name, reference, part, position)) {
    return d_.error(codes::unknown_size, iterator.span, {iterator.name});
  }
  auto resolved = lookup(tree_, scope_, *reference, d_);
  if (!resolved) return d_.already_reported();
  std::vector<std::int64_t> dimensions;
  if (resolved->kind == ResolvedKind::component && part < resolved->path.size()) {
    for (const Dimension& dimension : resolved->path[part].instance->dimensions) dimensions.push_back(dimension.size);
  }
  if (position >= dimensions.size() || dimensions[position] < 0)
    return d_.error(codes::unknown_size, iterator.span, {iterator.name});
  for (std::int64_t i = 1; i <= dimensions[position]; ++i) out.numbers.push_back(static_cast<double>(i));
  out.dimensions = {dimensions[position]};
  return out;
}

Result<Done> Evaluator::for_each(ast::List<ast::Iterator> list, std::size_t at, const ast::Expr& body,
                                 std::vector<Value>& out, std::vector<std::int64_t>& sizes) {
  if (at == list.size()) {
    auto v = value(body);
    if (!v) return d_.already_reported();
    if (!out.empty() && out[0].dimensions != v->dimensions) {
      return d_.error(codes::size_mismatch, body.span,
                      {"an element", dimensions_text(v->dimensions), dimensions_text(out[0].dimensions)});
    }
    if (!out.empty() && !stackable(out[0], *v)) {
      return d_.error(codes::type_mismatch, body.span, {"`for`", type_name(out[0]) + " and " + type_name(*v)});
    }
    out.push_back(std::move(*v));
    return Done{};
  }
  auto range = iterator_range(list[at], body);
  if (!range) return d_.already_reported();
  sizes[at] = range->dimensions[0];
  for (std::int64_t i = 1; i <= range->dimensions[0]; ++i) {
    iterators.push_back({list[at].name, element(*range, std::span(&i, 1))});
    auto done = for_each(list, at + 1, body, out, sizes);
    iterators.pop_back();
    if (!done) return done;
  }
  return Done{};
}

Result<Value> Evaluator::comprehension(const ast::Expr& body, ast::List<ast::Iterator> list) {
  // the last iterator runs fastest in the nesting below, and is the last dimension: {e for i in r, j in s} has j first
  std::vector<Value> elements;
  std::vector<std::int64_t> sizes(list.size(), 0);
  std::vector<ast::Iterator> reversed(list.rbegin(), list.rend());
  auto done = for_each(reversed, 0, body, elements, sizes);
  if (!done) return d_.already_reported();
  return stack(std::move(elements), sizes);
}

Result<std::vector<Selector>> Evaluator::selectors(ast::List<ast::Subscript> subscripts,
                                                   std::span<const std::int64_t> dimensions, std::string_view name) {
  std::vector<Selector> out;
  if (subscripts.size() > dimensions.size()) {
    return d_.error(
        codes::size_mismatch, subscripts[dimensions.size()].span,
        {"`" + std::string(name) + "`", dimensions_text(dimensions), "at least " + std::to_string(subscripts.size())});
  }
  for (std::size_t k = 0; k < subscripts.size(); ++k) {
    Selector selector;
    if (subscripts[k].whole()) {
      for (std::int64_t i = 1; i <= dimensions[k]; ++i) selector.indices.push_back(i);
      out.push_back(std::move(selector));
      continue;
    }
    ends_.push_back(dimensions[k]);
    auto index = value(*subscripts[k].index);
    ends_.pop_back();
    if (!index) return d_.already_reported();
    bool fits =
        index->kind == ValueKind::integer || index->kind == ValueKind::enumeration || index->kind == ValueKind::boolean;
    if (!fits || index->dimensions.size() > 1)
      return d_.error(codes::type_mismatch, subscripts[k].span, {"a subscript", type_name(*index)});
    selector.scalar = index->scalar();
    for (double number : index->numbers) {
      auto i = static_cast<std::int64_t>(number) + (index->kind == ValueKind::boolean ? 1 : 0);
      if (i < 1 || i > dimensions[k]) {
        return d_.error(codes::index_out_of_range, subscripts[k].span,
                        {std::to_string(i), std::to_string(dimensions[k]), name});
      }
      selector.indices.push_back(i);
    }
    out.push_back(std::move(selector));
  }
  return out;
}

Result<Value> evaluate(InstanceTree& tree, const ast::Expr& expr, const Scope& scope, Diagnostics& d,
                       const EvaluationContext& context) {
  EvaluationBudget budget;
  Evaluator evaluator(tree, scope, d, budget);
  evaluator.indices.assign(context.indices.begin(), context.indices.end());
  evaluator.iterators.assign(context.iterators.begin(), context.iterators.end());
  return evaluator.value(expr);
}

Result<std::vector<Value>> evaluate_call(InstanceTree& tree, const Instance& function, const ast::Expr& call,
                                         const Scope& scope, Diagnostics& d) {
  EvaluationBudget budget;
  return Evaluator(tree, scope, d, budget).call_function(function, call.arguments, call.span);
}

Result<Value> evaluate(InstanceTree& tree, const ScopedExpr& expr, Diagnostics& d) {
  expects(expr.expr != nullptr, "only a value that was given is evaluated");
  return evaluate(tree, *expr.expr, expr.scope, d);
}

std::optional<Value> try_evaluate(InstanceTree& tree, const ast::Expr& expr, const Scope& scope,
                                  const EvaluationContext& context) {
  Diagnostics aside;
  auto value = evaluate(tree, expr, scope, aside, context);
  if (!value) return std::nullopt;
  return std::move(*value);
}

std::optional<Value> try_evaluate(InstanceTree& tree, const ScopedExpr& expr) {
  return try_evaluate(tree, *expr.expr, expr.scope);
}

Result<Value> value_of(InstanceTree& tree, const Instance& component, Indices indices, Span used_at, Diagnostics& d) {
  EvaluationBudget budget;
  Evaluator evaluator(tree, {component.parent, component.declared_in}, d, budget);
  std::vector<std::int64_t> at(indices.begin(), indices.end());
  auto value = evaluator.component(component, at, used_at);
  if (!value) return d.already_reported();
  return **value;
}

}  // namespace bolza::instance
