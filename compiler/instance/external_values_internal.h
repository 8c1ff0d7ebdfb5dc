#pragma once
#include <optional>
#include <span>

#include "compiler/instance/library.h"
#include "compiler/instance/value.h"

/// External C functions of the Modelica library that are computed here, at compile time: strings and file names.
namespace bolza::instance {

/// The results of the C function `name` in the order: what it returns, then its output arguments. Nothing for a name that is
/// not among them. `modelica://` names are resolved to files of the library's packages. Errors  E238 where the arguments are
/// outside what the function takes.
std::optional<Result<std::vector<Value>>> apply_library_function(std::string_view name, std::span<const Value> inputs,
                                                                 Span at, Library& library, Diagnostics& diagnostics);

}  // namespace bolza::instance
