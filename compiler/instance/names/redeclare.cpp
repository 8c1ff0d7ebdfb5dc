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

/// The definition of a class that a redeclaration writes: that of the library when it stands in a class, else a new one.
Result<const Definition*> definition_of(Store& store, const Mod& mod, Diagnostics& d) {
  const ast::Class& cls = *mod.argument->element->class_;
  const Definition* in = mod.scope.lexical;
  auto key = std::pair(&cls, in);
  if (auto it = store.redeclared.find(key); it != store.redeclared.end()) return it->second;
  const Definition* found = nullptr;
  if (in) {
    auto own = store.library->member(*in, cls.name, d);
    if (!own) return own;
    if (*own && (*own)->ast == &cls) found = *own;
  }
  if (!found) {
    store.definitions.push_back({&cls, in, cls.name_span.file, in && in->from_library});
    found = &store.definitions.back();
  }
  store.redeclared.emplace(key, found);
  return found;
}

bool is_replaceable(const ast::Argument& argument) {
  if (argument.kind == ast::ArgumentKind::replaceable) return true;
  return argument.element->class_ ? argument.element->class_->prefixes.replaceable
                                  : argument.element->component->prefixes.replaceable;
}

/// E216, E212 for redeclarations of something that is not replaceable (any more).
bool check_replaceable(const Selection& selection, std::string_view name, bool original, Span declared, Diagnostics& d) {
  for (std::size_t i = 0; i < selection.redeclarations.size(); ++i) {
    const Mod& by = *selection.redeclarations[i];
    bool last = i + 1 == selection.redeclarations.size();
    const Mod* weaker = last ? nullptr : selection.redeclarations[i + 1];
    if (last ? original : is_replaceable(*weaker->argument)) continue;
    d.error(codes::not_redeclarable, by.argument->span, {name, "it is not declared `replaceable`"},
            {{last ? declared : weaker->argument->span, "declared here"}});
    return false;
  }
  return true;
}

const ast::ConstrainedBy* constraint_of(const ast::Argument& argument) {
  const ast::Element& element = *argument.element;
  return element.class_ ? element.class_->constrained_by : element.component->constrained_by;
}

/// The plain modifications among the hits, split at the redeclaration that counts.
void split(const Selection& selection, Environment& stronger, Environment& weaker) {
  bool after = false;
  Selection before_it, after_it;
  for (const Mod& mod : selection.mods) {
    if (mod.redeclares()) after = true;
    else (after ? after_it : before_it).mods.push_back(mod);
  }
  inside(before_it, {}, stronger);
  inside(after_it, {}, weaker);
}

/// A constraining clause with the scope it was written in.
struct Promise {
  const ast::ConstrainedBy* clause = nullptr;
  Scope scope;
};

/// Those that a replacement by `selection.redeclarations[0]` has to keep: of the weaker redeclarations and the original.
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

/// @param own  the class that is declared, null for a component
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

}  // namespace

Result<Resolved> class_in(InstanceTree& tree, const Instance* enclosing, const Definition& found, Diagnostics& d) {
  Store& store = tree.store();
  Resolved plain{.kind = ResolvedKind::class_, .definition = &found, .enclosing = enclosing};
  if (!enclosing) return plain;
  if (!expand(tree, *enclosing, d)) return d.already_reported();
  NameIn key{enclosing, found.name()};
  auto entry = store.class_entries.find(key);
  if (entry == store.class_entries.end()) return plain;
  if (auto known = store.effective_classes.find(key); known != store.effective_classes.end()) {
    return Resolved{.kind = ResolvedKind::class_, .definition = known->second.first, .enclosing = known->second.second};
  }
  const Definition& original = *entry->second.definition;
  Selection selection = select(*entry->second.environment, found.name(), false);
  std::erase_if(selection.redeclarations, [](const Mod* mod) { return !mod->argument->element->class_; });
  const ast::ConstrainedBy* constraint = original.ast->constrained_by;
  const Mod* by = selection.redeclarations.empty() ? nullptr : selection.redeclarations[0];
  Resolved result = plain;
  result.definition = &original;
  ConfiguredClass configured;
  split(selection, configured.stronger, configured.weaker);
  if (by) {
    if (!check_replaceable(selection, found.name(), original.ast->prefixes.replaceable, original.ast->name_span, d))
      return d.already_reported();
    auto replacement = definition_of(store, *by, d);
    if (!replacement) return d.already_reported();
    result.definition = *replacement;
    result.enclosing = by->scope.instance;
  }
  if (original.ast->prefixes.final_ && !selection.hits.empty()) {
    return d.error(codes::final_modified, selection.hits[0]->argument->span, {found.name()},
                   {{original.ast->name_span, "declared final here"}});
  }
  if (!check_final(selection, found.name(), d)) return d.already_reported();
  if (original.ast->prefixes.protected_ && !selection.hits.empty() && selection.hits[0]->from_outside)
    return d.error(codes::protected_modified, selection.hits[0]->argument->span, {found.name(), full_name(*original.parent)},
                   {{original.ast->name_span, "declared here"}});
  for (const Mod* redeclaration : selection.redeclarations) {
    if (const auto* c = constraint_of(*redeclaration->argument))
      enter(c->modification, redeclaration->scope, {}, false, false, false, configured.weaker);
  }
  Scope scope{enclosing, original.parent};
  if (constraint) enter(constraint->modification, scope, {}, false, false, false, configured.weaker);
  else if (by) enter(original.ast->modification, scope, {}, false, false, false, configured.weaker);
  if (!configured.stronger.empty() || !configured.weaker.empty()) {
    configured.definition = result.definition;
    store.definitions.push_back(*result.definition);
    result.definition = &store.definitions.back();
    store.configured.emplace(result.definition, std::move(configured));
  }
  store.effective_classes.emplace(key, std::pair(result.definition, result.enclosing));
  std::vector<Promise> all = promises(selection, constraint, scope);
  if (!by && all.empty()) return result;
  Span at = by ? by->argument->span : original.ast->name_span;
  auto type = resolve_class(tree, *result.definition, result.enclosing, at, d);
  if (!type || !keeps_all(tree, *type, &real_class(store, *result.definition), all, original.name(), at, d))
    return d.already_reported();
  if (by && !constraint) {
    auto promised = resolve_class(tree, original, enclosing, at, d);
    if (!keeps_promise(tree, *type, promised, original.name(), at, original.ast->name_span, d)) return d.already_reported();
  }
  return result;
}

Result<bool> is_configured(InstanceTree& tree, const Definition& definition, Diagnostics& d) {
  Store& store = tree.store();
  if (store.configured.contains(&definition)) return true;
  if (auto it = store.is_configured.find(&definition); it != store.is_configured.end()) return it->second;
  store.is_configured[&definition] = false;  // while it is being found out: cycles of classes end
  const ast::Class& cls = *definition.ast;
  auto says = [](const ast::Modification* modification) { return modification && !modification->arguments.empty(); };
  bool answer = says(cls.modification) || cls.prefixes.redeclare || cls.prefixes.replaceable;
  for (const ast::Element* element : cls.elements) {
    answer |= element->kind == ast::ElementKind::class_ &&
              (element->class_->prefixes.redeclare || element->class_->prefixes.replaceable);
    answer |= element->kind == ast::ElementKind::extends && says(element->extends->modification);
  }
  if (!answer) {
    auto bases = bases_of(store, definition, d);
    if (!bases) return d.already_reported();
    for (const Base& base : *bases) {
      if (!base.definition || answer) continue;
      auto inner = is_configured(tree, *base.definition, d);
      if (!inner) return inner;
      answer = *inner;
    }
  }
  return store.is_configured[&definition] = answer;
}

Result<Resolved> member_class(InstanceTree& tree, const Resolved& outer, std::string_view name, Diagnostics& d) {
  Store& store = tree.store();
  const Definition* in = outer.definition;
  const Instance* holder = nullptr;
  auto configured = is_configured(tree, *in, d);
  if (!configured) return d.already_reported();
  if (*configured) {
    auto package = package_of(tree, *in, outer.enclosing, d);
    if (!package) return d.already_reported();
    holder = *package;
    in = holder->definition;
  }
  auto member = class_member(store, *in, name, d);
  if (!member) return d.already_reported();
  if (!*member) return Resolved{.kind = ResolvedKind::class_};
  return class_in(tree, holder, **member, d);
}

Result<CountingDeclaration> counting_declaration(const ast::Component& original, const Scope& scope,
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
  if (!same_type && !check_replaceable(selection, path, original.prefixes.replaceable, original.name_span, d))
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
