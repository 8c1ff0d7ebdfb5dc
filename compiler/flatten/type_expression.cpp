#include <algorithm>

#include "base/expects.h"
#include "compiler/flatten/codes.h"
#include "compiler/flatten/type_internal.h"
#include "compiler/syntax/print.h"

namespace bolza::flatten {

using ast::ExprKind;
using ir::Op;

const Node* Typer::wrong(const Code& code, Span span, Diagnostics::Arguments arguments) {
  model.diagnostics.error(code, span, arguments);
  return nullptr;
}

const Node* Typer::expression(const ast::Expr& expr) {
  if (work.split) return nullptr;
  switch (expr.kind) {
    case ExprKind::integer_literal:
    case ExprKind::real_literal:
    case ExprKind::string_literal:
    case ExprKind::boolean_literal: return literal(expr);
    case ExprKind::end:
      expects(!ends.empty(), "the parser lets `end` stand in subscripts only");
      return nodes().number(static_cast<double>(ends.back()), Basic::integer, expr.span);
    case ExprKind::name: return name(*expr.reference, expr.span);
    case ExprKind::unary: return unary(expr);
    case ExprKind::power: {
      const Node* a = expression(*expr.operands[0]);
      const Node* b = expression(*expr.operands[1]);
      return a && b ? power(a, b, expr.op == ast::Operator::elementwise_power, expr.span) : nullptr;
    }
    case ExprKind::additive: return additive(expr);
    case ExprKind::multiplicative: return multiplicative(expr);
    case ExprKind::logical_and: return logical(expr, Op::logical_and);
    case ExprKind::logical_or: return logical(expr, Op::logical_or);
    case ExprKind::relation: return relation(expr);
    case ExprKind::range: return range(expr);
    case ExprKind::if_: return if_chain(expr);
    case ExprKind::call: return call(expr);
    case ExprKind::partial_function: return wrong(unsupported, expr.span, {"a function as an argument"});
    case ExprKind::array: return array(expr);
    case ExprKind::comprehension: return comprehension(*expr.operands[0], expr.iterators, expr.span);
    case ExprKind::matrix: return matrix(expr);
    case ExprKind::tuple: return wrong(expected_type, expr.span, {"one value", "a list"});
    case ExprKind::subscripted: {
      const Node* base = expression(*expr.operands[0]);
      return base ? subscripted(base, expr.subscripts, expr.span) : nullptr;
    }
    case ExprKind::member: {
      const Node* base = expression(*expr.operands[0]);
      for (const ast::NamePart& part : expr.reference->parts) {
        if (base) base = member(base, part.identifier, part.span);
        if (base && !part.subscripts.empty()) base = subscripted(base, part.subscripts, part.span);
      }
      return base;
    }
  }
  return nullptr;
}

const Node* Typer::literal(const ast::Expr& expr) {
  if (expr.kind == ExprKind::integer_literal) return nodes().number(static_cast<double>(expr.integer), Basic::integer, expr.span);
  if (expr.kind == ExprKind::real_literal) return nodes().number(expr.number, Basic::real, expr.span);
  if (expr.kind == ExprKind::boolean_literal) return nodes().number(expr.boolean ? 1 : 0, Basic::boolean, expr.span);
  Node node;
  node.kind = NodeKind::text;
  node.basic = Basic::string;
  node.text = std::string(expr.text);
  node.span = expr.span;
  return nodes().add(std::move(node));
}

const Node* Typer::scalar_real(const ast::Expr& expr) {
  const Node* node = expression(expr);
  if (node == nullptr) return nullptr;
  if (!node->dims.empty() || !is_numeric(node->basic)) return wrong(expected_type, expr.span, {"a scalar number", type_text(*node)});
  return node;
}

const Node* Typer::boolean_condition(const ast::Expr& expr) {
  const Node* node = expression(expr);
  if (node == nullptr) return nullptr;
  if (!node->dims.empty() || node->basic != Basic::boolean)
    return wrong(expected_type, expr.span, {"a scalar Boolean", type_text(*node)});
  return node;
}

const Node* Typer::unary(const ast::Expr& expr) {
  const Node* a = expression(*expr.operands[0]);
  if (a == nullptr) return nullptr;
  if (expr.op == ast::Operator::not_) {
    if (a->basic != Basic::boolean) return wrong(operand_type, expr.span, {"not", "Boolean", type_text(*a)});
    return nodes().apply(Op::logical_not, {a}, Basic::boolean, expr.span);
  }
  if (!is_numeric(a->basic)) return wrong(operand_type, expr.span, {"-", "numeric", type_text(*a)});
  bool minus = expr.op == ast::Operator::subtract || expr.op == ast::Operator::elementwise_subtract;
  return minus ? negate(a, expr.span) : a;
}

const Node* Typer::additive(const ast::Expr& expr) {
  const Node* sum = expression(*expr.operands[0]);
  bool good = sum != nullptr;
  for (std::size_t k = 0; k < expr.operators.size(); ++k) {
    const Node* term = expression(*expr.operands[k + 1]);
    good &= term != nullptr;
    if (!good) continue;
    ast::Operator op = expr.operators[k];
    bool elementwise = op == ast::Operator::elementwise_add || op == ast::Operator::elementwise_subtract;
    bool plus = op == ast::Operator::add || op == ast::Operator::elementwise_add;
    sum = add(plus ? Op::add : Op::sub, sum, term, elementwise, cover(expr.operands[0]->span, expr.operands[k + 1]->span));
    good = sum != nullptr;
  }
  return good ? sum : nullptr;
}

const Node* Typer::multiplicative(const ast::Expr& expr) {
  const Node* product = expression(*expr.operands[0]);
  bool good = product != nullptr;
  for (std::size_t k = 0; k < expr.operators.size(); ++k) {
    const Node* factor = expression(*expr.operands[k + 1]);
    good &= factor != nullptr;
    if (!good) continue;
    Span span = cover(expr.operands[0]->span, expr.operands[k + 1]->span);
    ast::Operator op = expr.operators[k];
    bool elementwise = op == ast::Operator::elementwise_multiply || op == ast::Operator::elementwise_divide;
    bool times = op == ast::Operator::multiply || op == ast::Operator::elementwise_multiply;
    product = times ? multiply(product, factor, elementwise, span) : divide(product, factor, elementwise, span);
    good = product != nullptr;
  }
  return good ? product : nullptr;
}

namespace {

/// Whether evaluating this in a function takes more than arithmetic: an element of an array may not be there.
bool reads_elements(const Node& node) {
  auto part = [](const Node* p) { return p != nullptr && reads_elements(*p); };
  return (node.kind == NodeKind::variable && !node.dims.empty()) || node.kind == NodeKind::call ||
         std::any_of(node.children.begin(), node.children.end(), part) || std::any_of(node.subscripts.begin(), node.subscripts.end(), part);
}

}  // namespace

const Node* Typer::combined(Op op, const Node* a, const Node* b, Span span) {
  if (!in_statements || !a->dims.empty() || !reads_elements(*b)) return nodes().apply(op, {a, b}, Basic::boolean, span);
  const Node* decided = nodes().number(op == Op::logical_or ? 1 : 0, Basic::boolean, span);
  return op == Op::logical_and ? nodes().choose(NodeKind::select, a, b, decided, span) : nodes().choose(NodeKind::select, a, decided, b, span);
}

const Node* Typer::logical(const ast::Expr& expr, Op op) {
  const Node* result = nullptr;
  bool good = true;
  for (const ast::Expr* operand : expr.operands) {
    const Node* node = expression(*operand);
    good &= node != nullptr;
    if (!good) continue;
    if (node->basic != Basic::boolean) return wrong(operand_type, operand->span, {op == Op::logical_and ? "and" : "or", "Boolean", type_text(*node)});
    if (result && !same_dims(result, node, "logical operation", expr.span)) return nullptr;
    result = result ? combined(op, result, node, expr.span) : node;
  }
  return good ? result : nullptr;
}

const Node* Typer::string_relation(const ast::Expr& expr) {
  auto value = instance::evaluate(model.tree, expr, scope, model.diagnostics);
  if (!value) return nullptr;
  return nodes().number(value->number(), Basic::boolean, expr.span);
}

const Node* Typer::relation(const ast::Expr& expr) {
  const Node* a = expression(*expr.operands[0]);
  const Node* b = expression(*expr.operands[1]);
  if (!a || !b) return nullptr;
  if (a->basic == Basic::string || b->basic == Basic::string) return string_relation(expr);
  for (const Node* x : {a, b})
    if (!x->dims.empty() || x->basic == Basic::record) return wrong(operand_type, x->span, {syntax::spelling(expr.op), "scalar", type_text(*x)});
  if ((a->basic == Basic::boolean) != (b->basic == Basic::boolean) || (a->basic == Basic::enumeration) != (b->basic == Basic::enumeration))
    return wrong(types_differ, expr.span, {type_text(*a), type_text(*b)});
  Op op = Op::equal;
  switch (expr.op) {
    case ast::Operator::less: op = Op::less; break;
    case ast::Operator::less_equal: op = Op::less_equal; break;
    case ast::Operator::greater: op = Op::greater; break;
    case ast::Operator::greater_equal: op = Op::greater_equal; break;
    case ast::Operator::not_equal: op = Op::not_equal; break;
    default: break;
  }
  return nodes().apply(op, {a, b}, Basic::boolean, expr.span);
}

const Node* Typer::if_chain(const ast::Expr& expr) {
  const Node* value = expression(*expr.operands.back());
  for (std::size_t k = expr.operands.size() - 1; value != nullptr && k >= 2; k -= 2) {
    const Node* condition = boolean_condition(*expr.operands[k - 2]);
    const Node* yes = condition ? expression(*expr.operands[k - 1]) : nullptr;
    value = yes ? if_expression(condition, yes, value, expr.span) : nullptr;
  }
  return value;
}

std::optional<Known> Typer::known(const Node& node) {
  StructuralLeaves leaves(model, frame);
  Lowering lowering(nodes(), model.dag(), model.diagnostics, work, leaves);
  Scalar value = lowering.scalar(node);
  if (value.failed() || !value.is_known()) return {};
  return value.known;
}

std::optional<std::int64_t> Typer::known_integer(const Node* node) {
  if (node == nullptr) return {};
  if (!node->dims.empty() || (node->basic != Basic::integer && node->basic != Basic::enumeration && node->basic != Basic::boolean)) {
    wrong(expected_type, node->span, {"a scalar Integer", type_text(*node)});
    return {};
  }
  auto value = known(*node);
  if (!value) return {};
  if (!value->is_uniform()) {
    work.split = *value;
    return {};
  }
  return static_cast<std::int64_t>(value->uniform());
}

}  // namespace bolza::flatten
