// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <span>

#include "compiler/foreign/c_function.h"
#include "compiler/instance/build/instantiate.h"
#include "compiler/instance/value.h"

namespace bolza::instance {

/// One argument of the C function that an external clause calls: a component of the function, or an expression.
struct ExternalArgument {
  const Instance* component = nullptr;
  const ast::Expr* expr = nullptr;    ///< what was written; null in a clause without arguments
  std::size_t size_of_dimension = 0;  ///< k: the size of dimension k of the component, in a clause without arguments
};

/// What an external clause says, with the defaults of a clause without a call: all inputs and outputs in order, arrays
/// followed by their sizes, a single scalar output as result.
struct ExternalClause {
  std::string function;
  bool fortran = false;
  std::vector<ExternalArgument> arguments;
  const Instance* result = nullptr;
};
ExternalClause clause_of(const Instance& function);

enum class Needed : std::uint8_t {
  now,         ///< to compute a value
  at_run_time  ///< only when the model runs, which not every command does: then `address` stays null
};
/// Finds the C function in the libraries of the annotations Library and LibraryDirectory, in this process, or in C's own
/// library, and puts it into `c`. Foreign code only where it is trusted [docs/security.md].
/// Errors  E244, E257.
Result<Done> find_external(InstanceTree& tree, const Instance& function, const ExternalClause& clause, Needed needed,
                           Span used_at, Diagnostics& diagnostics, foreign::CFunction& c);

/// Whether the call may have its effects on files and the system; to be asked when the arguments are known.
/// Errors  E257.
Result<Done> permit_effects(InstanceTree& tree, const Instance& function, const foreign::CFunction& c, Span used_at,
                            Diagnostics& diagnostics);

/// A C function that stands in the `Include` text of an external function: of one in the class of the model, in its bases or
/// in the classes around it, whose text or name mentions the symbol. Null when there is none.
/// Errors  E257.
Result<void*> function_in_text(InstanceTree& tree, const std::string& symbol, Span used_at, Diagnostics& diagnostics);

/// Makes the object of a component of a class that extends ExternalObject; it is destroyed with the last that holds it.
/// @param indices  of the scope of its binding
/// Errors  those of evaluation, E244, E245.
Result<std::shared_ptr<void>> construct_object(InstanceTree& tree, const Instance& object,
                                               std::span<const std::int64_t> indices, Span used_at,
                                               Diagnostics& diagnostics);

/// How a component is passed.
foreign::CType c_type(const Instance& component);

/// A record as a struct: numbers and records of numbers in the order of declaration. Nothing when it has members that C
/// cannot be given so: arrays, Strings, constants.
std::optional<foreign::CStruct> struct_of(const Instance& record);

/// The file that a URI means: `modelica://A.B/path` is a file next to package A.B, `file:///path` and others are names
/// themselves, as is a path that leads out of the package.
std::string file_of(const std::string& uri, Library& library);

}  // namespace bolza::instance
