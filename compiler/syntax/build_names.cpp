// SPDX-License-Identifier: Apache-2.0
#include "compiler/syntax/build_internal.h"
#include "compiler/syntax/codes.h"

namespace bolza::syntax {

ast::NamePart Builder::name_part(const SourceToken& token) { return {text(token), span(token), {}}; }

/// Serves `reference` and `typeName`.
const ast::Reference* Builder::reference(RuleNode* node) {
  ast::Reference& r = make<ast::Reference>();
  std::vector<ast::NamePart> parts;
  for (ParseNode* child : node->children) {
    const SourceToken* t = token_of(child);
    if (t == nullptr) parts.back().subscripts = subscripts(static_cast<RuleNode*>(child));
    else if (t->is(Kind::IDENT)) parts.push_back(name_part(*t));
    else if (parts.empty()) r.global = true;
  }
  r.parts = list(parts);
  r.span = span(node);
  return &r;
}

const ast::Reference* Builder::keyword_reference(const SourceToken& word) {
  ast::Reference& r = make<ast::Reference>();
  r.parts = list(std::vector{name_part(word)});
  r.span = span(word);
  return &r;
}

ast::List<ast::Subscript> Builder::subscripts(RuleNode* node) {
  std::vector<ast::Subscript> found;
  for (ParseNode* child : node->children) {
    RuleNode* subscript = as_rule(child, Kind::RuleSubscript);
    if (subscript == nullptr) continue;
    RuleNode* index = first_rule(subscript, Kind::RuleExpr);
    found.push_back({index != nullptr ? expression(index) : nullptr, span(subscript)});
  }
  return list(found);
}

std::string_view Builder::description(RuleNode* node) {
  if (node->children.size() == 1) return string_value(*token_of(node->children[0]));
  std::string joined;
  for (ParseNode* child : node->children)
    if (const SourceToken* t = token_of(child); t->is(Kind::STRING)) joined += string_value(*t);
  return keep(joined);
}

/// Of a `comment`; a null node gives an empty comment.
ast::Comment Builder::comment(RuleNode* node) {
  ast::Comment c;
  if (node == nullptr) return c;
  if (RuleNode* d = first_rule(node, Kind::RuleDescription)) c.description = description(d);
  if (RuleNode* a = first_rule(node, Kind::RuleAnnotation)) c.annotation = annotation(a);
  return c;
}

const ast::Modification* Builder::annotation(RuleNode* node) {
  return class_modification(first_rule(node, Kind::RuleClassModification));
}

const ast::Modification* Builder::class_modification(RuleNode* node, In in) {
  ast::Modification& m = make<ast::Modification>();
  m.arguments = arguments(node, in);
  m.span = span(node);
  return &m;
}

const ast::Modification* Builder::modification(RuleNode* node) {
  ast::Modification& m = make<ast::Modification>();
  m.span = span(node);
  for (ParseNode* child : node->children) {
    if (RuleNode* nested = as_rule(child, Kind::RuleClassModification)) m.arguments = arguments(nested, In::anything);
    if (is_token(child, Kind::ASSIGN)) m.assigned = true;
    if (RuleNode* value = as_rule(child, Kind::RuleModificationValue)) {
      RuleNode* e = first_rule(value, Kind::RuleExpr);
      m.breaks = e == nullptr;
      if (e != nullptr) m.value = expression(e);
    }
  }
  return &m;
}

ast::List<const ast::Argument*> Builder::arguments(RuleNode* node, In in) {
  std::vector<const ast::Argument*> found;
  for (ParseNode* child : node->children)
    if (RuleNode* a = as_rule(child, Kind::RuleArgument)) found.push_back(argument(a, in));
  return list(found);
}

const ast::Argument* Builder::argument(RuleNode* node, In in) {
  ast::Argument& a = make<ast::Argument>();
  a.span = span(node);
  if (is_token(node->children[0], Kind::BREAK)) return break_argument(node, a, in);
  ast::Prefixes prefixes;
  RuleNode* constraint = first_rule(node, Kind::RuleConstrainedBy);
  for (ParseNode* child : node->children) {
    const SourceToken* t = token_of(child);
    auto* rule = t == nullptr ? static_cast<RuleNode*>(child) : nullptr;
    if (rule != nullptr &&
        (rule->getRuleIndex() == Kind::RuleArgumentPrefix || rule->getRuleIndex() == Kind::RuleRedeclarePrefix))
      t = token_of(rule->children[0]);
    if (t != nullptr) {
      element_prefix(*t, prefixes);
      if (t->is(Kind::REDECLARE)) a.kind = ast::ArgumentKind::redeclaration;
      if (t->is(Kind::REPLACEABLE) && a.kind == ast::ArgumentKind::modification) a.kind = ast::ArgumentKind::replaceable;
      continue;
    }
    std::vector<const ast::Element*> elements;
    switch (rule->getRuleIndex()) {
      case Kind::RuleReference:
        a.name = reference(rule);
        break;
      case Kind::RuleModification:
        a.modification = modification(rule);
        break;
      case Kind::RuleDescription:
        a.description = description(rule);
        break;
      case Kind::RuleClassDefinition:
        a.element = class_element(
            class_definition(rule, prefixes, constraint != nullptr ? constrained_by(constraint) : nullptr, a.span), a.span);
        break;
      case Kind::RuleComponentClause1:
        component_clause(rule, prefixes, constraint != nullptr ? constrained_by(constraint) : nullptr, a.span, elements);
        a.element = elements.front();
        break;
      default:
        break;
    }
  }
  a.each = prefixes.each;
  a.final_ = prefixes.final_;
  return &a;
}

/// `break x`, `break connect(a, b)`.
const ast::Argument* Builder::break_argument(RuleNode* node, ast::Argument& a, In in) {
  if (in != In::extends) context_.diagnostics.error(misplaced_break, a.span);
  std::vector<const ast::Expr*> ends = expressions(node);
  a.kind = ends.empty() ? ast::ArgumentKind::break_component : ast::ArgumentKind::break_connect;
  if (ends.empty()) a.name = keyword_reference(*token_of(node->children[1]));
  else {
    a.first = ends[0];
    a.second = ends[1];
  }
  return &a;
}

}  // namespace bolza::syntax
