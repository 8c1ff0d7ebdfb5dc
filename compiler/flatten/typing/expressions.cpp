// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/typing/typer_internal.h"

#include <algorithm>

#include "base/expects.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/run_time_sizes_internal.h"
#include "compiler/instance/library/codes.h"
#include "compiler/syntax/print.h"

namespace bolza::flatten {

using ast::ExprKind;
using ir::Op;

Typed Typer::expression(const ast::Expr& expr) {
  switch (expr.kind) {
    case ExprKind::integer_literal:
    case ExprKind::real_literal:
    case ExprKind::string_literal:
    case ExprKind::boolean_literal:
      return literal(expr);
    case ExprKind::end:
      if (ends.empty()) return wrong(instance::codes::depends_on_variable, expr.span, {"end", instance::codes::end_outside});
      return size_node(ends.back(), expr.span);
    case ExprKind::name:
      return name(*expr.reference, expr.span);
    case ExprKind::unary:
      return unary(expr);
    case ExprKind::power: {
      auto x = both(*expr.operands[0], *expr.operands[1]);
      if (!x) return x.failure();
      return power(x->first, x->second, expr.op == ast::Operator::elementwise_power, expr.span);
    }
    case ExprKind::additive:
      return additive(expr);
    case ExprKind::multiplicative:
      return multiplicative(expr);
    case ExprKind::logical_and:
      return logical(expr, Op::logical_and);
    case ExprKind::logical_or:
      return logical(expr, Op::logical_or);
    case ExprKind::relation:
      return relation(expr);
    case ExprKind::range:
      return range(expr);
    case ExprKind::if_:
      return if_chain(expr);
    case ExprKind::call:
      return call(expr);
    case ExprKind::partial_function:
      return wrong(unsupported, expr.span, {"a function as an argument"});
    case ExprKind::array:
      return array(expr);
    case ExprKind::comprehension:
      return comprehension(*expr.operands[0], expr.iterators, expr.span);
    case ExprKind::matrix:
      return matrix(expr);
    case ExprKind::tuple:
      return wrong(expected_type, expr.span, {"one value", "a list"});
    case ExprKind::subscripted: {
      auto base = expression(*expr.operands[0]);
      return base ? subscripted(base, expr.subscripts, expr.span) : base;
    }
    case ExprKind::member: {
      auto base = expression(*expr.operands[0]);
      for (const ast::NamePart& part : expr.reference->parts) {
        if (base) base = member(base, part.identifier, part.span);
        if (base && !part.subscripts.empty()) base = subscripted(base, part.subscripts, part.span);
      }
      return base;
    }
  }
  expects(false, "every kind of expression is translated");
  return reported();
}

const Node* Typer::literal(const ast::Expr& expr) {
  if (expr.kind == ExprKind::integer_literal)
    return nodes().number(static_cast<double>(expr.integer), Basic::integer, expr.span);
  if (expr.kind == ExprKind::real_literal) return nodes().number(expr.number, Basic::real, expr.span);
  if (expr.kind == ExprKind::boolean_literal) return nodes().number(expr.boolean ? 1 : 0, Basic::boolean, expr.span);
  Node node;
  node.kind = NodeKind::text;
  node.basic = Basic::string;
  node.text = std::string(expr.text);
  node.span = expr.span;
  return nodes().add(std::move(node));
}

Typed Typer::scalar_real(const ast::Expr& expr) {
  auto node = expression(expr);
  if (!node) return node;
  if (!node->dims.empty() || !is_numeric(node->basic))
    return wrong(expected_type, expr.span, {"a scalar number", type_text(*node)});
  return node;
}

Typed Typer::boolean_condition(const ast::Expr& expr) {
  auto node = expression(expr);
  if (!node) return node;
  if (!node->dims.empty() || node->basic != Basic::boolean)
    return wrong(expected_type, expr.span, {"a scalar Boolean", type_text(*node)});
  return node;
}

Typed Typer::unary(const ast::Expr& expr) {
  auto a = expression(*expr.operands[0]);
  if (!a) return a;
  if (expr.op == ast::Operator::not_) {
    if (a->basic != Basic::boolean) return wrong(operand_type, expr.span, {"not", "Boolean", type_text(*a)});
    return nodes().apply(Op::logical_not, {a}, Basic::boolean, expr.span);
  }
  bool minus = expr.op == ast::Operator::subtract || expr.op == ast::Operator::elementwise_subtract;
  if (is_operator_record(*a)) return minus ? *overloaded("'-'", {a}, /*elementwise=*/true, expr.span) : a;
  if (!is_numeric(a->basic)) return wrong(operand_type, expr.span, {"-", "numeric", type_text(*a)});
  return minus ? Typed(negate(a, expr.span)) : a;
}

Outcome<std::vector<const Node*>> Typer::expressions(std::span<const ast::Expr* const> exprs) {
  std::vector<const Node*> nodes;
  std::optional<Failure> mistake;
  for (const ast::Expr* expr : exprs) {
    auto node = expression(*expr);
    if (node) nodes.push_back(node);
    else if (node.failure().reported()) mistake = node.failure();
    else return node.failure();
  }
  if (mistake) return *mistake;
  return nodes;
}

Outcome<std::pair<const Node*, const Node*>> Typer::both(const ast::Expr& a, const ast::Expr& b) {
  auto first = expression(a);
  if (!first && !first.failure().reported()) return first.failure();
  auto second = expression(b);
  if (!second) return second.failure();
  if (!first) return first.failure();
  return std::pair<const Node*, const Node*>(first, second);
}

namespace {

/// Chains longer than this become balanced trees, so that no text makes trees deeper than the stack.
constexpr std::size_t longest_left_deep_chain = 64;
/// Products and conditions are not rearranged.
constexpr std::size_t longest_product = 1000;

}  // namespace

/// Texts one behind the other, where all of them are known.
Typed Typer::joined_texts(const ast::Expr& expr, const std::vector<const Node*>& parts) {
  std::string all;
  for (ast::Operator op : expr.operators)
    if (op != ast::Operator::add) return wrong(instance::codes::type_mismatch, expr.span, {"`-`", "String"});
  for (const Node* part : parts) {
    if (part->basic != Basic::string)
      return wrong(instance::codes::type_mismatch, expr.span, {"`+`", "String and " + type_text(*part)});
    auto text = texts_of(*part);
    if (!text) return text.failure();
    if (!*text || (*text)->size() != 1) return text_now(expr);
    all += (**text)[0];
  }
  Node node = *parts[0];
  node.kind = NodeKind::text;
  node.text = std::move(all);
  node.children.clear();
  node.instance = nullptr;
  node.span = expr.span;
  return nodes().add(std::move(node));
}

Typed Typer::additive(const ast::Expr& expr) {
  auto terms = expressions(expr.operands);
  if (!terms) return terms.failure();
  if (terms->front()->basic == Basic::string && terms->front()->dims.empty()) return joined_texts(expr, *terms);
  return sum_of_terms(expr, *terms, 0, terms->size(), false);
}

/// Terms first … last - 1, all signs but the first one's turned round when `flipped`.
Typed Typer::sum_of_terms(const ast::Expr& expr, const std::vector<const Node*>& terms, std::size_t first, std::size_t last,
                          bool flipped) {
  auto is_minus = [&](std::size_t k) {
    ast::Operator op = expr.operators[k - 1];
    return op == ast::Operator::subtract || op == ast::Operator::elementwise_subtract;
  };
  auto join = [&](const Node* a, const Node* b, std::size_t k, std::size_t from) {
    ast::Operator op = expr.operators[k - 1];
    bool elementwise = op == ast::Operator::elementwise_add || op == ast::Operator::elementwise_subtract;
    return add(is_minus(k) != flipped ? Op::sub : Op::add, a, b, elementwise, cover(terms[from]->span, terms[k]->span));
  };
  if (last - first > longest_left_deep_chain) {
    std::size_t middle = first + (last - first) / 2;
    auto left = sum_of_terms(expr, terms, first, middle, flipped);
    auto right = left ? sum_of_terms(expr, terms, middle, last, is_minus(middle)) : left;
    return right ? join(left, right, middle, first) : right;
  }
  Typed sum = terms[first];
  for (std::size_t k = first + 1; k < last && sum; ++k) sum = join(sum, terms[k], k, first);
  return sum;
}

Typed Typer::multiplicative(const ast::Expr& expr) {
  auto all = expressions(expr.operands);
  if (!all) return all.failure();
  const std::vector<const Node*>& factors = *all;
  Typed product = factors[0];
  for (std::size_t k = 1; k < factors.size() && product; ++k) {
    Span span = cover(factors[0]->span, factors[k]->span);
    ast::Operator op = expr.operators[k - 1];
    bool elementwise = op == ast::Operator::elementwise_multiply || op == ast::Operator::elementwise_divide;
    bool times = op == ast::Operator::multiply || op == ast::Operator::elementwise_multiply;
    product = times ? multiply(product, factors[k], elementwise, span) : divide(product, factors[k], elementwise, span);
    if (k == longest_product) return wrong(chain_too_long, span, {std::to_string(longest_product)});
  }
  return product;
}

namespace {

/// Whether evaluating this in a function takes more than arithmetic: an element of an array may not be there.
bool reads_elements(const Node& node) {
  auto part = [](const Node* p) { return p != nullptr && reads_elements(*p); };
  return (node.kind == NodeKind::variable && !node.dims.empty()) || node.kind == NodeKind::call ||
         std::any_of(node.children.begin(), node.children.end(), part) ||
         std::any_of(node.subscripts.begin(), node.subscripts.end(), part);
}

}  // namespace

const Node* Typer::combined(Op op, const Node* a, const Node* b, Span span) {
  if (!in_statements || !a->dims.empty() || !reads_elements(*b)) return nodes().apply(op, {a, b}, Basic::boolean, span);
  const Node* decided = nodes().number(op == Op::logical_or ? 1 : 0, Basic::boolean, span);
  return op == Op::logical_and ? nodes().choose(NodeKind::select, a, b, decided, span)
                               : nodes().choose(NodeKind::select, a, decided, b, span);
}

Typed Typer::logical(const ast::Expr& expr, Op op) {
  const Node* result = nullptr;  // of the operands so far
  std::optional<Failure> mistake;
  std::size_t count = 0;
  for (const ast::Expr* operand : expr.operands) {
    auto node = expression(*operand);
    if (!node && !node.failure().reported()) return node;
    if (!node) mistake = node.failure();
    if (mistake) continue;
    if (node->basic != Basic::boolean)
      return wrong(operand_type, operand->span, {op == Op::logical_and ? "and" : "or", "Boolean", type_text(*node)});
    if (result)
      if (auto same = check_same_dims(result, node, "logical operation", expr.span); !same) return same.failure();
    result = result ? combined(op, result, node, expr.span) : static_cast<const Node*>(node);
    if (++count > longest_product) return wrong(chain_too_long, expr.span, {std::to_string(longest_product)});
  }
  if (mistake) return *mistake;
  return result;
}

namespace {

bool compared(const std::string& a, ast::Operator op, const std::string& b) {
  switch (op) {
    case ast::Operator::less:
      return a < b;
    case ast::Operator::less_equal:
      return a <= b;
    case ast::Operator::greater:
      return a > b;
    case ast::Operator::greater_equal:
      return a >= b;
    case ast::Operator::not_equal:
      return a != b;
    default:
      return a == b;
  }
}

}  // namespace

Typed Typer::string_relation(const ast::Expr& expr, const Node& a, const Node& b) {
  auto left = texts_of(a), right = left ? texts_of(b) : left;
  if (!right) return right.failure();
  if (*left && *right && (*left)->size() == 1 && (*right)->size() == 1)
    return nodes().number(compared((**left)[0], expr.op, (**right)[0]) ? 1 : 0, Basic::boolean, expr.span);
  auto value = instance::evaluate(model.tree, expr, scope, model.diagnostics);
  if (!value) return reported();
  return nodes().number(value->number(), Basic::boolean, expr.span);
}

Typed Typer::relation(const ast::Expr& expr) {
  auto operands = both(*expr.operands[0], *expr.operands[1]);
  if (!operands) return operands.failure();
  auto [a, b] = *operands;
  std::string name = "'" + std::string(syntax::spelling(expr.op)) + "'";
  if (auto result = overloaded(name, {a, b}, /*elementwise=*/true, expr.span)) return *result;
  if (a->basic == Basic::string || b->basic == Basic::string) return string_relation(expr, *a, *b);
  for (const Node* x : {a, b})
    if (!x->dims.empty() || x->basic == Basic::record)
      return wrong(operand_type, x->span, {syntax::spelling(expr.op), "scalar", type_text(*x)});
  if ((a->basic == Basic::boolean) != (b->basic == Basic::boolean) ||
      (a->basic == Basic::enumeration) != (b->basic == Basic::enumeration))
    return wrong(types_differ, expr.span, {type_text(*a), type_text(*b)});
  Op op = Op::equal;
  switch (expr.op) {
    case ast::Operator::less:
      op = Op::less;
      break;
    case ast::Operator::less_equal:
      op = Op::less_equal;
      break;
    case ast::Operator::greater:
      op = Op::greater;
      break;
    case ast::Operator::greater_equal:
      op = Op::greater_equal;
      break;
    case ast::Operator::not_equal:
      op = Op::not_equal;
      break;
    default:
      break;
  }
  return nodes().apply(op, {a, b}, Basic::boolean, expr.span);
}

Typed Typer::if_chain(const ast::Expr& expr) {
  if (expr.operands.size() > 2 * longest_product) return wrong(chain_too_long, expr.span, {std::to_string(longest_product)});
  const ast::Expr* last = expr.operands.back();
  std::vector<std::pair<const Node*, const ast::Expr*>> open;
  for (std::size_t k = 0; k + 1 < expr.operands.size(); k += 2) {
    auto condition = boolean_condition(*expr.operands[k]);
    if (!condition) return condition;
    auto holds = settled(*condition);
    if (!holds) return holds.failure();
    if (!*holds) open.emplace_back(condition, expr.operands[k + 1]);
    if (!*holds || !**holds) continue;
    last = expr.operands[k + 1];
    break;
  }
  bool shaped = std::any_of(open.begin(), open.end(), [](const auto& branch) { return is_structural(*branch.first); });
  std::optional<Diagnostics> before;
  if (shaped) before = model.diagnostics;
  auto value = expression(*last);
  for (std::size_t k = open.size(); value && k-- > 0;) {
    auto yes = expression(*open[k].second);
    value = yes ? if_expression(open[k].first, yes, value, expr.span) : yes;
  }
  if (value || !shaped || !value.failure().reported()) return value;
  std::swap(model.diagnostics, *before);
  if (auto taken = branch_taken(open, *last)) return *taken;
  std::swap(model.diagnostics, *before);
  return value;
}

/// Of branches one of which makes no sense, `if i == n then 0 else x[i + 1]`: the one that the conditions choose, where they
/// are known and the same for all instances; where they differ the space is split. Nothing where they are not known.
std::optional<Typed> Typer::branch_taken(const std::vector<std::pair<const Node*, const ast::Expr*>>& open,
                                         const ast::Expr& last) {
  for (const auto& [condition, branch] : open) {
    if (!is_structural(*condition)) return {};
    auto holds = known(*condition);
    if (!holds && !holds.failure().reported()) return Typed(holds.failure());
    if (!holds || !*holds) return {};
    if (!(*holds)->is_uniform()) return Typed(work.split_by(**holds));
    if ((*holds)->uniform() != 0) return expression(*branch);
  }
  return expression(last);
}

}  // namespace bolza::flatten
