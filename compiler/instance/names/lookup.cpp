// SPDX-License-Identifier: Apache-2.0
#include "compiler/instance/lookup.h"

#include "compiler/instance/build_internal.h"
#include "compiler/instance/library/codes.h"
#include "compiler/instance/names/class_lookup_internal.h"
#include "compiler/instance/names/lookup_failure_internal.h"
#include "compiler/instance/names/redeclare_internal.h"
#include "compiler/syntax/print.h"

namespace bolza::instance {

using Store = InstanceTree::Store;

namespace {

Result<Resolved> class_result(InstanceTree& tree, const Scope& scope, const Definition& definition, Diagnostics& d) {
  return class_in(tree, enclosing_instance(tree.store(), scope, definition), definition, d);
}

/// A constant of a class that has no instance of its own in the model.
Result<Resolved> constant_result(InstanceTree& tree, const Definition& package, const Instance* enclosing,
                                 const ast::NamePart& part, Diagnostics& d) {
  auto holder = package_of(tree, package, enclosing, d);
  if (!holder) return d.already_reported();
  auto child = child_of(tree, **holder, part.identifier, d);
  if (!child) return d.already_reported();
  if (!*child) return unknown_member(tree, package, part, d);  // a base of the package could not be used
  bool constant = (*child)->variability == Variability::constant ||
                  ((*child)->is_final && (*child)->variability == Variability::parameter);
  if (!constant) {
    return d.error(codes::not_constant_outside, part.span, {part.identifier, full_name(package)},
                   {{(*child)->span, "declared here"}});
  }
  return Resolved{.path = {{*child, part.subscripts}}};
}

Result<Resolved> from_named(InstanceTree& tree, const Scope& scope, const Named& named, const ast::NamePart& part,
                            bool local, Diagnostics& d) {
  if (named.builtin != Type::none) return Resolved{.kind = ResolvedKind::builtin_type, .type = named.builtin};
  if (named.literal > 0)
    return Resolved{.kind = ResolvedKind::enumeration_literal, .definition = named.constant_of, .literal = named.literal};
  if (named.constant_of) {
    ast::NamePart original = part;  // an import may have renamed it
    original.identifier = named.constant;
    return constant_result(tree, *named.constant_of, nullptr, original, d);
  }
  return local ? class_result(tree, scope, *named.definition, d) : class_in(tree, nullptr, *named.definition, d);
}

/// What is used of an outer component stands in its own type; the inner one may have more.
Result<Done> check_outer_member(InstanceTree& tree, const Scope& scope, const ast::Reference& reference, Diagnostics& d) {
  if (reference.parts.size() < 2) return Done{};
  auto outer = component_member(tree.store(), *scope.lexical, reference.parts[0].identifier, d);
  if (!outer) return d.already_reported();
  if (!*outer || !(*outer)->prefixes.outer) return Done{};
  Diagnostics quiet;
  auto type = resolve_type(tree, scope, *(*outer)->type, false, quiet);
  if (!type || !type->definition || type->type != Type::none || type->definition->ast->expandable) return Done{};
  const ast::NamePart& part = reference.parts[1];
  auto component = component_member(tree.store(), *type->definition, part.identifier, d);
  auto cls = class_member(tree.store(), *type->definition, part.identifier, d);
  if (!component || !cls) return d.already_reported();
  if (!*component && !*cls) return unknown_member(tree, *type->definition, part, d);
  return Done{};
}

/// The component of that name that one scope has, if any.
Result<Resolved> component_in(InstanceTree& tree, const Scope& scope, const ast::Reference& reference, bool& found,
                              Diagnostics& d) {
  const ast::NamePart& part = reference.parts[0];
  if (scope.instance) {
    auto child = child_of(tree, *scope.instance, part.identifier, d);
    if (!child) return d.already_reported();
    if (!*child) return Resolved{};
    if (!sees(tree.store(), scope, **child)) {
      // the one kept of two identical declarations may stand in another base
      auto own = component_member(tree.store(), *scope.lexical, part.identifier, d);
      if (!own) return d.already_reported();
      if (!*own) return Resolved{};
    }
    found = true;
    bool through_outer = (*child)->parent != scope.instance;
    if (through_outer && !check_outer_member(tree, scope, reference, d)) return d.already_reported();
    return Resolved{.path = {{*child, part.subscripts}}, .through_outer = through_outer};
  }
  auto component = component_member(tree.store(), *scope.lexical, part.identifier, d);
  if (!component) return d.already_reported();
  if (!*component) return Resolved{};
  found = true;
  return constant_result(tree, *scope.lexical, nullptr, part, d);
}

/// startTime, finalTime, … of the phase that the scope is in, else of the model; null when it has none of that name.
const Instance* class_attribute_around(InstanceTree& tree, const Scope& scope, std::string_view name) {
  if (!scope.instance || !names_class_attribute(name)) return nullptr;
  auto attribute_of = [&](const Instance& problem) -> const Instance* {
    for (const Instance* child : problem.children)
      if (child->class_attribute != ClassAttribute::none && child->name == name) return child;
    return nullptr;
  };
  for (const Instance* around = scope.instance; around; around = around->parent)
    if (around->is_phase)
      if (const Instance* found = attribute_of(*around)) return found;
  return tree.store().root ? attribute_of(*tree.store().root) : nullptr;
}

Result<Resolved> outside_all(InstanceTree& tree, const Scope& scope, const ast::NamePart& part, bool encapsulated,
                             bool& found, Diagnostics& d) {
  found = true;
  if (part.identifier == "time") return Resolved{.kind = ResolvedKind::time};
  if (std::string_view name = builtin_function(part.identifier); !name.empty()) {
    return Resolved{.kind = ResolvedKind::builtin_function, .name = name};
  }
  if (part.identifier == "Connections") return Resolved{.kind = ResolvedKind::builtin_function, .name = "Connections"};
  if (const Instance* attribute = class_attribute_around(tree, scope, part.identifier))
    return Resolved{.path = {{attribute, part.subscripts}}};
  auto named = outermost(tree.store(), part.identifier, encapsulated, d);
  if (!named) return d.already_reported();
  if (*named) return from_named(tree, scope, *named, part, false, d);
  found = false;
  return Resolved{};
}

/// Of an enclosing class only constants are seen.
bool check_enclosing(const Resolved& found, const Scope& at, const ast::NamePart& part, Diagnostics& d) {
  if (found.kind != ResolvedKind::component) return true;
  const Instance& c = found.component();
  bool constant = c.variability == Variability::constant || (c.is_final && c.variability == Variability::parameter);
  if (!constant)
    d.error(codes::not_constant_outside, part.span, {part.identifier, full_name(*at.lexical)}, {{c.span, "declared here"}});
  return constant;
}

Result<Resolved> find_first(InstanceTree& tree, const Scope& scope, const ast::Reference& reference, Diagnostics& d) {
  const ast::NamePart& part = reference.parts[0];
  Store& store = tree.store();
  if (Type type = builtin_type(part.identifier); type != Type::none)
    return Resolved{.kind = ResolvedKind::builtin_type, .type = type};
  bool found = false, encapsulated = false;
  if (!reference.global) {
    for (Scope at = scope; at.lexical && !encapsulated; at = outer_scope(store, at)) {
      auto component = component_in(tree, at, reference, found, d);
      if (component && found && at.lexical != scope.lexical && !check_enclosing(*component, at, part, d))
        return d.already_reported();
      if (!component || found) return component;
      auto cls = class_member(store, *at.lexical, part.identifier, d);
      if (!cls) return d.already_reported();
      if (*cls) return class_result(tree, at, **cls, d);
      auto by_import = imported(store, *at.lexical, part.identifier, part.span, d);
      if (!by_import) return d.already_reported();
      if (*by_import) return from_named(tree, scope, *by_import, part, false, d);
      encapsulated = at.lexical->ast->encapsulated;
    }
    auto outside = outside_all(tree, scope, part, encapsulated, found, d);
    if (!outside || found) return outside;
  } else {
    auto named = outermost(store, part.identifier, false, d);
    if (!named) return d.already_reported();
    if (*named) return from_named(tree, scope, *named, part, false, d);
    if (std::string_view name = builtin_function(part.identifier); !name.empty()) {
      return Resolved{.kind = ResolvedKind::builtin_function, .name = name};
    }
  }
  return unknown_first(tree, scope, reference, d);
}

/// Whether `A.x` may take something out of A: a package, or much like one, that is complete.
bool check_open(Store& store, const Definition& from, const ast::NamePart& part, Diagnostics& d) {
  const ast::Class& text = *real_class(store, from).ast;
  if (text.partial) {
    d.error(codes::partial_class, part.span, {full_name(from)}, {{text.name_span, "declared here"}});
    return false;
  }
  auto like = is_like_a_package(store, from, d);
  if (!like) return false;
  if (!*like)
    d.error(codes::not_like_a_package, part.span, {part.identifier, full_name(from)}, {{text.name_span, "declared here"}});
  return *like;
}

/// A class of a partial package may be complete, though [MLS, 5.3.2] rules it out: warned of once.
bool warn_of_partial(Store& store, const Definition& from, const Definition& cls, const ast::NamePart& part,
                     Diagnostics& d) {
  const ast::Class& text = *real_class(store, from).ast;
  if (!text.partial || text.kind != ast::ClassKind::package) return false;
  if (store.told_partial.insert(&from).second)
    d.warning(codes::out_of_partial, part.span, {full_name(cls), full_name(from)}, {{text.name_span, "declared here"}});
  return true;
}

/// Whether the class may be taken out of the other by `A.B`: it is public, and A a package, or much like one, or around
/// `inside`, the place where the name stands: then B alone would mean the same. Names from the top (`.A.B`) stand nowhere.
bool check_taken(InstanceTree& tree, const Definition* inside, const Definition& from, const Definition& cls,
                 const ast::NamePart& part, Diagnostics& d) {
  const ast::Class& text = *cls.ast;
  if (text.prefixes.protected_) {
    d.error(codes::protected_element, part.span, {part.identifier, full_name(from)}, {{text.name_span, "declared here"}});
    return false;
  }
  for (const Definition* around = inside; around; around = around->parent)
    if (around == &from) return true;
  return text.encapsulated || warn_of_partial(tree.store(), from, cls, part, d) || check_open(tree.store(), from, part, d);
}

/// A component of the class as its text has it, or else as what a redeclaration around it puts in its place.
Result<const ast::Component*> component_of_class(InstanceTree& tree, const Resolved& cls, std::string_view name,
                                                 Diagnostics& d) {
  Store& store = tree.store();
  auto own = component_member(store, *cls.definition, name, d);
  if (!own || *own || !cls.enclosing) return own;
  auto predefined = is_predefined_type(store, *cls.definition, d);
  if (!predefined) return d.already_reported();
  if (*predefined) return own;
  auto package = package_of(tree, *cls.definition, cls.enclosing, d);
  if (!package) return d.already_reported();
  return (*package)->definition == cls.definition ? own : component_member(store, *(*package)->definition, name, d);
}

Result<Resolved> step_into_class(InstanceTree& tree, const Definition* inside, const Resolved& at, const ast::NamePart& part,
                                 Diagnostics& d) {
  Store& store = tree.store();
  const Definition& definition = *at.definition;
  auto cls = member_class(tree, at, part.identifier, d);
  if (!cls) return cls;
  if (cls->definition) {
    if (!check_taken(tree, inside, definition, *cls->definition, part, d)) return d.already_reported();
    return cls;
  }
  auto component = component_of_class(tree, at, part.identifier, d);
  if (!component) return d.already_reported();
  if (*component) {
    if ((*component)->prefixes.protected_) {
      return d.error(codes::protected_element, part.span, {part.identifier, full_name(definition)},
                     {{(*component)->name_span, "declared here"}});
    }
    if (!check_open(store, definition, part, d)) return d.already_reported();
    return constant_result(tree, definition, at.enclosing, part, d);
  }
  auto predefined = is_predefined_type(store, definition, d);
  if (!predefined) return d.already_reported();
  if (*predefined) {
    auto chain = resolve_class(tree, definition, at.enclosing, part.span, d);
    if (!chain) return d.already_reported();
    for (std::size_t i = 0; chain->definition && i < chain->definition->ast->literals.size(); ++i) {
      if (chain->definition->ast->literals[i].name != part.identifier) continue;
      return Resolved{.kind = ResolvedKind::enumeration_literal,
                      .definition = chain->definition,
                      .literal = static_cast<std::int64_t>(i) + 1};
    }
    if (chain->definition) return unknown_literal(*chain->definition, part, d);
  }
  return unknown_member(tree, definition, part, d);
}

Result<Resolved> step_into_component(InstanceTree& tree, Resolved at, const ast::NamePart& part, Diagnostics& d) {
  const Instance& component = at.component();
  auto condition = decide_condition(tree, component, d);
  if (!condition) return d.already_reported();
  if (component.removed) {
    at.removed = true;
    return at;
  }
  auto child = child_of(tree, component, part.identifier, d);
  if (!child) return d.already_reported();
  if (*child) {
    if ((*child)->is_hidden) {
      return d.error(codes::protected_element, part.span, {part.identifier, path_of(component)},
                     {{(*child)->span, "declared here"}});
    }
    if ((*child)->parent != &component) {  // outer: from the inner component's place on
      while (!at.path.empty() && at.path.back().instance != (*child)->parent) at.path.pop_back();
      at.through_outer = true;
    }
    at.path.push_back({*child, part.subscripts});
    return at;
  }
  if (component.definition && component.type == Type::none) {
    auto cls = class_member(tree.store(), *component.definition, part.identifier, d);
    if (!cls) return d.already_reported();
    if (*cls && (*cls)->ast->prefixes.protected_) {
      return d.error(codes::protected_element, part.span, {part.identifier, path_of(component)},
                     {{(*cls)->ast->name_span, "declared here"}});
    }
    if (*cls && component.declaration && component.declaration->condition)
      return d.error(codes::conditional_used, part.span, {path_of(component)}, {{component.span, "declared here"}});
    for (const PathPart& way : at.path)
      if (*cls && way.instance->rank() > 0)
        return d.error(codes::class_of_array, part.span, {part.identifier, path_of(*way.instance)},
                       {{way.instance->span, "declared here"}});
    if (*cls) return class_in(tree, &component, **cls, d);
  }
  return unknown_child(tree, component, part, d);
}

}  // namespace

Result<Resolved> lookup(InstanceTree& tree, const Scope& scope, const ast::Reference& reference, Diagnostics& d) {
  auto at = find_first(tree, scope, reference, d);
  bool through_class = false;  // the way leads into a class and out of it to a constant
  for (std::size_t i = 1; at && i < reference.parts.size() && !at->removed; ++i) {
    const ast::NamePart& part = reference.parts[i];
    switch (at->kind) {
      case ResolvedKind::component: {
        const Instance& from = at->component();
        at = step_into_component(tree, std::move(*at), part, d);
        if (at && at->kind == ResolvedKind::class_ && through_class)
          return d.error(codes::class_of_constant, part.span, {part.identifier, from.name}, {{from.span, "declared here"}});
        break;
      }
      case ResolvedKind::class_:
        through_class = true;
        at = step_into_class(tree, reference.global ? nullptr : scope.lexical, *at, part, d);
        break;
      case ResolvedKind::builtin_function: {
        std::string_view whole = builtin_function(std::string(at->name) + "." + std::string(part.identifier));
        if (whole.empty()) return unknown_in(std::string(at->name), part, {}, d);
        at->name = whole;
        break;
      }
      case ResolvedKind::enumeration_literal:
      case ResolvedKind::builtin_type:
      case ResolvedKind::time:
        return unknown_in("`" + std::string(reference.parts[i - 1].identifier) + "`", part, {}, d);
    }
  }
  if (at && at->kind == ResolvedKind::component && !at->removed) {
    auto condition = decide_condition(tree, at->component(), d);
    if (!condition) return d.already_reported();
    at->removed = at->component().removed;
    if (tree.store().broken.contains(&at->component())) return report_broken(tree, at->component(), d);
  }
  return at;
}

namespace {

/// Of `P.A` in a package P that has a class P without A: the A of the package, which the class hides; undefined where there
/// is none either. Warned of, once.
Result<Resolved> behind(InstanceTree& tree, const Scope& scope, const Definition& hides, const ast::Reference& name,
                        Diagnostics& d) {
  Store& store = tree.store();
  const ast::NamePart &first = name.parts[0], &part = name.parts[1];
  if (name.global || store.library->options().strict) return Resolved{};
  for (const Definition* around = hides.parent; around; around = around->parent) {
    if (around->name() != first.identifier) continue;
    auto package = class_result(tree, scope, *around, d);
    if (!package) return package;
    auto cls = member_class(tree, *package, part.identifier, d);
    if (!cls || !cls->definition) return cls;
    if (store.told_partial.insert(&hides).second)
      d.warning(codes::hidden_package, first.span,
                {first.identifier, full_name(hides), part.identifier, "the package " + full_name(*around)},
                {{hides.ast->name_span, "declared here"}});
    return cls;
  }
  return Resolved{};
}

Result<Resolved> find_type(InstanceTree& tree, const Scope& scope, const ast::Reference& name, bool inherited_first,
                           Diagnostics& d) {
  Store& store = tree.store();
  const ast::NamePart& first = name.parts[0];
  auto named = name.global ? outermost(store, first.identifier, false, d)
                           : find_class(store, scope.lexical, first.identifier, inherited_first, first.span, d);
  if (!named) return d.already_reported();
  if (!*named) return unknown_type(tree, scope, name, d);
  if (named->builtin != Type::none && name.parts.size() == 1)
    return Resolved{.kind = ResolvedKind::builtin_type, .type = named->builtin};
  if (!named->definition) {
    return d.error(codes::not_a_class, first.span,
                   {first.identifier, named->constant_of ? "a constant" : "a predefined type without members"});
  }
  auto at = name.global ? class_in(tree, nullptr, *named->definition, d) : class_result(tree, scope, *named->definition, d);
  const Definition* inside = name.global ? nullptr : scope.lexical;
  for (const ast::NamePart& part : name.parts.subspan(1)) {
    if (!at) return at;
    auto next = member_class(tree, *at, part.identifier, d);
    if (!next) return next;
    if (!next->definition && &part == &name.parts[1]) {
      auto hidden = behind(tree, scope, *at->definition, name, d);
      if (!hidden) return hidden;
      if (hidden->definition) {
        at = std::move(hidden);
        continue;
      }
    }
    if (!next->definition) return unknown_member(tree, *at->definition, part, d);
    if (!check_taken(tree, inside, *at->definition, *next->definition, part, d)) return d.already_reported();
    at = std::move(next);
  }
  return at;
}

}  // namespace

Result<Resolved> lookup_type(InstanceTree& tree, const Scope& scope, const ast::Reference& name, Diagnostics& d) {
  return find_type(tree, scope, name, true, d);
}

Result<Resolved> lookup_base(InstanceTree& tree, const Scope& scope, const ast::Reference& name, Diagnostics& d) {
  return find_type(tree, scope, name, false, d);
}

}  // namespace bolza::instance
