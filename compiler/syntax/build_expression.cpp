// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "compiler/syntax/build_internal.h"
#include "compiler/syntax/codes.h"

namespace bolza::syntax {

using ast::Expr;
using ast::ExprKind;
using ast::Operator;

namespace {

struct Infix {
  ExprKind kind;
  Operator op;
};

Infix infix_of(std::size_t kind) {
  switch (kind) {
    case Kind::PLUS:
      return {ExprKind::additive, Operator::add};
    case Kind::MINUS:
      return {ExprKind::additive, Operator::subtract};
    case Kind::DOT_PLUS:
      return {ExprKind::additive, Operator::elementwise_add};
    case Kind::DOT_MINUS:
      return {ExprKind::additive, Operator::elementwise_subtract};
    case Kind::STAR:
      return {ExprKind::multiplicative, Operator::multiply};
    case Kind::SLASH:
      return {ExprKind::multiplicative, Operator::divide};
    case Kind::DOT_STAR:
      return {ExprKind::multiplicative, Operator::elementwise_multiply};
    case Kind::DOT_SLASH:
      return {ExprKind::multiplicative, Operator::elementwise_divide};
    case Kind::CARET:
      return {ExprKind::power, Operator::power};
    case Kind::DOT_CARET:
      return {ExprKind::power, Operator::elementwise_power};
    case Kind::LESS:
      return {ExprKind::relation, Operator::less};
    case Kind::LESS_EQUAL:
      return {ExprKind::relation, Operator::less_equal};
    case Kind::GREATER:
      return {ExprKind::relation, Operator::greater};
    case Kind::GREATER_EQUAL:
      return {ExprKind::relation, Operator::greater_equal};
    case Kind::EQUAL:
      return {ExprKind::relation, Operator::equal};
    case Kind::NOT_EQUAL:
      return {ExprKind::relation, Operator::not_equal};
    case Kind::AND:
      return {ExprKind::logical_and, Operator::and_};
    case Kind::OR:
      return {ExprKind::logical_or, Operator::or_};
    default:
      return {ExprKind::range, Operator::add};
  }
}

/// The operator token of `a op b`, null when the node is anything else.
const SourceToken* infix_operator(const RuleNode* node) {
  if (node->children.size() != 3 || token_of(node->children[0]) != nullptr) return nullptr;
  return token_of(node->children[1]);
}

bool is_chained(const RuleNode* node, ExprKind kind) {
  const SourceToken* op = infix_operator(node);
  return op != nullptr && infix_of(op->kind()).kind == kind;
}

/// The operand with which the text of an expression begins.
const Expr* leftmost(const Expr* e) {
  for (;;) {
    bool has_left = e->kind == ExprKind::power || e->kind == ExprKind::additive || e->kind == ExprKind::multiplicative;
    if (!has_left || e->parenthesised) return e;
    e = e->operands[0];
  }
}

}  // namespace

Expr& Builder::make_expression(ExprKind kind, RuleNode* node) {
  Expr& e = make<Expr>();
  e.kind = kind;
  e.span = span(node);
  return e;
}

const Expr* Builder::expression(RuleNode* node) {
  ParseNode* first = node->children[0];
  const SourceToken* t = token_of(first);
  if (t == nullptr) {
    if (const SourceToken* op = infix_operator(node)) return infix(node, *op);
    const ast::Reference* name = reference(static_cast<RuleNode*>(first));
    if (node->children.size() > 1) return call(node, name, rule_at(node, 1));
    Expr& e = make_expression(ExprKind::name, node);
    e.reference = name;
    return &e;
  }
  switch (t->kind()) {
    case Kind::IF:
      return if_expression(node);
    case Kind::LPAREN:
      return parenthesis(node, false);
    case Kind::LBRACK:
      return matrix(node);
    case Kind::LBRACE:
      return braces(node);
    case Kind::DER:
    case Kind::INITIAL:
    case Kind::PURE:
      return call(node, keyword_reference(*t), rule_at(node, 1));
    case Kind::NOT:
    case Kind::PLUS:
    case Kind::MINUS:
    case Kind::DOT_PLUS:
    case Kind::DOT_MINUS:
      return prefixed(node, *t);
    default:
      return literal(node, *t);
  }
}

const Expr* Builder::left_side(RuleNode* node) {
  return is_token(node->children[0], Kind::LPAREN) ? parenthesis(node, true) : expression(node);
}

std::vector<const Expr*> Builder::expressions(RuleNode* node) {
  std::vector<const Expr*> found;
  for (ParseNode* child : node->children)
    if (RuleNode* e = as_rule(child, Kind::RuleExpr)) found.push_back(expression(e));
  return found;
}

// ---------------------------------------------------------------- literals

const Expr* Builder::literal(RuleNode* node, const SourceToken& token) {
  switch (token.kind()) {
    case Kind::UNSIGNED_INTEGER:
      return number(make_expression(ExprKind::integer_literal, node), token);
    case Kind::UNSIGNED_REAL:
      return number(make_expression(ExprKind::real_literal, node), token);
    case Kind::LAST:
      return &make_expression(ExprKind::end, node);
    case Kind::STRING: {
      Expr& e = make_expression(ExprKind::string_literal, node);
      e.text = string_value(token);
      return &e;
    }
    default: {
      Expr& e = make_expression(ExprKind::boolean_literal, node);
      e.boolean = token.is(Kind::TRUE);
      return &e;
    }
  }
}

const Expr* Builder::number(Expr& e, const SourceToken& token) {
  e.text = text(token);
  const char* end = e.text.data() + e.text.size();
  if (e.kind == ExprKind::integer_literal && std::from_chars(e.text.data(), end, e.integer).ec != std::errc()) {
    warn(large_integer, e.span, {excerpt(e.span)});
    e.kind = ExprKind::real_literal;
  }
  if (std::from_chars(e.text.data(), end, e.number).ec != std::errc())
    e.number = std::strtod(std::string(e.text).c_str(), nullptr);
  if (std::isinf(e.number)) context_.diagnostics.error(number_too_large, e.span, {excerpt(e.span)});
  return &e;
}

std::string_view Builder::string_value(const SourceToken& token) {
  std::string_view inside = text(token).substr(1, token.end - token.begin - 2);
  if (inside.find('\\') == std::string_view::npos) return inside;
  constexpr std::string_view names = "'\"?\\abfnrtv", values = "'\"?\\\a\b\f\n\r\t\v";
  std::string value;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] != '\\') {
      value += inside[i];
      continue;
    }
    std::size_t known = names.find(inside[++i]);
    value += known == std::string_view::npos ? inside[i] : values[known];
    auto at = static_cast<std::uint32_t>(token.begin + i);
    if (known == std::string_view::npos) warn(unknown_escape, {context_.file, at, at + 2}, {inside.substr(i - 1, 2)});
  }
  return keep(value);
}

// ---------------------------------------------------------------- operators

/// An operand, with the warnings and errors about what Modelica wants in parentheses.
const Expr* Builder::operand(RuleNode* node, bool after_operator) {
  return checked_operand(expression(node), after_operator);
}

const Expr* Builder::checked_operand(const Expr* e, bool after_operator) {
  if (e->parenthesised) return e;
  if (e->kind == ExprKind::if_) context_.diagnostics.error(loose_if, e->span);
  if (!after_operator) return e;
  const Expr* first = leftmost(e);
  if (first->kind == ExprKind::unary && !first->parenthesised) {
    Span sign{first->span.file, first->span.begin, first->span.begin + (first->op == Operator::not_ ? 3u : 1u)};
    if (first->op == Operator::not_) warn(not_in_sum, sign);
    else warn(sign_after_operator, sign, {context_.sources.text(sign)});
  }
  return e;
}

const Expr* Builder::prefixed(RuleNode* node, const SourceToken& op) {
  Expr& e = make_expression(ExprKind::unary, node);
  e.op = op.is(Kind::NOT) ? Operator::not_ : infix_of(op.kind()).op;
  const Expr* inner = operand(rule_at(node, 1), e.op != Operator::not_);
  e.operands = list(std::vector{inner});
  return &e;
}

const Expr* Builder::infix(RuleNode* node, const SourceToken& op) {
  ExprKind kind = infix_of(op.kind()).kind;
  if (kind == ExprKind::relation || kind == ExprKind::power) return relation_or_power(node, op);
  return chain(node, kind);
}

/// Walks down the left spine, which may be tens of thousands of nodes deep.
const Expr* Builder::chain(RuleNode* node, ExprKind kind) {
  Expr& e = make_expression(kind, node);
  std::vector<RuleNode*> right_to_left;
  std::vector<Operator> operators;
  RuleNode* at = node;
  for (; is_chained(at, kind); at = rule_at(at, 0)) {
    right_to_left.push_back(rule_at(at, 2));
    operators.push_back(infix_of(token_of(at->children[1])->kind()).op);
  }
  right_to_left.push_back(at);
  std::reverse(operators.begin(), operators.end());
  bool arithmetic = kind == ExprKind::additive || kind == ExprKind::multiplicative;
  std::vector<const Expr*> operands;
  operands.reserve(right_to_left.size());
  for (auto i = right_to_left.rbegin(); i != right_to_left.rend(); ++i)
    operands.push_back(operand(*i, arithmetic && i != right_to_left.rbegin()));
  if (kind == ExprKind::range && operands.size() > 3) context_.diagnostics.error(range_chain, e.span);
  e.operands = list(operands);
  if (arithmetic) e.operators = list(operators);
  return &e;
}

const Expr* Builder::relation_or_power(RuleNode* node, const SourceToken& op) {
  auto [kind, spelled] = infix_of(op.kind());
  Expr& e = make_expression(kind, node);
  e.op = spelled;
  if (is_chained(rule_at(node, 0), kind)) {  // not followed further: a chain may be long
    RuleNode* left = rule_at(node, 0);
    if (kind == ExprKind::power) {
      context_.diagnostics.error(power_chain, span(op));
    } else {
      std::string shared = excerpt(span(rule_at(left, 2)));
      std::string second = shared + " " + std::string(text(op)) + " " + excerpt(span(rule_at(node, 2)));
      context_.diagnostics.error(relation_chain, e.span, {excerpt(span(left)), second});
    }
    const Expr* right = expression(rule_at(node, 2));
    e.operands = list(std::vector{right, right});
    return &e;
  }
  const Expr* left = operand(rule_at(node, 0), false);
  if (left->kind == ExprKind::unary && left->op == Operator::not_ && !left->parenthesised) warn(not_in_sum, left->span);
  const Expr* right = operand(rule_at(node, 2), kind == ExprKind::power);
  if (kind == ExprKind::relation && right->kind == ExprKind::unary && right->op == Operator::not_ && !right->parenthesised)
    warn(not_in_sum, right->span);
  e.operands = list(std::vector{left, right});
  return &e;
}

const Expr* Builder::if_expression(RuleNode* node) {
  Expr& e = make_expression(ExprKind::if_, node);
  e.operands = list(expressions(node));
  return &e;
}

// ---------------------------------------------------------------- brackets

const Expr* Builder::parenthesis(RuleNode* node, bool list_allowed) {
  RuleNode* inside = rule_at(node, 1);
  RuleNode* after_subscripts = first_rule(node, Kind::RuleSubscripts);
  RuleNode* after_dot = first_rule(node, Kind::RuleReference);
  bool alone = after_subscripts == nullptr && after_dot == nullptr;
  std::vector<const Expr*> items;
  bool awaited = true;  // an expression: after `(` and after each comma
  for (ParseNode* child : inside->children) {
    if (token_of(child) != nullptr) {
      if (awaited) items.push_back(nullptr);
      awaited = true;
    } else {
      items.push_back(expression(static_cast<RuleNode*>(child)));
      awaited = false;
    }
  }
  if (awaited && !inside->children.empty()) items.push_back(nullptr);
  const Expr* base = nullptr;
  if (items.size() == 1) {
    auto* e = const_cast<Expr*>(items[0]);
    e->parenthesised = true;
    base = e;
  } else {
    Expr& e = make_expression(ExprKind::tuple, node);
    e.operands = list(items);
    if (!list_allowed || !alone) context_.diagnostics.error(misplaced_list, e.span);
    base = &e;
  }
  if (after_subscripts != nullptr) {
    Expr& e = make_expression(ExprKind::subscripted, node);
    if (after_dot != nullptr) e.span = cover(base->span, span(after_subscripts));
    e.operands = list(std::vector{base});
    e.subscripts = subscripts(after_subscripts);
    base = &e;
  }
  if (after_dot == nullptr) return base;
  Expr& e = make_expression(ExprKind::member, node);
  e.operands = list(std::vector{base});
  e.reference = reference(after_dot);
  return &e;
}

const Expr* Builder::matrix(RuleNode* node) {
  Expr& e = make_expression(ExprKind::matrix, node);
  std::vector<ast::List<const Expr*>> rows;
  for (ParseNode* child : node->children)
    if (RuleNode* row = as_rule(child, Kind::RuleRow)) rows.push_back(list(expressions(row)));
  e.rows = list(rows);
  return &e;
}

const Expr* Builder::braces(RuleNode* node) {
  RuleNode* over = first_rule(node, Kind::RuleIterators);
  Expr& e = make_expression(over != nullptr ? ExprKind::comprehension : ExprKind::array, node);
  e.operands = list(expressions(node));
  if (over != nullptr) e.iterators = iterators(over);
  return &e;
}

ast::List<ast::Iterator> Builder::iterators(RuleNode* node) {
  std::vector<ast::Iterator> found;
  for (ParseNode* child : node->children) {
    RuleNode* iterator = as_rule(child, Kind::RuleIterator);
    if (iterator == nullptr) continue;
    const SourceToken& name = *token_of(iterator->children[0]);
    RuleNode* range = first_rule(iterator, Kind::RuleExpr);
    found.push_back({text(name), span(name), range != nullptr ? expression(range) : nullptr});
  }
  return list(found);
}

// ---------------------------------------------------------------- calls

const Expr* Builder::call(RuleNode* node, const ast::Reference* callee, RuleNode* arguments) {
  Expr& e = make_expression(ExprKind::call, node);
  e.reference = callee;
  e.arguments = call_arguments(arguments);
  return &e;
}

const ast::Arguments* Builder::call_arguments(RuleNode* node) {
  ast::Arguments& a = make<ast::Arguments>();
  a.span = span(node);
  std::vector<const Expr*> positional;
  std::vector<ast::NamedArgument> named;
  for (ParseNode* child : node->children) {
    if (RuleNode* over = as_rule(child, Kind::RuleIterators)) a.iterators = iterators(over);
    RuleNode* argument = as_rule(child, Kind::RuleCallArgument);
    if (argument == nullptr) continue;
    const Expr* value = nullptr;
    if (RuleNode* e = first_rule(argument, Kind::RuleExpr)) {
      value = expression(e);
    } else {
      Expr& partial = make_expression(ExprKind::partial_function, argument);
      partial.reference = reference(first_rule(argument, Kind::RuleTypeName));
      partial.arguments = call_arguments(first_rule(argument, Kind::RuleCallArguments));
      if (!partial.arguments->positional.empty())
        context_.diagnostics.error(partial_arguments, partial.arguments->span, {excerpt(partial.reference->span)});
      value = &partial;
    }
    if (const SourceToken* name = token_of(argument->children[0]); name != nullptr && name->is(Kind::IDENT)) {
      named.push_back({text(*name), span(*name), value});
    } else {
      if (!named.empty()) context_.diagnostics.error(argument_order, value->span);
      positional.push_back(value);
    }
  }
  if (!a.iterators.empty() && positional.size() != 1) context_.diagnostics.error(bad_iterators, a.span);
  a.positional = list(positional);
  a.named = list(named);
  return &a;
}

}  // namespace bolza::syntax
