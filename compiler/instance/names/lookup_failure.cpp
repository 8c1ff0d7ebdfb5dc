// SPDX-License-Identifier: Apache-2.0
#include "compiler/instance/names/lookup_failure_internal.h"

#include <optional>
#include <utility>

#include "compiler/instance/build_internal.h"
#include "compiler/instance/library/codes.h"
#include "compiler/instance/names/class_lookup_internal.h"
#include "compiler/syntax/other_languages.h"
#include "compiler/syntax/print.h"

namespace bolza::instance {

using Store = InstanceTree::Store;

namespace {

constexpr std::size_t most_candidates = 5000;

std::string in_class(const Definition& definition) {
  return std::string(syntax::spelling(definition.ast->kind)) + " `" + full_name(definition) + "`";
}

void add_class_names(Store& store, const Definition& definition, bool components, std::size_t depth,
                     std::vector<std::string>& out, Diagnostics& d) {
  if (out.size() > most_candidates || depth > 20) return;
  for (std::string& name : store.library->member_names(definition)) out.push_back(std::move(name));
  for (const ast::Element* element : definition.ast->elements) {
    if (components && element->kind == ast::ElementKind::component) out.emplace_back(element->component->name);
    if (element->kind == ast::ElementKind::import_ && element->import_->kind == ast::ImportKind::renaming)
      out.emplace_back(element->import_->alias);
  }
  auto bases = bases_of(store, definition, d);
  if (!bases) return;
  for (const Base& base : *bases) {
    if (base.definition) add_class_names(store, *base.definition, components, depth + 1, out, d);
  }
}

/// A base class that cannot be found explains every name that is missing.
/// While one is looked for, looking up its name must not ask the same question again (`model A extends A.B;`).
std::optional<Reported> missing_base(InstanceTree& tree, const Definition& definition, std::size_t depth, Diagnostics& d) {
  Store& store = tree.store();
  if (depth > 20 || (depth == 0 && store.explains_missing_base) || store.has_all_bases.contains(&definition))
    return std::nullopt;
  struct Asking {
    bool& flag;
    bool before = std::exchange(flag, true);
    ~Asking() { flag = before; }
  } asking{store.explains_missing_base};
  for (const ast::Element* element : definition.ast->elements) {
    if (element->kind != ast::ElementKind::extends) continue;
    auto base = lookup_base(tree, {nullptr, &definition}, *element->extends->type, d);
    if (!base) return d.already_reported();
    if (!base->definition || base->definition == &definition) continue;
    if (auto deeper = missing_base(tree, *base->definition, depth + 1, d)) return deeper;
  }
  if (depth == 0) store.has_all_bases.insert(&definition);
  return std::nullopt;
}

std::vector<Note> suggestions(InstanceTree& tree, const Scope& scope, const ast::Reference& reference, bool components,
                              Diagnostics& d) {
  Store& store = tree.store();
  constexpr std::size_t most_suggestions = 20;  // each reads all names there are; nobody reads more
  if (store.suggestions++ >= most_suggestions) return {};
  std::vector<std::string> candidates;
  for (Scope at = scope; at.lexical; at = outer_scope(store, at)) {
    add_class_names(store, *at.lexical, components, 0, candidates, d);
    if (components && at.instance) {
      for (std::string& name : child_names(tree, *at.instance)) candidates.push_back(std::move(name));
    }
    if (at.lexical->ast->encapsulated) break;
  }
  for (std::string& name : store.library->top_level_names()) candidates.push_back(std::move(name));
  for (const char* name : {"Real", "Integer", "Boolean", "String"}) candidates.emplace_back(name);
  if (components) {
    for (const char* name : {"time",  "der",      "sin",     "cos",    "tan",     "exp",    "log",     "sqrt",
                             "tanh",  "abs",      "min",     "max",    "size",    "sum",    "product", "transpose",
                             "delay", "integral", "noEvent", "smooth", "initial", "sample", "reinit",  "assert"})
      candidates.emplace_back(name);
  }
  std::string_view first = reference.parts[0].identifier;
  std::vector<Note> notes =
      syntax::note_on_name(first, candidates, components ? syntax::WordPlace::expression : syntax::WordPlace::type);
  if (notes.empty() && reference.parts.size() > 1 && first[0] >= 'A' && first[0] <= 'Z') {
    notes.push_back({{}, store.library->missing_library_hint(first)});
  }
  return notes;
}

}  // namespace

Reported unknown_first(InstanceTree& tree, const Scope& scope, const ast::Reference& reference, Diagnostics& d) {
  for (Scope at = scope; at.lexical; at = outer_scope(tree.store(), at)) {
    if (auto reported = missing_base(tree, *at.lexical, 0, d)) return *reported;
  }
  std::string place = scope.lexical ? in_class(*scope.lexical) : "the top level";
  return d.error(codes::unknown_name, reference.parts[0].span, {reference.parts[0].identifier, place},
                 suggestions(tree, scope, reference, true, d));
}

Reported unknown_type(InstanceTree& tree, const Scope& scope, const ast::Reference& name, Diagnostics& d) {
  for (Scope at{nullptr, scope.lexical ? scope.lexical->parent : nullptr}; at.lexical; at.lexical = at.lexical->parent) {
    if (auto reported = missing_base(tree, *at.lexical, 0, d)) return *reported;
  }
  std::string first(name.parts[0].identifier);
  auto component =
      scope.lexical ? component_member(tree.store(), *scope.lexical, first, d) : Result<const ast::Component*>(nullptr);
  if (component && *component) return d.error(codes::not_a_class, name.parts[0].span, {first, "a component"});
  return d.error(codes::unknown_class, name.parts[0].span, {first}, suggestions(tree, scope, name, false, d));
}

Reported unknown_in(const std::string& place, const ast::NamePart& part, std::vector<std::string> candidates,
                    Diagnostics& d) {
  return d.error(codes::unknown_name, part.span, {part.identifier, place}, did_you_mean(part.identifier, candidates));
}

Reported unknown_member(InstanceTree& tree, const Definition& definition, const ast::NamePart& part, Diagnostics& d) {
  if (auto reported = missing_base(tree, definition, 0, d)) return *reported;
  std::vector<std::string> candidates;
  add_class_names(tree.store(), definition, true, 0, candidates, d);
  std::vector<Note> notes = did_you_mean(part.identifier, candidates);
  std::string hint = tree.library().missing_member_hint(definition);
  if (!hint.empty()) notes.push_back({{}, std::move(hint)});
  return d.error(codes::unknown_name, part.span, {part.identifier, in_class(definition)}, std::move(notes));
}

Reported unknown_child(InstanceTree& tree, const Instance& component, const ast::NamePart& part, Diagnostics& d) {
  if (tree.store().broken.contains(&component)) return report_broken(tree, component, d);
  if (component.definition && component.type == Type::none) {
    if (auto reported = missing_base(tree, *component.definition, 0, d)) return *reported;
  }
  return unknown_in("`" + path_of(component) + "` (" + describe(component) + ")", part, child_names(tree, component), d);
}

Reported unknown_literal(const Definition& enumeration, const ast::NamePart& part, Diagnostics& d) {
  return unknown_in("enumeration `" + full_name(enumeration) + "`", part, literals_of(enumeration), d);
}

Reported report_broken(InstanceTree& tree, const Instance& component, Diagnostics& d) {
  Scope scope{component.parent, component.declared_in};
  auto chain = resolve_type(tree, scope, *component.declaration->type, false, d);
  if (!chain || d.errors() > 0) return d.already_reported();
  return d.error(codes::no_value, component.span, {path_of(component)});
}

}  // namespace bolza::instance
