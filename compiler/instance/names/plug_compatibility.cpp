// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "compiler/instance/library/codes.h"
#include "compiler/instance/names/class_lookup_internal.h"
#include "compiler/instance/names/redeclare_internal.h"
#include "compiler/syntax/print.h"

/// Plug-compatibility: what a constraining class promises, its replacement must have.
namespace bolza::instance {

using Store = InstanceTree::Store;

namespace {

struct Member {
  const ast::Component* component = nullptr;
  const Definition* in = nullptr;
};

/// The public components of a class and its bases, by their text.
Result<Done> gather_components(Store& store, const Definition& definition, std::vector<Member>& out,
                               std::set<const Definition*>& seen, Diagnostics& d) {
  if (!seen.insert(&definition).second) return Done{};
  for (const ast::Element* element : definition.ast->elements) {
    if (element->kind == ast::ElementKind::component && !element->component->prefixes.protected_)
      out.push_back({element->component, &definition});
  }
  auto bases = bases_of(store, definition, d);
  if (!bases) return d.already_reported();
  for (const Base& base : *bases) {
    if (base.definition && !gather_components(store, *base.definition, out, seen, d)) return d.already_reported();
  }
  return Done{};
}

/// The predefined type at the end of a type name, as far as the text alone tells.
Type basic_of(InstanceTree& tree, const ast::Reference& type, const Definition* lexical) {
  Diagnostics aside;
  auto chain = resolve_type(tree, {nullptr, lexical}, type, false, aside);
  return chain ? chain->type : Type::none;
}

std::string_view family(ast::ClassKind kind) {
  switch (kind) {
    case ast::ClassKind::function:
    case ast::ClassKind::operator_function:
      return "a function";
    case ast::ClassKind::package:
      return "a package";
    case ast::ClassKind::record:
    case ast::ClassKind::operator_record:
      return "a record";
    case ast::ClassKind::connector:
      return "a connector";
    case ast::ClassKind::operator_:
      return "an operator";
    case ast::ClassKind::type:
      return "a type";
    case ast::ClassKind::class_:
    case ast::ClassKind::model:
    case ast::ClassKind::block:
    case ast::ClassKind::optimization:
      return "a model";
  }
  return "";
}

std::string difference(InstanceTree& tree, const Member& promised, const Member& given) {
  const ast::Component &a = *promised.component, &b = *given.component;
  std::string name = "`" + std::string(a.name) + "`";
  if (a.connection != b.connection) return name + " differs in `flow` or `stream`";
  if (a.causality != b.causality && a.causality != ast::Causality::none && b.causality != ast::Causality::none) {
    return name + " differs in `input` and `output`";
  }
  Type x = basic_of(tree, *a.type, promised.in), y = basic_of(tree, *b.type, given.in);
  if (x != Type::none && y != Type::none && x != y) {
    return name + " is " + std::string(name_of(y)) + " instead of " + std::string(name_of(x));
  }
  return {};
}

}  // namespace

Result<std::string> plug_incompatibility(InstanceTree& tree, const TypeChain& type, const TypeChain& constraint,
                                         Diagnostics& d) {
  Store& store = tree.store();
  if (constraint.type != Type::none || type.type != Type::none) {
    bool same =
        type.type == constraint.type && (type.type != Type::enumeration || type.definition == constraint.definition ||
                                         constraint.definition->ast->literals.empty() ||
                                         literals_of(*type.definition) == literals_of(*constraint.definition));
    if (same) return std::string{};
    return "it is " + (type.type == Type::none ? "a class" : std::string(name_of(type.type))) + " instead of " +
           (constraint.type == Type::none ? "a class" : std::string(name_of(constraint.type)));
  }
  auto derived = inherits(store, *type.definition, *constraint.definition, d);
  if (!derived) return d.already_reported();
  if (*derived) return std::string{};
  if (family(type.kind) != family(constraint.kind) && family(constraint.kind) != "a type" && family(type.kind) != "a type") {
    return "it is " + std::string(family(type.kind)) + ", not " + std::string(family(constraint.kind));
  }
  std::vector<Member> promised;
  std::set<const Definition*> seen;
  if (!gather_components(store, *constraint.definition, promised, seen, d)) return d.already_reported();
  std::vector<Member> given;
  seen.clear();
  if (!gather_components(store, *type.definition, given, seen, d)) return d.already_reported();
  for (const Member& member : promised) {
    const Member* same = nullptr;
    for (const Member& candidate : given) {
      if (!same && candidate.component->name == member.component->name) same = &candidate;
    }
    if (!same) return "it has no public component `" + std::string(member.component->name) + "`";
    std::string why = difference(tree, member, *same);
    if (!why.empty()) return why;
  }
  if (constraint.definition->ast->kind == ast::ClassKind::package) {
    for (const std::string& name : store.library->member_names(*constraint.definition)) {
      auto member = class_member(store, *type.definition, name, d);
      if (!member) return d.already_reported();
      if (!*member) return "it has no class `" + name + "`";
    }
  }
  return std::string{};
}

}  // namespace bolza::instance
