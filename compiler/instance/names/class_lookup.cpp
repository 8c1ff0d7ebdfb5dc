// SPDX-License-Identifier: Apache-2.0
#include "compiler/instance/names/class_lookup_internal.h"

#include <algorithm>
#include <unordered_set>

#include "compiler/instance/library/codes.h"
#include "compiler/instance/names/redeclare_internal.h"

namespace bolza::instance {

using Store = InstanceTree::Store;

Type builtin_type(std::string_view name) {
  if (name == "Real") return Type::real;
  if (name == "Integer") return Type::integer;
  if (name == "Boolean") return Type::boolean;
  if (name == "String") return Type::string;
  return Type::none;
}

namespace {

constexpr std::size_t longest_extends_chain =
    200;  // of classes that extend each other; beyond that it is a cycle or a machine's work

/// The class a whole name means, from the text of a class; nothing when some part is missing.
Result<Named> find_name(Store& store, const Definition* lexical, const ast::Reference& name, bool inherited_first,
                        Diagnostics& d) {
  auto first = name.global ? outermost(store, name.parts[0].identifier, false, d)
                           : find_class(store, lexical, name.parts[0].identifier, inherited_first, name.span, d);
  if (!first || !*first || name.parts.size() == 1) return first;
  if (!first->definition) return Named{};
  return members_from(store, *first->definition, name.parts.subspan(1), d);
}

Result<Done> add_base(Store& store, const Definition& of, const ast::Extends* extends, const ast::Reference& name,
                      const Definition* lexical, bool inherited_first, std::vector<Base>& out, Diagnostics& d) {
  auto found = find_name(store, lexical, name, inherited_first, d);
  if (!found) return d.already_reported();
  if (found->definition == &of) return Done{};
  if (found->definition || found->builtin != Type::none) out.push_back({extends, found->definition, found->builtin});
  return Done{};
}

}  // namespace

Result<const Definition*> inherited_class_member(Store& store, const Definition& definition, std::string_view name,
                                                 Diagnostics& d) {
  auto bases = bases_of(store, definition, d);
  if (!bases) return d.already_reported();
  for (const Base& base : *bases) {
    auto cls = base.definition ? class_member(store, *base.definition, name, d) : Result<const Definition*>(nullptr);
    if (!cls || *cls) return cls;
  }
  return static_cast<const Definition*>(nullptr);
}

namespace {

/// What `model extends X` extends: the class of that name that the class around it inherits.
Result<Done> add_extended(Store& store, const Definition& of, std::vector<Base>& out, Diagnostics& d) {
  if (!of.parent) return Done{};
  auto inherited = inherited_class_member(store, *of.parent, of.name(), d);
  if (!inherited) return d.already_reported();
  if (*inherited && *inherited != &of) out.push_back({nullptr, *inherited, Type::none});
  return Done{};
}

}  // namespace

Result<std::vector<Base>> bases_of(Store& store, const Definition& given, Diagnostics& d) {
  const Definition& definition = real_class(store, given);
  if (auto it = store.bases.find(&definition); it != store.bases.end()) return it->second;
  if (!store.bases_in_progress.insert(&definition).second) return std::vector<Base>{};
  std::vector<Base> out;
  bool good = true;
  const ast::Class& cls = *definition.ast;
  if (cls.form == ast::ClassForm::alias && cls.base) {
    good = bool(add_base(store, definition, nullptr, *cls.base, definition.parent, true, out, d));
  }
  bool complete = cls.form != ast::ClassForm::extending || !store.bases_in_progress.contains(definition.parent);
  if (cls.form == ast::ClassForm::extending) good = bool(add_extended(store, definition, out, d));
  for (const ast::Element* element : cls.elements) {
    if (element->kind != ast::ElementKind::extends) continue;
    good = bool(add_base(store, definition, element->extends, *element->extends->type, &definition, false, out, d)) && good;
  }
  store.bases_in_progress.erase(&definition);
  if (!good) return d.already_reported();
  if (!complete) return out;
  return store.bases[&definition] = std::move(out);
}

namespace {

Result<const Definition*> class_member(Store& store, const Definition& definition, std::string_view name, std::size_t depth,
                                       Diagnostics& d) {
  NameIn key{&definition, name};
  if (auto it = store.class_members.find(key); it != store.class_members.end()) return it->second;
  auto own = store.library->member(definition, name, d);
  if (!own) return own;
  const Definition* found = *own;
  bool complete = !store.bases_in_progress.contains(&definition);
  if (!found && depth < longest_extends_chain) {
    auto bases = bases_of(store, definition, d);
    if (!bases) return d.already_reported();
    for (const Base& base : *bases) {
      if (!base.definition || base.definition == &definition) continue;
      auto inherited = class_member(store, *base.definition, name, depth + 1, d);
      if (!inherited) return inherited;
      if ((found = *inherited)) break;
    }
  }
  if (found) store.class_members.emplace(NameIn{&definition, found->name()}, found);
  else if (complete && store.bases_in_progress.empty()) store.class_members.emplace(key, found);
  return found;
}

const std::unordered_map<std::string_view, const ast::Component*>& own_components(Store& store,
                                                                                  const Definition& definition) {
  auto [it, fresh] = store.components.try_emplace(&definition);
  if (fresh) {
    for (const ast::Element* element : definition.ast->elements) {
      if (element->kind == ast::ElementKind::component) it->second.emplace(element->component->name, element->component);
    }
  }
  return it->second;
}

using Seen = std::unordered_set<const Definition*>;  // classes are inherited along many ways, and looked at once

Result<const ast::Component*> component_member(Store& store, const Definition& definition, std::string_view name,
                                               std::size_t depth, Seen& seen, Diagnostics& d) {
  if (!seen.insert(&definition).second) return static_cast<const ast::Component*>(nullptr);
  const auto& own = own_components(store, definition);
  if (auto it = own.find(name); it != own.end()) return it->second;
  if (depth >= longest_extends_chain) return static_cast<const ast::Component*>(nullptr);
  auto bases = bases_of(store, definition, d);
  if (!bases) return d.already_reported();
  for (const Base& base : *bases) {
    if (!base.definition) continue;
    auto inherited = component_member(store, *base.definition, name, depth + 1, seen, d);
    if (!inherited || *inherited) return inherited;
  }
  return static_cast<const ast::Component*>(nullptr);
}

Result<bool> is_predefined_type(Store& store, const Definition& definition, std::size_t depth, Diagnostics& d) {
  if (auto it = store.is_predefined_type.find(&definition); it != store.is_predefined_type.end()) return it->second;
  bool answer = false;
  const ast::Class& cls = *definition.ast;
  if (cls.form == ast::ClassForm::enumeration) {
    answer = true;
  } else if (depth < longest_extends_chain &&
             (cls.form == ast::ClassForm::alias || cls.kind == ast::ClassKind::type ||
              cls.kind == ast::ClassKind::connector || cls.kind == ast::ClassKind::class_)) {
    auto bases = bases_of(store, definition, d);
    if (!bases) return d.already_reported();
    for (const Base& base : *bases) {
      if (base.builtin != Type::none) answer = true;
      if (!base.definition || answer) continue;
      auto inner = is_predefined_type(store, *base.definition, depth + 1, d);
      if (!inner) return inner;
      answer = *inner;
    }
  }
  return store.is_predefined_type[&definition] = answer;
}

bool holds_only_constants(const ast::Class& cls) {
  bool constants = std::all_of(cls.elements.begin(), cls.elements.end(), [](const ast::Element* element) {
    return element->kind != ast::ElementKind::component || element->component->variability == ast::Variability::constant;
  });
  return constants && cls.equations.empty() && cls.algorithms.empty() && !cls.external;
}

Result<bool> is_like_a_package(Store& store, const Definition& definition, std::size_t depth, Seen& seen, Diagnostics& d) {
  if (!seen.insert(&definition).second) return true;
  const ast::Class& cls = *definition.ast;
  if (cls.kind == ast::ClassKind::package || cls.kind == ast::ClassKind::operator_ ||
      cls.kind == ast::ClassKind::operator_record || depth >= longest_extends_chain)
    return true;
  if (!holds_only_constants(cls)) return false;
  auto bases = bases_of(store, definition, d);
  if (!bases) return d.already_reported();
  for (const Base& base : *bases) {
    if (base.builtin != Type::none) return false;
    Result<bool> deeper = true;
    if (base.definition) deeper = is_like_a_package(store, *base.definition, depth + 1, seen, d);
    if (!deeper || !*deeper) return deeper;
  }
  return true;
}

Result<bool> inherits(Store& store, const Definition& definition, const Definition& base, std::size_t depth, Seen& seen,
                      Diagnostics& d) {
  if (&definition == &base) return true;
  if (!seen.insert(&definition).second) return false;
  if (depth >= longest_extends_chain) return false;
  auto bases = bases_of(store, definition, d);
  if (!bases) return d.already_reported();
  for (const Base& b : *bases) {
    if (!b.definition) continue;
    auto deeper = inherits(store, *b.definition, base, depth + 1, seen, d);
    if (!deeper || *deeper) return deeper;
  }
  return false;
}

}  // namespace

Result<const Definition*> class_member(Store& store, const Definition& definition, std::string_view name, Diagnostics& d) {
  return class_member(store, real_class(store, definition), name, 0, d);
}
Result<const ast::Component*> component_member(Store& store, const Definition& definition, std::string_view name,
                                               Diagnostics& d) {
  Seen seen;
  return component_member(store, real_class(store, definition), name, 0, seen, d);
}
Result<bool> is_predefined_type(Store& store, const Definition& definition, Diagnostics& d) {
  return is_predefined_type(store, real_class(store, definition), 0, d);
}
Result<bool> is_like_a_package(Store& store, const Definition& definition, Diagnostics& d) {
  Seen seen;
  return is_like_a_package(store, real_class(store, definition), 0, seen, d);
}
Result<bool> inherits(Store& store, const Definition& definition, const Definition& base, Diagnostics& d) {
  Seen seen;
  return inherits(store, real_class(store, definition), real_class(store, base), 0, seen, d);
}

namespace {

/// A literal of an enumeration; nothing when there is none of that name.
Named literal_named(const Definition& type, std::string_view name) {
  const auto& literals = type.ast->literals;
  for (std::size_t i = 0; i < literals.size(); ++i)
    if (literals[i].name == name)
      return {.constant_of = &type, .constant = name, .literal = static_cast<std::int64_t>(i) + 1};
  return {};
}

Result<Named> constant_or_literal(Store& store, const Definition& definition, std::string_view name, Diagnostics& d) {
  if (Named literal = literal_named(definition, name)) return literal;
  auto constant = component_member(store, definition, name, d);
  if (!constant) return d.already_reported();
  return *constant ? Named{.constant_of = &definition, .constant = name} : Named{};
}

}  // namespace

Result<Named> members_from(Store& store, const Definition& first, ast::List<ast::NamePart> rest, Diagnostics& d) {
  const Definition* at = &first;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    auto next = class_member(store, *at, rest[i].identifier, d);
    if (!next) return d.already_reported();
    if (*next) {
      at = *next;
      continue;
    }
    if (i + 1 < rest.size()) return Named{};
    return constant_or_literal(store, *at, rest[i].identifier, d);
  }
  return Named{.definition = at};
}

Result<Named> outermost(Store& store, std::string_view name, bool only_predefined, Diagnostics& d) {
  if (Type type = builtin_type(name); type != Type::none) return Named{.builtin = type};
  if (!only_predefined) {
    auto top = store.library->top_level(name, d);
    if (!top) return d.already_reported();
    if (*top) return Named{.definition = *top};
  }
  if (name == "Clock") return Named{.builtin = Type::clock};  // not reserved: libraries have blocks of that name
  auto predefined = store.library->predefined(name, d);
  if (!predefined) return d.already_reported();
  return Named{.definition = *predefined};
}

namespace {

/// The class or constant that `A.B.C` names from the top; imports always start there.
Result<Named> from_top(Store& store, const ast::Reference& name, Diagnostics& d) {
  auto first = outermost(store, name.parts[0].identifier, false, d);
  if (!first || !*first || name.parts.size() == 1) return first;
  if (!first->definition) return Named{};
  return members_from(store, *first->definition, name.parts.subspan(1), d);
}

Result<Named> member_or_constant(Store& store, const Definition& package, std::string_view name, Diagnostics& d) {
  auto cls = class_member(store, package, name, d);
  if (!cls) return d.already_reported();
  if (*cls) return Named{.definition = *cls};
  return constant_or_literal(store, package, name, d);
}

const std::vector<const ast::Import*>& imports_of(Store& store, const Definition& definition) {
  auto [it, fresh] = store.imports.try_emplace(&definition);
  if (fresh) {
    for (const ast::Element* element : definition.ast->elements) {
      if (element->kind == ast::ElementKind::import_) it->second.push_back(element->import_);
    }
  }
  return it->second;
}

/// The first import that offers the name by itself; null when there is none.
const ast::Import* import_of(Store& store, const Definition& definition, std::string_view name) {
  auto [it, fresh] = store.imported_names.try_emplace(&definition);
  if (fresh)
    for (const ast::Import* import : imports_of(store, definition)) switch (import->kind) {
        case ast::ImportKind::qualified:
          it->second.try_emplace(import->name->parts.back().identifier, import);
          break;
        case ast::ImportKind::renaming:
          it->second.try_emplace(import->alias, import);
          break;
        case ast::ImportKind::several:
          for (const ast::NamePart& member : import->members) it->second.try_emplace(member.identifier, import);
          break;
        case ast::ImportKind::unqualified:
          break;
      }
  auto found = it->second.find(name);
  return found == it->second.end() ? nullptr : found->second;
}

Reported report_import(Store& store, const ast::Import& import, std::string_view name, Diagnostics& d) {
  std::string whole;
  for (const ast::NamePart& part : import.name->parts) whole += (whole.empty() ? "" : ".") + std::string(part.identifier);
  if (import.kind == ast::ImportKind::several) whole += "." + std::string(name);
  std::string_view top = import.name->parts[0].identifier;
  auto first = outermost(store, top, false, d);
  std::vector<Note> notes;
  if (first && !*first) notes.push_back({{}, store.library->missing_library_hint(top)});
  std::string hint = first && first->definition ? store.library->missing_member_hint(*first->definition) : "";
  if (!hint.empty()) notes.push_back({{}, std::move(hint)});
  return d.error(codes::unknown_class, import.name->span, {whole}, std::move(notes));
}

/// What an import found must be public and stand in a package. (A literal is a constant of its enumeration, which is as
/// good as a package.)
bool check_import(Store& store, const ast::Import& import, const Named& found, const Definition& from, std::string_view name,
                  Diagnostics& d) {
  if (found.literal > 0) return true;
  if (from.ast->kind != ast::ClassKind::package) {
    d.error(codes::import_from_non_package, import.span, {name, full_name(from)}, {{from.ast->name_span, "declared here"}});
    return false;
  }
  const ast::Prefixes* prefixes = found.definition ? &found.definition->ast->prefixes : nullptr;
  Span declared = found.definition ? found.definition->ast->name_span : Span{};
  if (found.constant_of) {
    auto constant = component_member(store, *found.constant_of, name, d);
    if (!constant) return false;
    if (*constant) {
      prefixes = &(*constant)->prefixes;
      declared = (*constant)->name_span;
    }
  }
  if (!prefixes || !prefixes->protected_) return true;
  d.error(codes::protected_element, import.span, {name, full_name(from)}, {{declared, "declared here"}});
  return false;
}

Result<Named> imported_unqualified(Store& store, const Definition& definition, std::string_view name, Span used_at,
                                   Diagnostics& d) {
  Named found;
  const ast::Import* by = nullptr;
  const Definition* package_found = nullptr;
  for (const ast::Import* import : imports_of(store, definition)) {
    if (import->kind != ast::ImportKind::unqualified) continue;
    auto package = from_top(store, *import->name, d);
    if (!package) return package;
    if (!package->definition) return report_import(store, *import, name, d);
    auto member = member_or_constant(store, *package->definition, name, d);
    if (!member) return member;
    if (!*member) continue;
    bool same = member->definition == found.definition && member->constant_of == found.constant_of;
    if (found && !same) {
      return d.error(codes::ambiguous_import, used_at, {name}, {{by->span, "imported here"}, {import->span, "and here"}});
    }
    found = *member;
    by = import;
    package_found = package->definition;
  }
  if (found && !check_import(store, *by, found, *package_found, name, d)) return d.already_reported();
  return found;
}

/// The class that an import takes something out of; null for `import A;`.
const Definition* package_of(const Named& found) {
  return found.constant_of ? found.constant_of : found.definition ? found.definition->parent : nullptr;
}

}  // namespace

Result<Named> imported(Store& store, const Definition& definition, std::string_view name, Span used_at, Diagnostics& d) {
  if (const ast::Import* import = import_of(store, definition, name)) {
    auto found = from_top(store, *import->name, d);
    if (!found) return found;
    if (*found && import->kind == ast::ImportKind::several) {
      if (!found->definition) return report_import(store, *import, name, d);
      found = member_or_constant(store, *found->definition, name, d);
      if (!found) return found;
    }
    if (!*found) return report_import(store, *import, name, d);
    std::string_view last = import->kind == ast::ImportKind::several ? name : import->name->parts.back().identifier;
    if (const Definition* from = package_of(*found); from && !check_import(store, *import, *found, *from, last, d))
      return d.already_reported();
    return found;
  }
  return imported_unqualified(store, definition, name, used_at, d);
}

Result<Named> find_class(Store& store, const Definition* lexical, std::string_view name, bool inherited_first, Span used_at,
                         Diagnostics& d) {
  if (Type type = builtin_type(name); type != Type::none) return Named{.builtin = type};
  NameIn key{lexical, name};
  if (inherited_first) {
    if (auto it = store.simple_names.find(key); it != store.simple_names.end()) return it->second;
  }
  bool encapsulated = false;
  Named found;
  for (const Definition* at = lexical; at && !found && !encapsulated; at = at->parent) {
    auto member =
        at == lexical && !inherited_first ? store.library->member(*at, name, d) : class_member(store, *at, name, d);
    if (!member) return d.already_reported();
    found.definition = *member;
    if (!found) {
      auto by_import = imported(store, *at, name, used_at, d);
      if (!by_import) return by_import;
      found = *by_import;
    }
    encapsulated = at->ast->encapsulated;
  }
  if (!found) {
    auto top = outermost(store, name, encapsulated, d);
    if (!top) return top;
    found = *top;
  }
  if (found && inherited_first) store.simple_names.emplace(key, found);
  return found;
}

}  // namespace bolza::instance
