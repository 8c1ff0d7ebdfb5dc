// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>

#include "compiler/instance/library/library.h"
#include "compiler/instance/value.h"

/// External C functions of the Modelica library that are computed here, at compile time: strings and file names.
namespace bolza::instance {

/// Arguments of such a function.
struct LibraryCall {
  std::span<const Value> inputs;
  Library& library;
  const std::string& text(std::size_t k) const { return inputs[k].text(); }
  std::int64_t integer(std::size_t k) const { return inputs[k].integer(); }
};
/// What it returns, then its output arguments; nothing: the arguments are outside what the function takes.
using LibraryResults = std::optional<std::vector<Value>>;

/// What a function looks at besides its arguments.
enum class Reaches : std::uint8_t { nothing, files, environment };

struct LibraryFunction {
  std::string_view name;
  std::string_view inputs;  ///< one letter each: s a String, n a number of any kind; all are scalars
  LibraryResults (*compute)(const LibraryCall&);
  Reaches reaches = Reaches::nothing;  ///< files: the one that its first argument names
};
/// Those that are about files and folders.
std::span<const LibraryFunction> file_functions();

/// The results of the C function `name` in the order: what it returns, then its output arguments. Nothing for a name that is
/// not among them. `modelica://` names are resolved to files of the library's packages. Errors  E238 where the arguments are
/// outside what the function takes, E257 where it may not look.
std::optional<Result<std::vector<Value>>> apply_library_function(std::string_view name, std::span<const Value> inputs,
                                                                 Span at, Library& library, Diagnostics& diagnostics);

}  // namespace bolza::instance
