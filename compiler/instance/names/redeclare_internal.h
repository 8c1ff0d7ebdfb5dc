// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "compiler/instance/build_internal.h"

/// Redeclarations [MLS, 7.3]: which class a name stands for in one instance, which declaration counts for a
/// component, and whether a replacement fits.
namespace bolza::instance {

/// The definition behind a proxy; itself for all others.
const Definition& real_class(const InstanceTree::Store& store, const Definition& definition);

/// What a class that `enclosing` has is there: itself, or what modifications of `enclosing` make of it.
/// @param enclosing  null: a class that no instance has, then it is itself
/// Errors  E216, E212, E217, and those of the replacement.
Result<Resolved> class_in(InstanceTree& tree, const Instance* enclosing, const Definition& found, Diagnostics& diagnostics);
/// The member class of a class that was found; null definition when there is none.
Result<Resolved> member_class(InstanceTree& tree, const Resolved& outer, std::string_view name, Diagnostics& diagnostics);

/// What `model extends X` extends: the class of that name that the class around it inherits, as it is in `enclosing`.
/// Errors  E260, and those of `class_in`.
Result<Resolved> extended_class(InstanceTree& tree, const Definition& definition, const Instance* enclosing,
                                Diagnostics& diagnostics);
/// The instance of a class around others that are found by their text alone: of a package whose members depend on
/// modifications or redeclarations, or on such a package around it; null for others, and at the top.
Result<const Instance*> instance_around(InstanceTree& tree, const Definition* text, Diagnostics& diagnostics);

/// Whether the members of a class depend on modifications, redeclarations, or the instance that has it. Then they are looked
/// up in an instance of it.
Result<bool> is_configured(InstanceTree& tree, const Definition& definition, Diagnostics& diagnostics);

/// A constraining clause with the scope it was written in.
struct Promise {
  const ast::ConstrainedBy* clause = nullptr;
  Scope scope;
};
/// The constraining clause of a redeclaration; null when it has none.
const ast::ConstrainedBy* constraint_of(const ast::Argument& argument);
/// Those that a replacement by `selection.redeclarations[0]` has to keep: of the weaker redeclarations and the original.
std::vector<Promise> promises(const Selection& selection, const ast::ConstrainedBy* original, const Scope& scope);
/// E217 when `type` does not fit what was promised.
bool keeps_promise(InstanceTree& tree, const TypeChain& type, const Result<TypeChain>& promised, std::string_view name,
                   Span at, Span clause, Diagnostics& diagnostics);
/// @param own  the class that is declared, null for a component
bool keeps_all(InstanceTree& tree, const TypeChain& type, const Definition* own, const std::vector<Promise>& all,
               std::string_view name, Span at, Diagnostics& diagnostics);
/// W224, or E216 where the library is to be strict, for redeclarations of something that is not replaceable (any more).
bool check_replaceable(const InstanceTree::Store& store, const Selection& selection, std::string_view name, bool original,
                       Span declared, Diagnostics& diagnostics);

/// The declaration that gives a component its type, and the modifications that come with it and the constraining clauses.
struct CountingDeclaration {
  const ast::Component* component = nullptr;
  Scope scope;
  const Mod* by = nullptr;  ///< the redeclaration; null: the original
};
/// Errors E216, E217 (the type that counts, too) reported; nothing then.
Result<CountingDeclaration> counting_declaration(InstanceTree& tree, const ast::Component& original, const Scope& scope,
                                                 const Selection& selection, const std::string& path,
                                                 Diagnostics& diagnostics);
/// E217 when the type does not fit a constraining class.
bool check_component_fits(InstanceTree& tree, const CountingDeclaration& counting, const TypeChain& type,
                          const ast::Component& original, const Scope& scope, const Selection& selection,
                          Diagnostics& diagnostics);
/// Modifications of the declaration, as far as it counts, and of its constraining clauses: weaker than all of the selection.
void enter_declarations(const CountingDeclaration& counting, const ast::Component& original, const Scope& scope,
                        const Selection& selection, const std::vector<ArrayLevel>& levels, bool final_, Environment& out);

/// Why `type` cannot stand where `constraint` is promised; empty when it can.
Result<std::string> plug_incompatibility(InstanceTree& tree, const TypeChain& type, const TypeChain& constraint,
                                         Diagnostics& diagnostics);

}  // namespace bolza::instance
