// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "compiler/instance/build/restrictions_internal.h"
#include "compiler/instance/build_internal.h"
#include "compiler/instance/library/codes.h"
#include "compiler/instance/names/class_lookup_internal.h"
#include "compiler/instance/names/redeclare_internal.h"
#include "compiler/syntax/print.h"

namespace bolza::instance {

using Store = InstanceTree::Store;

namespace {

const std::vector<InstanceBase>* bases_of_instance(Store& store, const Instance& instance) {
  auto it = store.instance_bases.find(&instance);
  return it == store.instance_bases.end() ? nullptr : &it->second;
}

bool is_made_of(Store& store, const Instance& instance, const Definition* definition) {
  if (instance.definition == definition) return true;
  const auto* bases = bases_of_instance(store, instance);
  if (!bases) return false;
  for (const InstanceBase& base : *bases) {
    if (base.definition == definition) return true;
  }
  return false;
}

}  // namespace

Scope outer_scope(Store& store, const Scope& scope) {
  if (!scope.lexical) return {};
  Scope outer{nullptr, scope.lexical->parent};
  if (!scope.instance) return outer;
  if (const auto* bases = bases_of_instance(store, *scope.instance)) {
    for (const InstanceBase& base : *bases) {
      if (base.definition == scope.lexical) outer.instance = base.enclosing;
    }
  } else if (scope.instance->definition == scope.lexical) {
    outer.instance = scope.instance->enclosing;
  }
  return outer;
}

const Instance* enclosing_instance(Store& store, const Scope& scope, const Definition& found) {
  if (!found.parent) return nullptr;
  for (Scope at = scope; at.lexical; at = outer_scope(store, at)) {
    if (!at.instance) continue;
    bool plain_package =
        at.instance->class_kind == ast::ClassKind::package && !at.instance->parent && !at.instance->is_configured;
    if (plain_package) return nullptr;
    if (is_made_of(store, *at.instance, found.parent)) return at.instance;
  }
  return nullptr;
}

bool sees(Store& store, const Scope& scope, const Instance& child) {
  if (child.class_attribute != ClassAttribute::none || scope.instance->definition == scope.lexical) return true;
  const auto* bases = bases_of_instance(store, *scope.instance);
  if (!bases) return true;
  for (std::size_t i = 0; i < bases->size(); ++i) {
    if ((*bases)[i].definition != child.declared_in) continue;
    for (std::int32_t at = static_cast<std::int32_t>(i); at >= 0; at = (*bases)[static_cast<std::size_t>(at)].derived) {
      if ((*bases)[static_cast<std::size_t>(at)].definition == scope.lexical) return true;
    }
  }
  return false;
}

namespace {

constexpr std::size_t longest_type_chain = 5000;

void note_kind(TypeChain& chain, const ast::Class& cls) {
  if (chain.kind == ast::ClassKind::type) chain.kind = cls.kind;
  if (cls.kind == ast::ClassKind::connector) chain.is_connector = true;
}

const ast::Extends* first_extends(const ast::Class& cls) {
  for (const ast::Element* element : cls.elements) {
    if (element->kind == ast::ElementKind::extends) return element->extends;
  }
  return nullptr;
}

Reported refuse_form(const Definition& definition, Span used_at, Diagnostics& d) {
  std::string what = "the partial derivative of a function (`" + std::string(definition.name()) + "`)";
  return d.error(codes::not_supported, definition.ast->name_span, {what},
                 used_at ? std::vector<Note>{{used_at, "used here"}} : std::vector<Note>{});
}

/// A chain that meets a class twice leads in a circle; another one is too long.
Reported refuse_length(const TypeChain& chain, Diagnostics& d) {
  const Definition* last = chain.steps.back().definition;
  auto same = [&](const auto& step) { return step.definition == last; };
  if (std::count_if(chain.steps.begin(), chain.steps.end(), same) > 1)
    return d.error(codes::inheritance_cycle, last->ast->name_span, {last->name()});
  return d.error(codes::not_supported, last->ast->name_span,
                 {"a type that stands for another one, " + std::to_string(longest_type_chain) + " times in a row"});
}

/// What a class that stands for a predefined type extends; nothing where other elements stand beside it, which is reported.
struct PredefinedBase {
  const ast::Reference* name = nullptr;  ///< null: the inherited class of its own name
  const ast::Modification* modification = nullptr;
};
Result<PredefinedBase> predefined_base(const ast::Class& cls, Diagnostics& d) {
  const ast::Extends* extends = cls.form == ast::ClassForm::extending ? nullptr : first_extends(cls);
  for (const ast::Element* element : cls.elements) {
    bool more = element->kind == ast::ElementKind::component ||
                (element->kind == ast::ElementKind::extends && element->extends != extends);
    if (more)
      return d.error(codes::wrong_kind, extends ? extends->type->span : cls.name_span,
                     {"predefined type", "the base of a class with components or equations"});
  }
  if (!extends) return PredefinedBase{nullptr, cls.modification};
  return PredefinedBase{extends->type, extends->modification};
}

/// One step along the chain; true when `chain` is at its end.
/// @param found  what the step before led to; what a class extends leads to comes in its place, and `name` is null then
Result<bool> follow(InstanceTree& tree, TypeChain& chain, Scope& scope, const ast::Reference*& name, bool& base_of_lexical,
                    Resolved& found, Diagnostics& d) {
  if (found.kind == ResolvedKind::builtin_type) {
    chain.type = found.type;
    return true;
  }
  auto configured = tree.store().configured.find(found.definition);
  bool is_proxy = configured != tree.store().configured.end();
  const Definition& definition = is_proxy ? *configured->second.definition : *found.definition;
  const ast::Class& cls = *definition.ast;
  note_kind(chain, cls);
  auto add_configured = [&](const Environment& mods) {
    if (!mods.empty()) chain.steps.push_back({.definition = &definition, .scope = {}, .configured = mods});
  };
  if (is_proxy) add_configured(configured->second.stronger);
  Scope inside{found.enclosing, definition.parent};
  if (cls.form == ast::ClassForm::alias) {
    if (cls.modification && tree.store().checked.insert(cls.modification).second)
      check_single_modification(cls.modification, d);
    chain.steps.push_back({&definition, cls.modification, cls.base_dimensions, cls.base_causality, inside, {}});
    if (is_proxy) add_configured(configured->second.weaker);
    scope = inside;
    name = cls.base;
    base_of_lexical = false;
    return false;
  }
  if (is_proxy) add_configured(configured->second.weaker);
  if (cls.form == ast::ClassForm::enumeration) {
    if (tree.store().texts_checked.insert(&cls).second) check_literals(cls, d);
    chain.type = Type::enumeration;
    chain.definition = &definition;
    return true;
  }
  if (cls.form == ast::ClassForm::partial_derivative) return refuse_form(definition, name ? name->span : Span{}, d);
  auto predefined = is_predefined_type(tree.store(), definition, d);
  if (!predefined) return d.already_reported();
  if (*predefined) {
    auto base = predefined_base(cls, d);
    if (!base) return d.already_reported();
    scope = {nullptr, &definition};
    name = base->name;
    base_of_lexical = true;
    chain.steps.push_back({&definition, base->modification, {}, ast::Causality::none, scope, {}});
    if (name) return false;
    auto below = extended_class(tree, definition, found.enclosing, d);
    if (!below) return d.already_reported();
    found = *below;
    return false;
  }
  chain.definition = &definition;
  chain.enclosing = found.enclosing;
  return true;
}

Result<TypeChain> follow_all(InstanceTree& tree, Scope scope, const ast::Reference* name, bool base_of_lexical,
                             Resolved found, Diagnostics& d) {
  TypeChain chain;
  for (std::size_t length = 0;; ++length) {
    if (length > longest_type_chain) return refuse_length(chain, d);
    auto done = follow(tree, chain, scope, name, base_of_lexical, found, d);
    if (!done) return d.already_reported();
    if (*done) return chain;
    if (!name) continue;
    auto next = base_of_lexical ? lookup_base(tree, scope, *name, d) : lookup_type(tree, scope, *name, d);
    if (!next) return d.already_reported();
    found = std::move(*next);
  }
}

}  // namespace

Result<TypeChain> resolve_type(InstanceTree& tree, const Scope& scope, const ast::Reference& name, bool base_of_lexical,
                               Diagnostics& d) {
  auto found = base_of_lexical ? lookup_base(tree, scope, name, d) : lookup_type(tree, scope, name, d);
  if (!found) return d.already_reported();
  return follow_all(tree, scope, &name, base_of_lexical, std::move(*found), d);
}

Result<TypeChain> resolve_class(InstanceTree& tree, const Definition& definition, const Instance* enclosing, Span used_at,
                                Diagnostics& d) {
  if (definition.ast->form == ast::ClassForm::partial_derivative) return refuse_form(definition, used_at, d);
  Resolved found{.kind = ResolvedKind::class_, .definition = &definition, .enclosing = enclosing};
  return follow_all(tree, {}, nullptr, false, std::move(found), d);
}

}  // namespace bolza::instance
