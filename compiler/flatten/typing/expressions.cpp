#include "compiler/flatten/typing/typer_internal.h"

#include <algorithm>

#include "base/expects.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/instance/codes.h"
#include "compiler/syntax/print.h"

namespace bolza::flatten {

using ast::ExprKind;
using ir::Op;

const Node* Typer::wrong(const Code& code, Span span, Diagnostics::Arguments arguments) {
  model.diagnostics.error(code, span, arguments);
  return nullptr;
}

Failure Typer::failure() const {
  if (auto again = work.again()) return *again;
  if (frame != nullptr && !frame->asked.empty()) return frame->ask_again();
  return model.diagnostics.already_reported();
}

const Node* Typer::expression(const ast::Expr& expr) {
  if (work.split) return nullptr;
  switch (expr.kind) {
    case ExprKind::integer_literal:
    case ExprKind::real_literal:
    case ExprKind::string_literal:
    case ExprKind::boolean_literal:
      return literal(expr);
    case ExprKind::end:
      if (ends.empty()) return wrong(instance::codes::depends_on_variable, expr.span, {"end", "is used outside subscripts"});
      return nodes().number(static_cast<double>(ends.back()), Basic::integer, expr.span);
    case ExprKind::name:
      return name(*expr.reference, expr.span);
    case ExprKind::unary:
      return unary(expr);
    case ExprKind::power: {
      const Node* a = expression(*expr.operands[0]);
      const Node* b = expression(*expr.operands[1]);
      return a && b ? power(a, b, expr.op == ast::Operator::elementwise_power, expr.span) : nullptr;
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

const Node* Typer::scalar_real(const ast::Expr& expr) {
  const Node* node = expression(expr);
  if (node == nullptr) return nullptr;
  if (!node->dims.empty() || !is_numeric(node->basic))
    return wrong(expected_type, expr.span, {"a scalar number", type_text(*node)});
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

bool Typer::all_operands(const ast::Expr& expr, std::vector<const Node*>& out) {
  bool good = true;
  for (const ast::Expr* operand : expr.operands) {
    out.push_back(expression(*operand));
    good &= out.back() != nullptr;
  }
  return good;
}

namespace {

/// Chains longer than this become balanced trees, so that no text makes trees deeper than the stack.
constexpr std::size_t longest_left_deep_chain = 64;
/// Products and conditions are not rearranged.
constexpr std::size_t longest_product = 1000;

}  // namespace

const Node* Typer::additive(const ast::Expr& expr) {
  std::vector<const Node*> terms;
  return all_operands(expr, terms) ? sum_of_terms(expr, terms, 0, terms.size(), false) : nullptr;
}

/// Terms first … last - 1, all signs but the first one's turned round when `flipped`.
const Node* Typer::sum_of_terms(const ast::Expr& expr, const std::vector<const Node*>& terms, std::size_t first,
                                std::size_t last, bool flipped) {
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
    const Node* left = sum_of_terms(expr, terms, first, middle, flipped);
    const Node* right = left ? sum_of_terms(expr, terms, middle, last, is_minus(middle)) : nullptr;
    return right ? join(left, right, middle, first) : nullptr;
  }
  const Node* sum = terms[first];
  for (std::size_t k = first + 1; k < last && sum; ++k) sum = join(sum, terms[k], k, first);
  return sum;
}

const Node* Typer::multiplicative(const ast::Expr& expr) {
  std::vector<const Node*> factors;
  if (!all_operands(expr, factors)) return nullptr;
  const Node* product = factors[0];
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

const Node* Typer::logical(const ast::Expr& expr, Op op) {
  const Node* result = nullptr;
  bool good = true;
  std::size_t count = 0;
  for (const ast::Expr* operand : expr.operands) {
    const Node* node = expression(*operand);
    good &= node != nullptr;
    if (!good) continue;
    if (node->basic != Basic::boolean)
      return wrong(operand_type, operand->span, {op == Op::logical_and ? "and" : "or", "Boolean", type_text(*node)});
    if (result && !same_dims(result, node, "logical operation", expr.span)) return nullptr;
    result = result ? combined(op, result, node, expr.span) : node;
    if (++count > longest_product) return wrong(chain_too_long, expr.span, {std::to_string(longest_product)});
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

const Node* Typer::if_chain(const ast::Expr& expr) {
  if (expr.operands.size() > 2 * longest_product) return wrong(chain_too_long, expr.span, {std::to_string(longest_product)});
  const Node* value = expression(*expr.operands.back());
  for (std::size_t k = expr.operands.size() - 1; value != nullptr && k >= 2; k -= 2) {
    const Node* condition = boolean_condition(*expr.operands[k - 2]);
    const Node* yes = condition ? expression(*expr.operands[k - 1]) : nullptr;
    value = yes ? if_expression(condition, yes, value, expr.span) : nullptr;
  }
  return value;
}

}  // namespace bolza::flatten
