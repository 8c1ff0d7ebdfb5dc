// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/instance/instance.h"

namespace bolza::instance {

enum class ResolvedKind : std::uint8_t {
  component,            // path
  class_,               // definition, enclosing: a function, a record constructor, a package, a type
  enumeration_literal,  // definition: the enumeration; literal: 1-based
  builtin_type,         // type: Real, Integer, Boolean, String used as a name
  builtin_function,     // name
  time,
};

/// One step of a component path. `subscripts` may be fewer than the rank (a slice), or none.
struct PathPart {
  const Instance* instance = nullptr;
  ast::List<ast::Subscript> subscripts;
};

/// What a reference means.
struct Resolved {
  ResolvedKind kind = ResolvedKind::component;
  /// component: from the first written name on. `path[0].instance->parent` is the scope's instance or one of its ancestors;
  /// up to there the array indices are those of the scope. A constant of a package has a parent that is the package's
  /// instance (its `class_kind` is package, it has no parent and no indices).
  std::vector<PathPart> path;
  const Definition* definition = nullptr;
  const Instance* enclosing = nullptr;
  std::int64_t literal = 0;
  Type type = Type::none;
  std::string_view name;
  bool through_outer = false;  ///< the name led from an outer component to its inner one, where the path begins or goes on
  bool removed = false;        ///< the path goes into a conditional component that is not there

  const Instance& component() const { return *path.back().instance; }
};

/// Resolves a name. Iterators are the caller's: look there first when `reference.parts[0]` is one.
/// Errors  E203 (unknown name) and others of E2xx, at the part that is wrong.
/// Cost    linear in the depth of the scope; may parse library files.
Result<Resolved> lookup(InstanceTree& tree, const Scope& scope, const ast::Reference& reference, Diagnostics& diagnostics);

/// The class a type name means, following no aliases; `builtin_type` for Real, Integer, Boolean, String.
Result<Resolved> lookup_type(InstanceTree& tree, const Scope& scope, const ast::Reference& reference,
                             Diagnostics& diagnostics);
/// The same for a base of `scope.lexical` (in an `extends` clause): what that class inherits does not count.
Result<Resolved> lookup_base(InstanceTree& tree, const Scope& scope, const ast::Reference& reference,
                             Diagnostics& diagnostics);

/// Predefined functions and operators by name: "sin", "der", "size", "noEvent", …
bool is_builtin_function(std::string_view name);
/// The same name with static lifetime; empty when it is none.
std::string_view builtin_function(std::string_view name);

/// Literals of an enumeration type, in order.
std::vector<std::string> literals_of(const Definition& enumeration);

}  // namespace bolza::instance
