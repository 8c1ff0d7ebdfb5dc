// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/instance/lookup.h"
#include "compiler/instance/store_internal.h"

/// Making instances from definitions. Everything is made when first needed: children when a name is looked up among them or
/// when `complete` walks the tree; sizes and conditions when they are asked for.
namespace bolza::instance {

/// A short class, or a class that extends a predefined type, on the way from a type name to what it stands for.
struct AliasStep {
  const Definition* definition = nullptr;
  const ast::Modification* modification = nullptr;
  ast::List<ast::Subscript> dimensions;
  ast::Causality causality = ast::Causality::none;
  Scope scope;             ///< of the modification and the dimensions
  Environment configured;  ///< instead of all the above: what the instance that has the class says about it
};

/// What a type name stands for after all short classes.
struct TypeChain {
  std::vector<AliasStep> steps;
  Type type = Type::none;                      ///< a predefined type, or enumeration
  const Definition* definition = nullptr;      ///< the class with the text; null for the four predefined types
  const Instance* enclosing = nullptr;         ///< instance that `definition` is a local class of
  ast::ClassKind kind = ast::ClassKind::type;  ///< of the first class that says more than `type`
  bool is_connector = false;
};

/// The instance around a class that was found from `scope`, or null.
const Instance* enclosing_instance(InstanceTree::Store& store, const Scope& scope, const Definition& found);
/// The scope around the class that `scope` is in.
Scope outer_scope(InstanceTree::Store& store, const Scope& scope);
/// Whether the text of scope.lexical sees a component that `declared_in` declares for scope.instance.
bool sees(InstanceTree::Store& store, const Scope& scope, const Instance& child);

/// Follows a type name through short classes. Errors E203, E204, E205, E221, E290.
/// @param base_of_lexical  the name is a base of scope.lexical: what that class inherits does not count
Result<TypeChain> resolve_type(InstanceTree& tree, const Scope& scope, const ast::Reference& name, bool base_of_lexical,
                               Diagnostics& diagnostics);
/// The same from a class.
Result<TypeChain> resolve_class(InstanceTree& tree, const Definition& definition, const Instance* enclosing, Span used_at,
                                Diagnostics& diagnostics);

/// Makes the children of an instance, if that has not been done.
Result<Done> expand(InstanceTree& tree, const Instance& instance, Diagnostics& diagnostics);
/// One child of an expanded instance or of a package; null when there is none of that name.
Result<const Instance*> child_of(InstanceTree& tree, const Instance& instance, std::string_view name,
                                 Diagnostics& diagnostics);
/// Names for "did you mean".
std::vector<std::string> child_names(InstanceTree& tree, const Instance& instance);
/// Makes one child from its declaration and what the environment says about it.
Result<const Instance*> make_child(InstanceTree& tree, Instance& parent, const Entry& entry, Diagnostics& diagnostics);
/// An element of a nonuniform array.
struct ElementOf {
  const Instance* array = nullptr;
  std::vector<std::int64_t> at;
  std::string_view name;
};
/// The same of one element.
Result<const Instance*> make_element(InstanceTree& tree, Instance& parent, const Entry& entry, const ElementOf& element,
                                     Diagnostics& diagnostics);
/// Makes the elements of a nonuniform array, if that has not been done; nothing for other instances.
Result<Done> make_elements(InstanceTree& tree, const Instance& array, Diagnostics& diagnostics);
/// Names an array across trees: by the root and the path in it.
std::string key_of(const Instance& array);
/// Notes that an array has to be taken apart, where its value could not be computed because its elements differ in sizes.
void note_ragged(InstanceTree& tree, const ScopedExpr& value, const Instance& target, const Diagnostics& diagnostics);
/// A value with the indices of levels that stand for one element taken from its expression, then `own` ones.
ScopedExpr of_element(InstanceTree& tree, ScopedExpr value, std::span<const std::int64_t> own);
void add_child(InstanceTree::Store& store, Instance& parent, const Instance& child);
/// The members that optimization classes have besides their own; values from `environment`.
void make_class_attributes(InstanceTree& tree, Instance& root, const Environment& environment, Diagnostics& diagnostics);
/// Whether one of these has that name.
bool names_class_attribute(std::string_view name);
/// The attributes of an instance of predefined type.
bool set_attributes(InstanceTree& tree, Instance& instance, const Environment& environment, Diagnostics& diagnostics);
/// E212 when a stronger mod hits what a weaker one made final.
bool check_final(const Selection& selection, std::string_view name, Diagnostics& diagnostics);
/// One step of that: its mods with the given array levels.
void enter_step(const AliasStep& step, const std::vector<ArrayLevel>& levels, bool container, bool from_outside,
                Environment& out);
/// What the environment of a class adds for the short classes it was reached by.
void enter_aliases(const TypeChain& chain, const ArrayLevel& own, std::size_t own_rank, Environment& out);

/// The instance that holds the constants of a class that is not part of the model.
Result<const Instance*> package_of(InstanceTree& tree, const Definition& definition, const Instance* enclosing,
                                   Diagnostics& diagnostics);
/// Evaluates the sizes of one instance. In functions an unknown size stays -1.
Result<Done> decide_dimensions(InstanceTree& tree, const Instance& instance, Diagnostics& diagnostics);
/// Evaluates the condition of a conditional component.
Result<Done> decide_condition(InstanceTree& tree, const Instance& instance, Diagnostics& diagnostics);
/// Whether what fields below `root` were given alongside their whole record is what the record has, as far as that is known.
/// Errors E255.
bool fields_agree(InstanceTree& tree, const Instance& root, Diagnostics& diagnostics);
/// Expands everything below and decides all sizes and conditions.
bool complete(InstanceTree& tree, const Instance& instance, Diagnostics& diagnostics);

/// Whether a class of one kind may extend one of another [MLS, 7.1.3].
bool may_extend(ast::ClassKind derived, ast::ClassKind base);

/// "model `A.B`", "`Real`".
std::string describe(const Instance& instance);
std::string_view name_of(Type type);

}  // namespace bolza::instance
