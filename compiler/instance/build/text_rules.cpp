// SPDX-License-Identifier: Apache-2.0
// What the text of one class must not contain, whatever it is used for (Modelica
// specification, 4.6, 5.3.1, 11.2, 12.2, 13.2).
#include <algorithm>
#include <map>
#include <set>

#include "compiler/instance/build/restrictions_internal.h"
#include "compiler/instance/library/codes.h"
#include "compiler/instance/names/class_lookup_internal.h"
#include "compiler/syntax/print.h"

namespace bolza::instance {

using Kind = ast::ClassKind;

namespace {

bool is_function(Kind kind) { return kind == Kind::function || kind == Kind::operator_function; }

/// Where the predefined `time` stands in an expression; an empty span when nowhere.
Span time_in(const ast::Expr* whole) {
  std::vector<const ast::Expr*> open{whole};
  while (!open.empty()) {
    const ast::Expr* e = open.back();
    open.pop_back();
    if (!e) continue;
    if (e->kind == ast::ExprKind::name && e->reference->simple() && e->reference->parts[0].identifier == "time")
      return e->span;
    open.insert(open.end(), e->operands.begin(), e->operands.end());
    for (const auto& row : e->rows) open.insert(open.end(), row.begin(), row.end());
    if (!e->arguments) continue;
    open.insert(open.end(), e->arguments->positional.begin(), e->arguments->positional.end());
    for (const ast::NamedArgument& named : e->arguments->named) open.push_back(named.value);
  }
  return {};
}

class TextCheck {
 public:
  TextCheck(const ast::Class& cls, const std::string& whole_name, Diagnostics& d)
      : cls_(cls),
        whole_name_(whole_name),
        record_(is_record(cls.kind)),
        connector_(cls.kind == Kind::connector),
        function_(is_function(cls.kind)),
        d_(d) {}

  void all() {
    for (const ast::Element* element : cls_.elements) {
      if (element->kind == ast::ElementKind::class_) name(element->class_->name, element->class_->name_span);
      if (element->kind == ast::ElementKind::import_) import(*element->import_);
      if (element->kind != ast::ElementKind::component) continue;
      name(element->component->name, element->component->name_span);
      component(*element->component);
    }
    names_differ();
    sections();
  }

 private:
  void refuse(Span at, const std::string& what) {
    d_.error(codes::not_in_this_kind, at, {syntax::spelling(cls_.kind), what});
  }

  void name(std::string_view name, Span at) {
    if (builtin_type(name) != Type::none) d_.error(codes::reserved_name, at, {name});
  }

  /// Two imports under one name; that they mean the same is no trouble.
  void import(const ast::Import& import) {
    auto add = [&](std::string_view name, const std::string& meaning) {
      auto [it, fresh] = imports_.emplace(name, std::pair(meaning, import.span));
      if (!fresh && it->second.first != meaning)
        d_.error(codes::ambiguous_import, import.span, {name}, {{it->second.second, "the other one"}});
    };
    std::string whole = syntax::print(*import.name);
    if (whole.starts_with('.')) whole.erase(0, 1);
    if (import.kind == ast::ImportKind::qualified) add(import.name->parts.back().identifier, whole);
    if (import.kind == ast::ImportKind::renaming) add(import.alias, whole);
    if (import.kind != ast::ImportKind::several) return;
    for (const ast::NamePart& member : import.members) add(member.identifier, whole + "." + std::string(member.identifier));
  }

  void component(const ast::Component& c) {
    if ((record_ || connector_) && c.prefixes.protected_) refuse(c.name_span, "protected components");
    if ((record_ || connector_) && (c.prefixes.inner || c.prefixes.outer)) refuse(c.name_span, "inner or outer components");
    if (record_ && c.connection != ast::Connection::none) refuse(c.name_span, "flow or stream components");
    if (record_ && c.causality != ast::Causality::none) refuse(c.name_span, "inputs or outputs");
    Span time = record_ || connector_ ? time_in(c.binding()) : Span{};
    if (time) refuse(time, "a value that depends on `time`");
    if (function_ && c.causality == ast::Causality::input) inputs_.emplace(c.name, c.name_span);
  }

  /// A class and a component of one name: nothing tells which is meant.
  void names_differ() {
    std::map<std::string_view, Span> classes;
    for (const ast::Element* element : cls_.elements)
      if (element->kind == ast::ElementKind::class_) classes.emplace(element->class_->name, element->class_->name_span);
    for (const ast::Element* element : cls_.elements) {
      if (element->kind != ast::ElementKind::component) continue;
      if (auto it = classes.find(element->component->name); it != classes.end())
        d_.error(codes::duplicate_element, element->component->name_span, {element->component->name, whole_name_},
                 {{it->second, "a class of that name"}});
    }
  }

  void sections() {
    bool plain = record_ || connector_;
    if (plain && !cls_.equations.empty()) refuse(cls_.equations[0].span, "equations");
    if (plain && !cls_.algorithms.empty()) refuse(cls_.algorithms[0].span, "an algorithm");
    if (function_ && !cls_.equations.empty()) refuse(cls_.equations[0].span, "equations");
    if (function_ && cls_.algorithms.size() > 1) refuse(cls_.algorithms[1].span, "more than one algorithm");
    for (const auto& algorithm : cls_.algorithms) statements(algorithm.items, false);
  }

  void statements(ast::List<const ast::Statement*> list, bool in_loop) {
    for (const ast::Statement* s : list) {
      bool loop = s->kind == ast::StatementKind::for_ || s->kind == ast::StatementKind::while_;
      if (s->kind == ast::StatementKind::break_ && !in_loop) refuse(s->span, "`break` outside of a loop");
      if (s->kind == ast::StatementKind::return_ && !function_) refuse(s->span, "`return`, only functions can");
      if (function_ && s->kind == ast::StatementKind::assign) target(*s->target);
      if (function_ && s->kind == ast::StatementKind::multi_assign)
        for (const ast::Expr* part : s->target->operands)
          if (part) target(*part);
      for (const auto& branch : s->branches) statements(branch.body, in_loop);
      statements(s->body, in_loop || loop);
    }
  }

  void target(const ast::Expr& place) {
    if (place.kind != ast::ExprKind::name) return;
    std::string_view name = place.reference->parts[0].identifier;
    if (auto it = inputs_.find(name); it != inputs_.end())
      d_.error(codes::not_in_this_kind, place.span,
               {syntax::spelling(cls_.kind), "an assignment to its input `" + std::string(name) + "`"},
               {{it->second, "declared as input here"}, {{}, "copy it into a protected variable, and change that"}});
  }

  const ast::Class& cls_;
  const std::string& whole_name_;
  bool record_, connector_, function_;
  Diagnostics& d_;
  std::map<std::string_view, std::pair<std::string, Span>> imports_;
  std::map<std::string_view, Span> inputs_;
};

}  // namespace

void check_text(const Definition& definition, Diagnostics& d) {
  std::string name = full_name(definition);
  TextCheck(*definition.ast, name, d).all();
}

void check_literals(const ast::Class& enumeration, Diagnostics& d) {
  static constexpr std::string_view attributes[] = {"fixed", "max", "min", "quantity", "start"};
  std::set<std::string_view> seen;
  for (const ast::EnumerationLiteral& literal : enumeration.literals) {
    bool attribute = std::find(std::begin(attributes), std::end(attributes), literal.name) != std::end(attributes);
    std::string named = "`" + std::string(literal.name) + "`";
    if (attribute) d.error(codes::not_in_this_kind, literal.span, {"enumeration", "a literal " + named});
    else if (!seen.insert(literal.name).second)
      d.error(codes::not_in_this_kind, literal.span, {"enumeration", "two literals " + named});
  }
}

}  // namespace bolza::instance
