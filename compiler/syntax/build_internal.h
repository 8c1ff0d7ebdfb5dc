// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

#include "compiler/syntax/ast.h"
#include "compiler/syntax/tokens_internal.h"

namespace bolza::syntax {

/// The tree of the parser to the abstract syntax tree. Reports what the grammar reads although the language forbids it.
Result<std::unique_ptr<ast::StoredFile>> build(Kind::StoredDefinitionContext& tree, const Tokens& tokens,
                                               const Context& context);

using ParseNode = antlr4::tree::ParseTree;
using RuleNode = antlr4::ParserRuleContext;

/// The token of a leaf, null for a rule.
inline const SourceToken* token_of(const ParseNode* node) {
  if (typeid(*node) != typeid(antlr4::tree::TerminalNodeImpl)) return nullptr;
  auto* leaf = static_cast<antlr4::tree::TerminalNode*>(const_cast<ParseNode*>(node));
  return static_cast<const SourceToken*>(leaf->getSymbol());
}
inline bool is_token(const ParseNode* node, std::size_t kind) {
  const SourceToken* t = token_of(node);
  return t != nullptr && t->is(kind);
}
/// The node as a rule of index `rule` (Kind::RuleExpr …), null when it is anything else.
inline RuleNode* as_rule(ParseNode* node, std::size_t rule) {
  if (token_of(node) != nullptr) return nullptr;
  auto* r = static_cast<RuleNode*>(node);
  return r->getRuleIndex() == rule ? r : nullptr;
}
/// Child i, which is a rule.
inline RuleNode* rule_at(const RuleNode* node, std::size_t i) { return static_cast<RuleNode*>(node->children[i]); }
inline RuleNode* first_rule(RuleNode* node, std::size_t rule) {
  for (ParseNode* child : node->children)
    if (RuleNode* r = as_rule(child, rule)) return r;
  return nullptr;
}

/// Builds the nodes of one file in its arena. One method per rule of the grammar; a method never returns null where the AST
/// promises a node.
class Builder {
 public:
  Builder(ast::StoredFile& file, const Tokens& tokens, const Context& context)
      : file_(file),
        tokens_(tokens),
        context_(context) {}

  void stored_definition(RuleNode* node);

 private:
  // ---- build_names.cpp: names, comments, modifications
  const ast::Reference* reference(RuleNode* node);
  const ast::Reference* keyword_reference(const SourceToken& word);
  ast::List<ast::Subscript> subscripts(RuleNode* node);
  ast::NamePart name_part(const SourceToken& token);
  std::string_view description(RuleNode* node);
  ast::Comment comment(RuleNode* node);
  const ast::Modification* annotation(RuleNode* node);
  const ast::Modification* modification(RuleNode* node);
  enum class In { anything, extends };
  const ast::Modification* class_modification(RuleNode* node, In in = In::anything);
  ast::List<const ast::Argument*> arguments(RuleNode* class_modification, In in);
  const ast::Argument* argument(RuleNode* node, In in);
  const ast::Argument* break_argument(RuleNode* node, ast::Argument& argument, In in);

  // ---- build_expression.cpp
  const ast::Expr* expression(RuleNode* node);
  const ast::Expr* left_side(RuleNode* node);  ///< where a list (a, , b) may stand
  const ast::Expr* literal(RuleNode* node, const SourceToken& token);
  const ast::Expr* number(ast::Expr& e, const SourceToken& token);
  const ast::Expr* prefixed(RuleNode* node, const SourceToken& op);
  const ast::Expr* infix(RuleNode* node, const SourceToken& op);
  const ast::Expr* chain(RuleNode* node, ast::ExprKind kind);
  const ast::Expr* relation_or_power(RuleNode* node, const SourceToken& op);
  const ast::Expr* if_expression(RuleNode* node);
  const ast::Expr* parenthesis(RuleNode* node, bool list_allowed);
  const ast::Expr* matrix(RuleNode* node);
  const ast::Expr* braces(RuleNode* node);
  const ast::Expr* call(RuleNode* node, const ast::Reference* callee, RuleNode* arguments);
  const ast::Arguments* call_arguments(RuleNode* node);
  const ast::Expr* operand(RuleNode* node, bool after_operator);
  const ast::Expr* checked_operand(const ast::Expr* e, bool after_operator);
  ast::List<ast::Iterator> iterators(RuleNode* node);
  std::vector<const ast::Expr*> expressions(RuleNode* node);
  ast::Expr& make_expression(ast::ExprKind kind, RuleNode* node);
  std::string_view string_value(const SourceToken& token);

  // ---- build_behaviour.cpp: equations, statements, constraints
  const ast::Equation* equation(RuleNode* node);
  const ast::Statement* statement(RuleNode* node);
  const ast::Constraint* constraint(RuleNode* node);
  void simple_equation(RuleNode* node, ast::Equation& e);
  void simple_statement(RuleNode* node, ast::Statement& s);
  void simple_constraint(RuleNode* node, ast::Constraint& c);
  const ast::Reference* domain_of(RuleNode* node);
  template <class Item, class Build>
  void blocks(RuleNode* node, Item& item, std::size_t body_rule, Build build);

  // ---- build_element.cpp
  void element(RuleNode* node, bool is_protected, std::vector<const ast::Element*>& into);
  const ast::Element* objective(RuleNode* node);
  const ast::Import* import_clause(RuleNode* node);
  const ast::Extends* extends_clause(RuleNode* node, bool is_protected);
  const ast::ConstrainedBy* constrained_by(RuleNode* node);
  void component_clause(RuleNode* node, const ast::Prefixes& prefixes, const ast::ConstrainedBy* constraint, Span clause,
                        std::vector<const ast::Element*>& into);
  const ast::Component* component(RuleNode* node, ast::Component component);
  void component_prefix(const SourceToken& token, ast::Component& component, std::string_view& last);
  const ast::Element* class_element(const ast::Class* c, Span span);
  bool element_prefix(const SourceToken& token, ast::Prefixes& prefixes);

  // ---- build_class.cpp
  const ast::Class* class_definition(RuleNode* node, ast::Prefixes prefixes, const ast::ConstrainedBy* constraint,
                                     Span span);
  void class_words(RuleNode* node, ast::Class& c);
  ast::ClassKind class_kind(RuleNode* node);
  void class_specifier(RuleNode* node, ast::Class& c);
  void short_specifier(RuleNode* node, ast::Class& c);
  void composition(RuleNode* node, ast::Class& c);
  struct Body;
  template <class Use>
  void item(RuleNode* wrapper, Body& body, Use use);
  template <class Item, class Build>
  void section(RuleNode* rule, Body& body, std::vector<ast::Section<Item>>& into, Build build);
  void any_section(RuleNode* rule, ast::Class& c, Body& body);
  const ast::Modification* joined_annotation(const Body& body);
  void external_section(RuleNode* rule, ast::Class& c, Body& body);
  const ast::External* external(RuleNode* section, std::size_t end);

  // ---- here
  template <class T>
  T& make() {
    return *std::pmr::polymorphic_allocator<>(&file_.arena).new_object<T>();
  }
  template <class T>
  ast::List<T> list(const std::vector<T>& items) {
    if (items.empty()) return {};
    T* copy = std::pmr::polymorphic_allocator<>(&file_.arena).allocate_object<T>(items.size());
    std::uninitialized_copy(items.begin(), items.end(), copy);
    return {copy, items.size()};
  }
  std::string_view keep(const std::string& text);
  std::string_view text(const SourceToken& t) const { return context_.text(t); }
  Span span(const SourceToken& t) const { return context_.span(t); }
  Span span(const RuleNode* node) const;
  std::string_view text_of(const RuleNode* node) const { return context_.sources.text(span(node)); }
  /// The first words of what a node covers, for messages.
  std::string excerpt(Span span) const;
  /// At most some dozens of each warning per file: a generated file may have a hundred thousand.
  void warn(const Code& code, Span at, Diagnostics::Arguments arguments = {});

  ast::StoredFile& file_;
  const Tokens& tokens_;
  const Context& context_;
  std::vector<std::pair<const Code*, int>> warned_;
};

}  // namespace bolza::syntax
