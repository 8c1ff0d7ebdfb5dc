// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "compiler/syntax/build_internal.h"
#include "compiler/syntax/codes.h"

namespace bolza::syntax {

std::string_view Builder::keep(const std::string& text) {
  char* copy = std::pmr::polymorphic_allocator<>(&file_.arena).allocate_object<char>(text.size() + 1);
  std::copy(text.begin(), text.end(), copy);
  return {copy, text.size()};
}

Span Builder::span(const RuleNode* node) const {
  const auto* first = static_cast<const SourceToken*>(node->start);
  const auto* last = static_cast<const SourceToken*>(node->stop);
  if (last == nullptr || last->end < first->begin) return {context_.file, first->begin, first->begin};
  return {context_.file, first->begin, last->end};
}

std::string Builder::excerpt(Span at) const {
  constexpr std::size_t longest = 40;
  std::string words;
  for (char c : context_.sources.text(at)) {
    bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (blank && !words.empty() && words.back() == ' ') continue;
    if (words.size() == longest) return words + "…";
    words += blank ? ' ' : c;
  }
  return words;
}

void Builder::warn(const Code& code, Span at, Diagnostics::Arguments arguments) {
  constexpr int most = 50;
  auto found = std::find_if(warned_.begin(), warned_.end(), [&](auto& entry) { return entry.first == &code; });
  if (found == warned_.end()) found = warned_.insert(found, {&code, 0});
  if (++found->second <= most) context_.diagnostics.warning(code, at, arguments);
}

// ---------------------------------------------------------------- files

void Builder::stored_definition(RuleNode* node) {
  std::vector<const ast::Class*> classes;
  ast::Prefixes prefixes;
  Span begin;
  for (ParseNode* child : node->children) {
    if (const SourceToken* t = token_of(child)) {
      if (t->is(Kind::WITHIN)) file_.has_within = true;
      if (t->is(Kind::FINAL)) {
        element_prefix(*t, prefixes);
        begin = span(*t);
      }
      continue;
    }
    auto* rule = static_cast<RuleNode*>(child);
    if (rule->getRuleIndex() == Kind::RuleTypeName) {
      file_.within = reference(rule);
    } else {
      Span whole = prefixes.final_ ? cover(begin, span(rule)) : span(rule);
      classes.push_back(class_definition(rule, prefixes, nullptr, whole));
      prefixes = {};
    }
  }
  file_.classes = list(classes);
}

Result<std::unique_ptr<ast::StoredFile>> build(Kind::StoredDefinitionContext& tree, const Tokens& tokens,
                                               const Context& context) {
  std::size_t errors = context.diagnostics.errors();
  auto file = std::make_unique<ast::StoredFile>();
  file->source = context.file;
  Builder(*file, tokens, context).stored_definition(&tree);
  if (context.diagnostics.errors() > errors) return context.diagnostics.already_reported();
  return file;
}

// ---------------------------------------------------------------- heads

ast::ClassKind Builder::class_kind(RuleNode* node) {
  switch (token_of(node->children[0])->kind()) {
    case Kind::MODEL:
      return ast::ClassKind::model;
    case Kind::BLOCK:
      return ast::ClassKind::block;
    case Kind::RECORD:
      return ast::ClassKind::record;
    case Kind::CONNECTOR:
      return ast::ClassKind::connector;
    case Kind::TYPE:
      return ast::ClassKind::type;
    case Kind::PACKAGE:
      return ast::ClassKind::package;
    case Kind::FUNCTION:
      return ast::ClassKind::function;
    case Kind::OPTIMIZATION:
      return ast::ClassKind::optimization;
    case Kind::OPERATOR:
      if (node->children.size() == 1) return ast::ClassKind::operator_;
      return is_token(node->children[1], Kind::RECORD) ? ast::ClassKind::operator_record : ast::ClassKind::operator_function;
    default:
      return ast::ClassKind::class_;
  }
}

/// The prefixes that belong to the class itself, and its kind.
void Builder::class_words(RuleNode* node, ast::Class& c) {
  RuleNode* kind = first_rule(node, Kind::RuleClassKind);
  c.kind = class_kind(kind);
  bool is_function = c.kind == ast::ClassKind::function || c.kind == ast::ClassKind::operator_function;
  for (ParseNode* child : node->children) {
    RuleNode* prefix = as_rule(child, Kind::RuleClassPrefix);
    if (prefix == nullptr) continue;
    const SourceToken& t = *token_of(prefix->children[0]);
    bool* flag = nullptr;
    switch (t.kind()) {
      case Kind::ENCAPSULATED:
        flag = &c.encapsulated;
        break;
      case Kind::PARTIAL:
        flag = &c.partial;
        break;
      case Kind::EXPANDABLE:
        flag = &c.expandable;
        break;
      case Kind::PURE:
        flag = &c.pure;
        break;
      default:
        flag = &c.impure;
        break;
    }
    bool fits = (flag != &c.expandable || c.kind == ast::ClassKind::connector) &&
                ((flag != &c.pure && flag != &c.impure) || is_function);
    if (!fits) context_.diagnostics.error(class_prefix, span(t), {text(t), text_of(kind)});
    if (*flag) context_.diagnostics.error(prefix_clash, span(t), {text(t), text(t)});
    *flag = true;
    if (c.pure && c.impure)
      context_.diagnostics.error(prefix_clash, span(t), {text(t), t.is(Kind::PURE) ? "impure" : "pure"});
  }
}

const ast::Class* Builder::class_definition(RuleNode* node, ast::Prefixes prefixes, const ast::ConstrainedBy* constraint,
                                            Span whole) {
  ast::Class& c = make<ast::Class>();
  c.prefixes = prefixes;
  c.constrained_by = constraint;
  c.span = whole;
  class_words(node, c);
  class_specifier(first_rule(node, Kind::RuleClassSpecifier), c);
  if (constraint != nullptr && !c.comment.description.empty() && !constraint->comment.description.empty())
    context_.diagnostics.error(two_descriptions, constraint->span, {},
                               {{c.name_span, "the first one belongs to this class"}});
  return &c;
}

void Builder::class_specifier(RuleNode* node, ast::Class& c) {
  bool extends = is_token(node->children[0], Kind::EXTENDS);
  const SourceToken& name = *token_of(node->children[extends ? 1 : 0]);
  c.name = text(name);
  c.name_span = span(name);
  if (extends) c.form = ast::ClassForm::extending;
  for (ParseNode* child : node->children) {
    if (token_of(child) != nullptr) continue;
    auto* rule = static_cast<RuleNode*>(child);
    switch (rule->getRuleIndex()) {
      case Kind::RuleClassModification:
        (extends ? c.modification : c.attributes) = class_modification(rule, extends ? In::extends : In::anything);
        if (!extends && c.kind != ast::ClassKind::optimization)
          warn(attributes_outside_optimization, c.attributes->span, {text(tokens_[name.getTokenIndex() - 1])});
        break;
      case Kind::RuleDescription:
        c.comment.description = description(rule);
        break;
      case Kind::RuleComposition:
        composition(rule, c);
        break;
      default:
        short_specifier(rule, c);
        break;
    }
  }
}

void Builder::short_specifier(RuleNode* node, ast::Class& c) {
  const SourceToken* first = token_of(node->children[0]);
  std::size_t word = first != nullptr ? first->kind() : 0;
  c.form = word == Kind::ENUMERATION ? ast::ClassForm::enumeration
           : word == Kind::DER       ? ast::ClassForm::partial_derivative
                                     : ast::ClassForm::alias;
  if (word == Kind::INPUT) c.base_causality = ast::Causality::input;
  if (word == Kind::OUTPUT) c.base_causality = ast::Causality::output;
  std::vector<ast::EnumerationLiteral> literals;
  std::vector<ast::NamePart> variables;
  for (ParseNode* child : node->children) {
    if (const SourceToken* t = token_of(child)) {
      if (t->is(Kind::COLON)) c.open_enumeration = true;
      if (t->is(Kind::IDENT)) variables.push_back(name_part(*t));
      continue;
    }
    auto* rule = static_cast<RuleNode*>(child);
    switch (rule->getRuleIndex()) {
      case Kind::RuleEnumerationLiteral: {
        const SourceToken& name = *token_of(rule->children[0]);
        literals.push_back({text(name), span(name), comment(first_rule(rule, Kind::RuleComment))});
        break;
      }
      case Kind::RuleTypeName:
        c.base = reference(rule);
        break;
      case Kind::RuleSubscripts:
        c.base_dimensions = subscripts(rule);
        break;
      case Kind::RuleClassModification:
        c.modification = class_modification(rule);
        break;
      default:
        c.comment = comment(rule);
        break;
    }
  }
  c.literals = list(literals);
  c.with_respect_to = list(variables);
}

// ---------------------------------------------------------------- bodies

/// What a composition collects before it becomes lists.
struct Builder::Body {
  std::vector<const ast::Element*> elements;
  std::vector<ast::Section<ast::Equation>> equations;
  std::vector<ast::Section<ast::Statement>> algorithms;
  std::vector<ast::Section<ast::Constraint>> constraints;
  std::vector<RuleNode*> annotations;
  std::vector<std::size_t> item_of_annotation;  ///< number of the item that each annotation is
  std::size_t items = 0;
};

/// One item of a section or of the declarations: an annotation, an objective, or what `use` builds from it.
template <class Use>
void Builder::item(RuleNode* wrapper, Body& body, Use use) {
  auto* rule = static_cast<RuleNode*>(wrapper->children[0]);
  ++body.items;
  if (rule->getRuleIndex() == Kind::RuleAnnotation) {
    body.annotations.push_back(rule);
    body.item_of_annotation.push_back(body.items);
  } else if (rule->getRuleIndex() == Kind::RuleObjective) body.elements.push_back(objective(rule));
  else use(rule);
}

template <class Item, class Build>
void Builder::section(RuleNode* rule, Body& body, std::vector<ast::Section<Item>>& into, Build build) {
  ast::Section<Item> s;
  s.initial = is_token(rule->children[0], Kind::INITIAL);
  s.span = span(rule);
  ++body.items;
  std::vector<const Item*> items;
  for (ParseNode* child : rule->children)
    if (token_of(child) == nullptr)
      item(static_cast<RuleNode*>(child), body, [&](RuleNode* r) { items.push_back(build(r)); });
  s.items = list(items);
  into.push_back(s);
}

void Builder::any_section(RuleNode* rule, ast::Class& c, Body& body) {
  const SourceToken& word = *token_of(rule->children[0]);
  const SourceToken& kind = word.is(Kind::INITIAL) ? *token_of(rule->children[1]) : word;
  switch (kind.kind()) {
    case Kind::EQUATION:
      return section(rule, body, body.equations, [this](RuleNode* r) { return equation(r); });
    case Kind::ALGORITHM:
      return section(rule, body, body.algorithms, [this](RuleNode* r) { return statement(r); });
    case Kind::CONSTRAINT:
      return section(rule, body, body.constraints, [this](RuleNode* r) { return constraint(r); });
    case Kind::EXTERNAL:
      return external_section(rule, c, body);
    default:
      for (ParseNode* part : rule->children)
        if (token_of(part) == nullptr)
          item(static_cast<RuleNode*>(part), body,
               [&](RuleNode* r) { element(r, word.is(Kind::PROTECTED), body.elements); });
  }
}

void Builder::composition(RuleNode* node, ast::Class& c) {
  Body body;
  for (ParseNode* child : node->children) {
    auto* rule = static_cast<RuleNode*>(child);
    if (rule->getRuleIndex() == Kind::RuleElementItem)
      item(rule, body, [&](RuleNode* r) { element(r, false, body.elements); });
    else any_section(rule, c, body);
  }
  c.elements = list(body.elements);
  c.equations = list(body.equations);
  c.algorithms = list(body.algorithms);
  c.constraints = list(body.constraints);
  if (!body.annotations.empty()) c.comment.annotation = joined_annotation(body);
}

/// All annotations of a class as one. Those that are not last get a warning: DOML puts them before `equation`.
const ast::Modification* Builder::joined_annotation(const Body& body) {
  ast::Modification& joined = make<ast::Modification>();
  std::vector<const ast::Argument*> arguments;
  for (std::size_t i = 0; i < body.annotations.size(); ++i) {
    const ast::Modification* one = annotation(body.annotations[i]);
    if (body.item_of_annotation[i] != body.items) warn(misplaced_annotation, span(body.annotations[i]));
    arguments.insert(arguments.end(), one->arguments.begin(), one->arguments.end());
    joined.span = i == 0 ? one->span : cover(joined.span, one->span);
  }
  joined.arguments = list(arguments);
  return &joined;
}

/// The clause up to its `;` is the external part, annotations after it are of the class.
void Builder::external_section(RuleNode* rule, ast::Class& c, Body& body) {
  auto end =
      std::find_if(rule->children.begin(), rule->children.end(), [](ParseNode* n) { return is_token(n, Kind::SEMICOLON); });
  auto behind = static_cast<std::size_t>(end - rule->children.begin());
  c.external = external(rule, behind);
  ++body.items;
  for (std::size_t i = behind; i < rule->children.size(); ++i)
    if (RuleNode* a = as_rule(rule->children[i], Kind::RuleAnnotation)) {
      body.annotations.push_back(a);
      body.item_of_annotation.push_back(++body.items);
    }
}

/// `external "C" y = f(a, b) annotation(…);` up to its `;`.
const ast::External* Builder::external(RuleNode* node, std::size_t end) {
  ast::External& x = make<ast::External>();
  x.span = span(node);
  std::vector<const ast::Expr*> sides;
  for (std::size_t i = 1; i < end; ++i) {
    ParseNode* child = node->children[i];
    if (is_token(child, Kind::STRING)) x.language = string_value(*token_of(child));
    if (RuleNode* e = as_rule(child, Kind::RuleExpr)) sides.push_back(expression(e));
    if (RuleNode* a = as_rule(child, Kind::RuleAnnotation)) x.annotation = annotation(a);
  }
  if (sides.empty()) return &x;
  const ast::Expr* call = sides.back();
  x.called = true;
  bool good = call->kind == ast::ExprKind::call && call->reference->simple() && call->arguments->named.empty() &&
              call->arguments->iterators.empty();
  if (sides.size() == 2) {
    x.output = sides[0];
    good = good && x.output->kind == ast::ExprKind::name;
  }
  if (!good) {
    context_.diagnostics.error(bad_external, cover(sides[0]->span, call->span));
    return &x;
  }
  x.function = call->reference->parts[0].identifier;
  x.arguments = call->arguments->positional;
  return &x;
}

}  // namespace bolza::syntax
