// SPDX-License-Identifier: Apache-2.0
#include "compiler/syntax/build_internal.h"
#include "compiler/syntax/codes.h"

namespace bolza::syntax {

using ast::Expr;
using ast::ExprKind;

namespace {

bool begins_branch(std::size_t kind) {
  return kind == Kind::BLOCK_IF || kind == Kind::ELSEIF || kind == Kind::WHEN || kind == Kind::ELSEWHEN ||
         kind == Kind::ELSE;
}

}  // namespace

/// The shared shape of if, when, for and while: fills branches, or iterators and body.
template <class Item, class Build>
void Builder::blocks(RuleNode* node, Item& item, std::size_t body_rule, Build build) {
  std::vector<ast::Branch<Item>> branches;
  const Expr* condition = nullptr;
  Span begin;
  bool branching = is_token(node->children[0], Kind::BLOCK_IF) || is_token(node->children[0], Kind::WHEN);
  for (ParseNode* child : node->children) {
    if (const SourceToken* t = token_of(child)) {
      if (begins_branch(t->kind())) {
        begin = span(*t);
        condition = nullptr;
      }
      continue;
    }
    auto* rule = static_cast<RuleNode*>(child);
    if (rule->getRuleIndex() == Kind::RuleExpr) condition = expression(rule);
    if (rule->getRuleIndex() == Kind::RuleIterators) item.iterators = iterators(rule);
    if (rule->getRuleIndex() != body_rule) continue;
    std::vector<const Item*> body;
    for (ParseNode* part : rule->children)
      if (token_of(part) == nullptr) body.push_back(build(static_cast<RuleNode*>(part)));
    if (branching) branches.push_back({condition, list(body), body.empty() ? begin : cover(begin, body.back()->span)});
    else item.body = list(body);
  }
  item.branches = list(branches);
  if constexpr (std::is_same_v<Item, ast::Statement>)
    if (!branching) item.value = condition;  // of `while`
}

/// After `indomain`; null when that was not written.
const ast::Reference* Builder::domain_of(RuleNode* node) {
  RuleNode* where = first_rule(node, Kind::RuleInDomain);
  return where != nullptr ? reference(first_rule(where, Kind::RuleReference)) : nullptr;
}

// ---------------------------------------------------------------- equations

const ast::Equation* Builder::equation(RuleNode* node) {
  ast::Equation& e = make<ast::Equation>();
  e.span = span(node);
  const SourceToken* t = token_of(node->children[0]);
  auto build = [this](RuleNode* n) { return equation(n); };
  switch (t != nullptr ? t->kind() : 0) {
    case Kind::BLOCK_IF:
      e.kind = ast::EquationKind::if_;
      break;
    case Kind::WHEN:
      e.kind = ast::EquationKind::when;
      break;
    case Kind::FOR:
      e.kind = ast::EquationKind::for_;
      break;
    case Kind::CONNECT:
      e.kind = ast::EquationKind::connect;
      break;
    default:
      break;
  }
  if (e.kind == ast::EquationKind::equality) {
    simple_equation(node, e);
  } else if (e.kind == ast::EquationKind::connect) {
    std::vector<const Expr*> ends = expressions(node);
    e.left = ends[0];
    e.right = ends[1];
  } else {
    blocks(node, e, Kind::RuleEquationBody, build);
  }
  e.domain = domain_of(node);
  e.comment = comment(first_rule(node, Kind::RuleComment));
  return &e;
}

namespace {

/// For what is a relation and no equation; a chain of relations is read in constraints alone.
std::vector<Note> note_on_relation(const RuleNode* node) {
  const SourceToken* sign = node->children.size() == 3 ? token_of(node->children[1]) : nullptr;
  if (sign == nullptr || token_of(node->children[0]) != nullptr) return {};
  switch (sign->kind()) {
    case Kind::EQUAL:
      return {{{}, "an equation is written with a single `=`"}};
    case Kind::LESS:
    case Kind::LESS_EQUAL:
    case Kind::GREATER:
    case Kind::GREATER_EQUAL:
      return {
          {{},
           "what has to hold in an optimum belongs into the section `constraint` of an `optimization` class; bounds of a "
           "variable are `Real x(min = 0, max = 2)`"}};
    default:
      return {};
  }
}

}  // namespace

void Builder::simple_equation(RuleNode* node, ast::Equation& e) {
  const SourceToken* sign = node->children.size() > 1 ? token_of(node->children[1]) : nullptr;
  if (sign != nullptr) {
    if (sign->is(Kind::ASSIGN)) context_.diagnostics.error(assignment_in_equation, span(*sign));
    e.left = left_side(rule_at(node, 0));
    checked_operand(e.left, false);
    e.right = expression(rule_at(node, 2));
    return;
  }
  e.kind = ast::EquationKind::call;
  RuleNode* written = rule_at(node, 0);
  if (std::vector<Note> remedy = note_on_relation(written); !remedy.empty()) {
    context_.diagnostics.error(not_an_equation, span(written), {excerpt(span(written)), "an equation"}, std::move(remedy));
    e.left = &make_expression(ExprKind::boolean_literal, written);
    return;
  }
  e.left = expression(written);
  if (e.left->kind == ExprKind::call) return;
  std::vector<Note> remedy;
  context_.diagnostics.error(not_an_equation, e.left->span, {excerpt(e.left->span), "an equation"}, std::move(remedy));
}

// ---------------------------------------------------------------- statements

const ast::Statement* Builder::statement(RuleNode* node) {
  ast::Statement& s = make<ast::Statement>();
  s.span = span(node);
  const SourceToken* t = token_of(node->children[0]);
  auto build = [this](RuleNode* n) { return statement(n); };
  switch (t != nullptr ? t->kind() : 0) {
    case Kind::BLOCK_IF:
      s.kind = ast::StatementKind::if_;
      break;
    case Kind::WHEN:
      s.kind = ast::StatementKind::when;
      break;
    case Kind::FOR:
      s.kind = ast::StatementKind::for_;
      break;
    case Kind::WHILE:
      s.kind = ast::StatementKind::while_;
      break;
    case Kind::BREAK:
      s.kind = ast::StatementKind::break_;
      break;
    case Kind::RETURN:
      s.kind = ast::StatementKind::return_;
      break;
    default:
      break;
  }
  if (s.kind == ast::StatementKind::assign) simple_statement(node, s);
  else if (s.kind != ast::StatementKind::break_ && s.kind != ast::StatementKind::return_)
    blocks(node, s, Kind::RuleStatementBody, build);
  s.comment = comment(first_rule(node, Kind::RuleComment));
  return &s;
}

void Builder::simple_statement(RuleNode* node, ast::Statement& s) {
  const SourceToken* sign = node->children.size() > 1 ? token_of(node->children[1]) : nullptr;
  if (sign == nullptr) {
    s.kind = ast::StatementKind::call;
    s.value = expression(rule_at(node, 0));
    if (s.value->kind != ExprKind::call)
      context_.diagnostics.error(not_an_equation, s.value->span, {excerpt(s.value->span), "a statement"});
    return;
  }
  s.target = left_side(rule_at(node, 0));
  s.value = expression(rule_at(node, 2));
  if (sign->is(Kind::EQUALS)) {
    context_.diagnostics.error(equation_in_algorithm, span(*sign));
    return;
  }
  bool single_in_list = s.target->kind == ExprKind::name && s.target->parenthesised;  // (a) := f(x)
  if (s.target->kind == ExprKind::tuple || single_in_list) s.kind = ast::StatementKind::multi_assign;
  if (single_in_list) {
    Expr& list_of_one = make_expression(ExprKind::tuple, rule_at(node, 0));
    list_of_one.operands = list(std::vector{s.target});
    s.target = &list_of_one;
  }
  bool good =
      s.kind == ast::StatementKind::multi_assign ? s.value->kind == ExprKind::call : s.target->kind == ExprKind::name;
  if (!good) context_.diagnostics.error(bad_target, s.target->span, {excerpt(s.target->span)});
}

// ---------------------------------------------------------------- constraints

const ast::Constraint* Builder::constraint(RuleNode* node) {
  ast::Constraint& c = make<ast::Constraint>();
  c.span = span(node);
  const SourceToken* t = token_of(node->children[0]);
  auto build = [this](RuleNode* n) { return constraint(n); };
  switch (t != nullptr ? t->kind() : 0) {
    case Kind::BLOCK_IF:
      c.kind = ast::ConstraintKind::if_;
      break;
    case Kind::FOR:
      c.kind = ast::ConstraintKind::for_;
      break;
    default:
      break;
  }
  if (c.kind == ast::ConstraintKind::relation) simple_constraint(node, c);
  else blocks(node, c, Kind::RuleConstraintBody, build);
  c.domain = domain_of(node);
  c.comment = comment(first_rule(node, Kind::RuleComment));
  return &c;
}

namespace {

/// One operand or comparison sign of a constraint, from left to right.
struct Part {
  RuleNode* operand;
  const SourceToken* sign;
};

const SourceToken* sign_between(const RuleNode* node) {
  if (node->children.size() != 3 || token_of(node->children[0]) != nullptr) return nullptr;
  return token_of(node->children[1]);
}

bool compares(std::size_t k) {
  return k == Kind::LESS || k == Kind::LESS_EQUAL || k == Kind::GREATER || k == Kind::GREATER_EQUAL || k == Kind::EQUAL ||
         k == Kind::EQUALS;
}

ast::ConstraintRelation relation_of(std::size_t k) {
  switch (k) {
    case Kind::LESS:
      return ast::ConstraintRelation::less;
    case Kind::LESS_EQUAL:
      return ast::ConstraintRelation::less_equal;
    case Kind::GREATER:
      return ast::ConstraintRelation::greater;
    case Kind::GREATER_EQUAL:
      return ast::ConstraintRelation::greater_equal;
    default:
      return ast::ConstraintRelation::equal;
  }
}

/// `a <= b <= c` is a left spine of relations.
void flatten_relations(RuleNode* node, std::vector<Part>& into) {
  std::vector<Part> reversed;
  for (;;) {
    const SourceToken* sign = sign_between(node);
    if (sign == nullptr || !compares(sign->kind())) break;
    reversed.push_back({rule_at(node, 2), sign});
    node = rule_at(node, 0);
  }
  into.push_back({node, nullptr});
  into.insert(into.end(), reversed.rbegin(), reversed.rend());
}

}  // namespace

void Builder::simple_constraint(RuleNode* node, ast::Constraint& c) {
  std::vector<Part> parts;
  const SourceToken* equals = nullptr;
  for (ParseNode* child : node->children) {
    if (const SourceToken* t = token_of(child)) {
      equals = t;
      continue;
    }
    auto* e = as_rule(child, Kind::RuleExpr);
    if (e == nullptr) continue;
    const SourceToken* colon = sign_between(e);  // label: relation
    if (parts.empty() && colon != nullptr && colon->is(Kind::COLON) && rule_at(e, 0)->start == rule_at(e, 0)->stop &&
        static_cast<SourceToken*>(e->start)->is(Kind::IDENT)) {
      c.name = text(*static_cast<SourceToken*>(e->start));
      e = rule_at(e, 2);
    }
    std::size_t first = parts.size();
    flatten_relations(e, parts);
    parts[first].sign = equals;
  }
  std::vector<const Expr*> operands;
  std::vector<ast::ConstraintRelation> relations;
  for (const Part& part : parts) {
    operands.push_back(operand(part.operand, false));
    if (part.sign != nullptr) relations.push_back(relation_of(part.sign->kind()));
  }
  bool states_rule = operands.size() == 1 && ast::switching_call(*operands[0]) != ast::SwitchingCall::none;
  if (relations.empty() && !states_rule) context_.diagnostics.error(not_a_constraint, c.span, {excerpt(c.span)});
  c.operands = list(operands);
  c.relations = list(relations);
}

}  // namespace bolza::syntax
