// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/instance/library/library.h"

namespace bolza::instance {

namespace ast = syntax::ast;

struct Instance;

/// Where a name is looked up: first the components of `instance` (as far as `lexical` or its bases declare them), then
/// classes and imports of `lexical`, then outwards through the enclosing classes, then top-level and predefined names.
/// `instance` is null in a class that has no instance (only constants are found then).
struct Scope {
  const Instance* instance = nullptr;
  const Definition* lexical = nullptr;  ///< null: top level
};

/// A syntax node with the scope it was written in.
template <class Node>
struct Scoped {
  const Node* node = nullptr;
  Scope scope;
};

/// Dimensions [first, first + count) of an array component.
struct ArrayLevel {
  const Instance* instance = nullptr;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::vector<std::int64_t> at = {};  ///< not empty: of a nonuniform array, the element with these indices
};

/// A value given by a declaration or a modification, with the scope it was written in.
///
/// Its dimensions are those of `levels`, outermost first, followed by the target's own (for a binding: the last dimensions
/// of the target component that no level names; attributes have none of their own, there the component itself is a level).
/// `levels` names the array components between `scope.instance` (exclusive) and the target whose elements get different
/// values; `each` removes levels. `scope.instance` is an ancestor of the target, or the target itself (type aliases), or
/// null (constants); the array indices of the ancestor are a prefix of the target's.
/// Example: in M, `Tank t[3](each h = 1, v = {1, 2, 3})` gives for t.h: scope M, no levels; for t.v: scope M, levels {t:
/// 0..1}.
struct ScopedExpr {
  const ast::Expr* expr = nullptr;  ///< null: no value
  Scope scope;
  std::vector<ArrayLevel> levels;
  bool each = false;
  bool final_ = false;
  /// The value was given to an ancestor record `whole` (`R r = f()`, target r.x): the target's value is `expr.x…`, with the
  /// names of the instances from below `whole` to the target. The levels and dimensions are then those of `whole`.
  const Instance* whole = nullptr;
  Span span;  ///< of the argument or declaration that gave the value
  explicit operator bool() const { return expr != nullptr; }
};

enum class Type : std::uint8_t { none, real, integer, boolean, string, enumeration, clock };
enum class Variability : std::uint8_t { constant, parameter, discrete, continuous };

/// The members that an optimization class has besides its own.
enum class ClassAttribute : std::uint8_t { none, objective, objective_integrand, start_time, final_time, static_ };

struct Dimension {
  std::int64_t size = -1;                   ///< -1: not known, only in functions and their records
  const ast::Expr* expr = nullptr;          ///< null for `:`
  Scope scope;                              ///< of expr
  Type index = Type::integer;               ///< of subscripts: also boolean or enumeration, once the size is known
  const Definition* enumeration = nullptr;  ///< the type with the literals, when subscripts are of one
};

struct GivenAttribute {
  std::string_view name;
  ScopedExpr value;
};

/// A class attribute list, an annotation of a class or its bases: derived classes first.
struct ClassAnnotation {
  const ast::Modification* annotation = nullptr;
  const Definition* definition = nullptr;
  bool inherited = false;
};

/// A component (or the model itself, a package with its constants, a function) after modification and inheritance.
///
/// Invariants
///  * An array of components is one Instance: `dimensions` are its own, and its elements share `children`. Where they differ
///    in sizes or conditions it is taken apart: its elements are components `r[1]`, `r[2]`, … of their own, which stand in
///    its place among the children of its parent, and names lead to them by way of it.
///  * `children` are the components of the class, inherited ones where their `extends` stands, in declaration order.
///  * `type != none`: a scalar or array of a predefined type; no children then, but attributes. Otherwise no attributes.
///  * Pointers stay valid as long as the InstanceTree.
struct Instance {
  std::string_view name;
  const ast::Component* declaration = nullptr;  ///< null for the root, packages, functions and class attributes
  const Definition* definition = nullptr;       ///< class it is an instance of; null for predefined types
  const Definition* declared_in = nullptr;      ///< class whose text holds the declaration; null for roots
  const Instance* parent = nullptr;             ///< null for the root, packages and functions
  const Instance* enclosing = nullptr;          ///< instance in which a local class was found; null for global classes
  Type type = Type::none;
  const Definition* enumeration = nullptr;  ///< the type with the literals, when type is enumeration
  ast::ClassKind class_kind =
      ast::ClassKind::class_;  ///< of `definition`: record, connector, function, …; `type` for predefined
  bool is_connector = false;   ///< also for `connector RealInput = input Real`
  bool expandable = false;
  Span span;  ///< the name in its declaration

  std::vector<Dimension> dimensions;                  ///< own ones, outermost first; known except in functions
  Variability variability = Variability::continuous;  ///< effective: a parameter record has parameter members
  bool declared_discrete = false;
  ast::Causality causality = ast::Causality::none;     ///< effective: own, of the type, of the parents (nearest wins)
  ast::Connection connection = ast::Connection::none;  ///< effective, likewise
  bool is_hidden = false;                              ///< declared or inherited in a protected section of its class
  bool is_protected = false;                           ///< itself or a parent
  bool is_final = false;
  bool is_inner = false;
  bool external_object = false;  ///< of a class that extends ExternalObject: has no members, its binding constructs it
  bool is_configured =
      false;  ///< a package whose members depend on modifications, redeclarations or such a package around it
  bool is_nonuniform = false;        ///< a nonuniform array; `elements` are made when they are asked for
  bool removed = false;              ///< `if false`: has no children; connections to it vanish
  const Instance* domain = nullptr;  ///< of a field: its domain, whose points are the last dimensions
  std::size_t domain_rank = 0;       ///< of a domain that something uses: how many coordinates it has
  bool is_phase = false;             ///< of an optimization class: has a horizon, an objective and constraints of its own
  ClassAttribute class_attribute = ClassAttribute::none;

  std::vector<GivenAttribute> attributes;  ///< those that were given, by name in alphabetical order
  ScopedExpr binding;
  std::vector<const Instance*> children;
  std::vector<const Instance*> elements;  ///< of a nonuniform array, row by row

  std::vector<Scoped<ast::Equation>> equations, initial_equations;
  std::vector<Scoped<ast::Section<ast::Statement>>> algorithms, initial_algorithms;
  std::vector<Scoped<ast::Constraint>> constraints;
  std::vector<Scoped<ast::Constraint>> final_constraints;  ///< names of variables mean their values at the final time
  std::vector<Scoped<ast::Objective>> objectives;          ///< DOML
  const ast::External* external = nullptr;                 ///< functions
  std::vector<ClassAnnotation> annotations;                ///< of the class and its bases
  mutable std::size_t next_child = 0;                      ///< where `child` begins to look: the one that it found last

  const Instance* child(std::string_view name) const;        ///< null when there is none
  const ScopedExpr* attribute(std::string_view name) const;  ///< null when it was not given
  std::size_t rank() const { return dimensions.size(); }
  std::string_view description() const { return declaration ? declaration->comment.description : std::string_view{}; }
};

/// Whether the component is an input of a function that is a function itself: `input partialFunction f`.
bool is_functional_input(const Instance& instance);

/// "tank.level" without subscripts; the root is "".
std::string path_of(const Instance& instance);
/// Scope of what stands in the class `instance` is an instance of.
Scope scope_of(const Instance& instance);
/// All array dimensions of the ancestors and of the instance itself, outermost first.
std::vector<std::int64_t> all_dimensions(const Instance& instance);

/// Argument `name` of an annotation or attribute list, `name` with dots for nested ones ("experiment.StopTime"); null when
/// absent.
const ast::Argument* find_argument(const ast::Modification* modification, std::string_view name);
/// The value of that argument; null when absent or without value.
const ast::Expr* find_value(const ast::Modification* modification, std::string_view name);
/// True when a component says `annotation(name = true)`.
bool annotated(const Instance& instance, std::string_view name);

/// One model after instantiation. Owns every Instance, also those of packages and functions that were made on the way.
class InstanceTree {
 public:
  explicit InstanceTree(Library& library);
  ~InstanceTree();
  InstanceTree(InstanceTree&&) noexcept;
  InstanceTree& operator=(InstanceTree&&) noexcept;

  const Instance& root() const;
  Library& library() const;
  const Sources& sources() const { return library().sources(); }

  struct Store;  ///< arenas and caches; see store_internal.h
  Store& store() const { return *store_; }

 private:
  std::unique_ptr<Store> store_;
};

}  // namespace bolza::instance
