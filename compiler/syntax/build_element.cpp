// SPDX-License-Identifier: Apache-2.0
#include "compiler/syntax/build_internal.h"
#include "compiler/syntax/codes.h"

namespace bolza::syntax {

bool Builder::element_prefix(const SourceToken& token, ast::Prefixes& p) {
  bool* flag = nullptr;
  switch (token.kind()) {
    case Kind::REDECLARE:
      flag = &p.redeclare;
      break;
    case Kind::FINAL:
      flag = &p.final_;
      break;
    case Kind::INNER:
      flag = &p.inner;
      break;
    case Kind::OUTER:
      flag = &p.outer;
      break;
    case Kind::REPLACEABLE:
      flag = &p.replaceable;
      break;
    case Kind::EACH:
      flag = &p.each;
      break;
    default:
      return false;
  }
  if (*flag) context_.diagnostics.error(prefix_clash, span(token), {text(token), text(token)});
  *flag = true;
  return true;
}

const ast::Element* Builder::class_element(const ast::Class* c, Span span) {
  ast::Element& e = make<ast::Element>();
  e.kind = ast::ElementKind::class_;
  e.class_ = c;
  e.span = span;
  return &e;
}

/// One element of the grammar; a component clause gives several of the AST.
void Builder::element(RuleNode* node, bool is_protected, std::vector<const ast::Element*>& into) {
  ast::Prefixes prefixes;
  prefixes.protected_ = is_protected;
  RuleNode* constraint = first_rule(node, Kind::RuleConstrainedBy);
  for (ParseNode* child : node->children) {
    auto* rule = static_cast<RuleNode*>(child);  // an element has no tokens of its own
    ast::Element& e = make<ast::Element>();
    e.span = span(node);
    switch (rule->getRuleIndex()) {
      case Kind::RuleElementPrefix:
        element_prefix(*token_of(rule->children[0]), prefixes);
        break;
      case Kind::RuleImportClause:
        e.kind = ast::ElementKind::import_;
        e.import_ = import_clause(rule);
        into.push_back(&e);
        break;
      case Kind::RuleExtendsClause:
        e.kind = ast::ElementKind::extends;
        e.extends = extends_clause(rule, is_protected);
        into.push_back(&e);
        break;
      case Kind::RuleClassDefinition:
        into.push_back(class_element(
            class_definition(rule, prefixes, constraint != nullptr ? constrained_by(constraint) : nullptr, span(node)),
            e.span));
        break;
      case Kind::RuleComponentClause:
        component_clause(rule, prefixes, constraint != nullptr ? constrained_by(constraint) : nullptr, e.span, into);
        break;
      default:
        break;
    }
  }
}

const ast::Import* Builder::import_clause(RuleNode* node) {
  ast::Import& i = make<ast::Import>();
  i.span = span(node);
  std::vector<ast::NamePart> members;
  for (ParseNode* child : node->children) {
    const SourceToken* t = token_of(child);
    if (t == nullptr) {
      auto* rule = static_cast<RuleNode*>(child);
      if (rule->getRuleIndex() == Kind::RuleTypeName) i.name = reference(rule);
    } else if (t->is(Kind::DOT_STAR)) {
      i.kind = ast::ImportKind::unqualified;
    } else if (t->is(Kind::LBRACE)) {
      i.kind = ast::ImportKind::several;
    } else if (t->is(Kind::IDENT) && i.name == nullptr) {
      i.kind = ast::ImportKind::renaming;
      i.alias = text(*t);
    } else if (t->is(Kind::IDENT)) {
      members.push_back(name_part(*t));
    }
  }
  i.members = list(members);
  i.comment = comment(first_rule(node, Kind::RuleComment));
  return &i;
}

const ast::Extends* Builder::extends_clause(RuleNode* node, bool is_protected) {
  ast::Extends& e = make<ast::Extends>();
  e.span = span(node);
  e.protected_ = is_protected;
  e.type = reference(first_rule(node, Kind::RuleTypeName));
  if (RuleNode* m = first_rule(node, Kind::RuleClassModification)) e.modification = class_modification(m, In::extends);
  if (RuleNode* a = first_rule(node, Kind::RuleAnnotation)) e.annotation = annotation(a);
  return &e;
}

const ast::ConstrainedBy* Builder::constrained_by(RuleNode* node) {
  ast::ConstrainedBy& c = make<ast::ConstrainedBy>();
  c.span = span(node);
  c.type = reference(first_rule(node, Kind::RuleTypeName));
  if (RuleNode* m = first_rule(node, Kind::RuleClassModification)) c.modification = class_modification(m);
  c.comment = comment(first_rule(node, Kind::RuleComment));
  return &c;
}

const ast::Element* Builder::objective(RuleNode* node) {
  ast::Objective& o = make<ast::Objective>();
  o.span = span(node);
  o.maximize = is_token(node->children[0], Kind::MAXIMIZE);
  if (const SourceToken* name = token_of(node->children[1])) {
    o.name = text(*name);
    o.name_span = span(*name);
  }
  o.expression = expression(first_rule(node, Kind::RuleExpr));
  o.comment = comment(first_rule(node, Kind::RuleComment));
  ast::Element& e = make<ast::Element>();
  e.kind = ast::ElementKind::objective;
  e.objective = &o;
  e.span = o.span;
  return &e;
}

// ---------------------------------------------------------------- components

/// `last` is the prefix that was read before, "" after a clash.
void Builder::component_prefix(const SourceToken& token, ast::Component& c, std::string_view& last) {
  bool clash = false;
  auto set = [&](auto& field, auto value) {
    clash = field != decltype(value){};
    field = value;
  };
  switch (token.kind()) {
    case Kind::FLOW:
      set(c.connection, ast::Connection::flow);
      break;
    case Kind::STREAM:
      set(c.connection, ast::Connection::stream);
      break;
    case Kind::DISCRETE:
      set(c.variability, ast::Variability::discrete);
      break;
    case Kind::PARAMETER:
      set(c.variability, ast::Variability::parameter);
      break;
    case Kind::CONSTANT:
      set(c.variability, ast::Variability::constant);
      break;
    case Kind::FIELD:
      clash = c.field;
      c.field = true;
      break;
    case Kind::INPUT:
      set(c.causality, ast::Causality::input);
      break;
    default:
      set(c.causality, ast::Causality::output);
      break;
  }
  if (clash && !last.empty()) context_.diagnostics.error(prefix_clash, span(token), {text(token), last});
  last = clash ? std::string_view{} : text(token);  // one message per clause
}

/// Serves `componentClause` and `componentClause1`.
void Builder::component_clause(RuleNode* node, const ast::Prefixes& prefixes, const ast::ConstrainedBy* constraint,
                               Span clause, std::vector<const ast::Element*>& into) {
  ast::Component shared;
  shared.prefixes = prefixes;
  shared.constrained_by = constraint;
  shared.clause = clause;
  std::string_view last;
  for (ParseNode* child : node->children) {
    if (token_of(child) != nullptr) continue;
    auto* rule = static_cast<RuleNode*>(child);
    switch (rule->getRuleIndex()) {
      case Kind::RuleComponentPrefix:
        component_prefix(*token_of(rule->children[0]), shared, last);
        break;
      case Kind::RuleTypeName:
        shared.type = reference(rule);
        break;
      case Kind::RuleSubscripts:
        shared.type_dimensions = subscripts(rule);
        break;
      default: {
        ast::Element& e = make<ast::Element>();
        e.kind = ast::ElementKind::component;
        e.component = component(rule, shared);
        e.span = clause;
        into.push_back(&e);
      }
    }
  }
}

const ast::Component* Builder::component(RuleNode* node, ast::Component shared) {
  ast::Component& c = make<ast::Component>();
  c = shared;
  c.span = span(node);
  for (ParseNode* child : node->children) {
    if (const SourceToken* t = token_of(child)) {
      if (t->is(Kind::IDENT)) {
        c.name = text(*t);
        c.name_span = span(*t);
      }
      continue;
    }
    auto* rule = static_cast<RuleNode*>(child);
    switch (rule->getRuleIndex()) {
      case Kind::RuleSubscripts:
        c.dimensions = subscripts(rule);
        break;
      case Kind::RuleModification:
        c.modification = modification(rule);
        break;
      case Kind::RuleExpr:
        c.condition = expression(rule);
        break;
      case Kind::RuleComment:
        c.comment = comment(rule);
        break;
      default:
        break;
    }
  }
  if (c.constrained_by != nullptr && !c.comment.description.empty() && !c.constrained_by->comment.description.empty())
    context_.diagnostics.error(two_descriptions, c.constrained_by->span, {}, {{c.span, "the first one is here"}});
  return &c;
}

}  // namespace bolza::syntax
