// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/instance/store_internal.h"

/// Looking up classes by their place in the source, without instances.
namespace bolza::instance {

/// The bases a class names in its text. One that cannot be found is left out (instantiation reports it).
Result<std::vector<Base>> bases_of(InstanceTree::Store& store, const Definition& definition, Diagnostics& diagnostics);

/// The class `name` declared in the class or inherited; null when there is none.
Result<const Definition*> class_member(InstanceTree::Store& store, const Definition& definition, std::string_view name,
                                       Diagnostics& diagnostics);
/// The class `name` that the bases of a class have; null when there is none.
Result<const Definition*> inherited_class_member(InstanceTree::Store& store, const Definition& definition,
                                                 std::string_view name, Diagnostics& diagnostics);
/// Whether the class declares or inherits a component of that name; null when it does not.
Result<const ast::Component*> component_member(InstanceTree::Store& store, const Definition& definition,
                                               std::string_view name, Diagnostics& diagnostics);
/// What an import clause of exactly this class means by `name`.
Result<Named> imported(InstanceTree::Store& store, const Definition& definition, std::string_view name, Span used_at,
                       Diagnostics& diagnostics);
/// A name outside all classes: predefined types, the user's classes, the path.
Result<Named> outermost(InstanceTree::Store& store, std::string_view name, bool only_predefined, Diagnostics& diagnostics);
/// Members of classes from a first class on: `A.B.C` after A was found.
Result<Named> members_from(InstanceTree::Store& store, const Definition& first, ast::List<ast::NamePart> rest,
                           Diagnostics& diagnostics);
/// A class by its first name: members of the lexical classes outwards, imports, predefined, top level.
/// @param inherited_first  whether members that `lexical` itself inherits count (not for its own extends clauses)
Result<Named> find_class(InstanceTree::Store& store, const Definition* lexical, std::string_view name, bool inherited_first,
                         Span used_at, Diagnostics& diagnostics);
/// Whether a class is a predefined type with modifications: `type L = Real(unit = "m")`, or one that extends Real.
Result<bool> is_predefined_type(InstanceTree::Store& store, const Definition& definition, Diagnostics& diagnostics);
/// Whether a class can serve as a package: it is one, or it and its bases hold nothing but classes and constants.
Result<bool> is_like_a_package(InstanceTree::Store& store, const Definition& definition, Diagnostics& diagnostics);
/// Whether `definition` is `base` or inherits from it.
Result<bool> inherits(InstanceTree::Store& store, const Definition& definition, const Definition& base,
                      Diagnostics& diagnostics);
Type builtin_type(std::string_view name);

}  // namespace bolza::instance
