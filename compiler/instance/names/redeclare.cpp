// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "compiler/instance/library/codes.h"
#include "compiler/instance/names/class_lookup_internal.h"
#include "compiler/instance/names/redeclare_internal.h"

namespace bolza::instance {

using Store = InstanceTree::Store;

const Definition& real_class(const Store& store, const Definition& definition) {
  auto it = store.configured.find(&definition);
  return it == store.configured.end() ? definition : *it->second.definition;
}

namespace {

bool is_replaceable(const ast::Argument& argument) {
  if (argument.kind == ast::ArgumentKind::replaceable) return true;
  return argument.element->class_ ? argument.element->class_->prefixes.replaceable
                                  : argument.element->component->prefixes.replaceable;
}

}  // namespace

bool check_replaceable(const Store& store, const Selection& selection, std::string_view name, bool original, Span declared,
                       Diagnostics& d) {
  bool strict = store.library->options().strict;
  for (std::size_t i = 0; i < selection.redeclarations.size(); ++i) {
    const Mod& by = *selection.redeclarations[i];
    bool last = i + 1 == selection.redeclarations.size();
    const Mod* weaker = last ? nullptr : selection.redeclarations[i + 1];
    if (last ? original : is_replaceable(*weaker->argument)) continue;
    std::vector<Note> here{{last ? declared : weaker->argument->span, "declared here"}};
    if (strict) d.error(codes::not_redeclarable, by.argument->span, {name, "it is not declared `replaceable`"}, here);
    else d.warning(codes::not_replaceable, by.argument->span, {name}, here);
    if (strict) return false;
  }
  return true;
}

const ast::ConstrainedBy* constraint_of(const ast::Argument& argument) {
  const ast::Element& element = *argument.element;
  return element.class_ ? element.class_->constrained_by : element.component->constrained_by;
}

std::vector<Promise> promises(const Selection& selection, const ast::ConstrainedBy* original, const Scope& scope) {
  std::vector<Promise> out;
  for (const Mod* mod : selection.redeclarations) {
    if (const auto* clause = constraint_of(*mod->argument)) out.push_back({clause, mod->scope});
  }
  if (original) out.push_back({original, scope});
  return out;
}

bool keeps_promise(InstanceTree& tree, const TypeChain& type, const Result<TypeChain>& promised, std::string_view name,
                   Span at, Span clause, Diagnostics& d) {
  auto why = promised ? plug_incompatibility(tree, type, *promised, d) : Result<std::string>(d.already_reported());
  if (!why) return false;
  if (why->empty()) return true;
  std::string what = type.definition ? full_name(*type.definition) : std::string(name_of(type.type));
  d.error(codes::does_not_fit, at, {what, name, *why}, {{clause, "promised here"}});
  return false;
}

namespace {

/// Array dimensions of the classes on the way of a type name, without those of `own`: what a declaration adds itself is not
/// compared with the constraining type. [MLS, 7.3.2].
std::size_t rank_of(const TypeChain& chain, const Definition* own) {
  std::size_t rank = 0;
  for (const AliasStep& step : chain.steps) rank += step.definition == own ? 0 : step.dimensions.size();
  return rank;
}

/// What a redeclaration promises instead must keep what was promised before.
bool promises_agree(InstanceTree& tree, const std::vector<Promise>& all, std::string_view name, Diagnostics& d) {
  for (std::size_t k = 0; k + 1 < all.size(); ++k) {
    auto narrower = resolve_type(tree, all[k].scope, *all[k].clause->type, false, d);
    auto wider = resolve_type(tree, all[k + 1].scope, *all[k + 1].clause->type, false, d);
    if (!narrower || !keeps_promise(tree, *narrower, wider, name, all[k].clause->span, all[k + 1].clause->span, d))
      return false;
  }
  return true;
}

}  // namespace

bool keeps_all(InstanceTree& tree, const TypeChain& type, const Definition* own, const std::vector<Promise>& all,
               std::string_view name, Span at, Diagnostics& d) {
  return promises_agree(tree, all, name, d) && std::all_of(all.begin(), all.end(), [&](const Promise& promise) {
           auto promised = resolve_type(tree, promise.scope, *promise.clause->type, false, d);
           if (!keeps_promise(tree, type, promised, name, at, promise.clause->span, d)) return false;
           std::size_t rank = rank_of(type, own), asked = rank_of(*promised, nullptr);
           if (rank == asked) return true;
           std::string what = type.definition ? full_name(*type.definition) : std::string(name_of(type.type));
           d.error(codes::does_not_fit, at,
                   {what, name, "its type has " + std::to_string(rank) + " dimensions instead of " + std::to_string(asked)},
                   {{promise.clause->span, "promised here"}});
           return false;
         });
}

Result<CountingDeclaration> counting_declaration(InstanceTree& tree, const ast::Component& original, const Scope& scope,
                                                 const Selection& selection, const std::string& path, Diagnostics& d) {
  CountingDeclaration counting{&original, scope, nullptr};
  for (const Mod* mod : selection.redeclarations) {
    if (mod->argument->element->component) continue;
    return d.error(codes::not_redeclarable, mod->argument->span, {path, "it is a component, not a class"},
                   {{original.name_span, "declared here"}});
  }
  if (selection.redeclarations.empty()) return counting;
  const Mod& by = *selection.redeclarations[0];
  const ast::Component& component = *by.argument->element->component;
  if (original.variability == ast::Variability::constant) {
    return d.error(codes::not_redeclarable, by.argument->span, {path, "it is a constant"},
                   {{original.name_span, "declared here"}});
  }
  bool same_type = component.type->parts.back().identifier == original.type->parts.back().identifier;
  if (!same_type && !check_replaceable(tree.store(), selection, path, original.prefixes.replaceable, original.name_span, d))
    return d.already_reported();
  counting = {&component, by.scope, &by};
  return counting;
}

bool check_component_fits(InstanceTree& tree, const CountingDeclaration& counting, const TypeChain& type,
                          const ast::Component& original, const Scope& scope, const Selection& selection, Diagnostics& d) {
  Span at = counting.by ? counting.by->argument->span : original.name_span;
  if (!keeps_all(tree, type, nullptr, promises(selection, original.constrained_by, scope), original.name, at, d))
    return false;
  if (!counting.by || original.constrained_by) return true;
  auto promised = resolve_type(tree, scope, *original.type, false, d);
  return keeps_promise(tree, type, promised, original.name, at, original.name_span, d);
}

void enter_declarations(const CountingDeclaration& counting, const ast::Component& original, const Scope& scope,
                        const Selection& selection, const std::vector<ArrayLevel>& levels, bool final_, Environment& out) {
  bool container = !levels.empty();
  const ast::ConstrainedBy* constraint = original.constrained_by;
  if (!counting.by) enter(original.modification, scope, levels, container, final_, true, out);
  for (const Mod* mod : selection.redeclarations) {
    if (const auto* c = constraint_of(*mod->argument))
      enter(c->modification, mod->scope, levels, container, false, true, out);
  }
  if (constraint) enter(constraint->modification, scope, levels, container, false, true, out);
  else if (counting.by) enter(original.modification, scope, levels, container, false, true, out);
}

}  // namespace bolza::instance
