// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bolza::foreign {

/// double, int, int, const char*, void*, struct
enum class CType : std::uint8_t { none, real, integer, boolean, text, object, record };

/// A number in a struct, those of inner structs included.
struct CField {
  CType type = CType::real;  ///< real, integer or boolean
  std::size_t offset = 0;    ///< bytes from the start of the outermost struct
};

/// A struct as C lays it out.
struct CStruct {
  std::vector<CField> fields;  ///< in the order of declaration
  std::size_t size = 0, alignment = 1;

  /// Appends a number, or a whole struct.
  void add(CType type);
  void add(const CStruct& inner);
  /// To be called after the last member: the size becomes a multiple of the alignment.
  void finish() { size = (size + alignment - 1) / alignment * alignment; }
};

/// One argument of a C function, or its result.
struct CArgument {
  enum class From : std::uint8_t {
    input,      ///< elements of the inputs
    output,     ///< a pointer to elements of the outputs
    both,       ///< a pointer to a copy of inputs that becomes outputs
    workspace,  ///< a pointer to elements that nobody reads afterwards
    constant,   ///< `number`, `text` or `object`
  };
  From from = From::input;
  CType type = CType::real;
  std::vector<std::size_t> dims;  ///< of an array; empty: a scalar
  bool is_array = false;
  std::size_t first = 0;         ///< among the inputs: first element
  std::size_t first_output = 0;  ///< among the outputs, or the texts
  double number = 0;
  std::string text;
  const void* object = nullptr;
  CStruct layout = {};  ///< of type record, whose elements are its fields; by pointer always
};

struct NativeFunction;

/// A C or FORTRAN 77 function and how to call it, for given sizes.
///
/// C: scalars by value, outputs and arrays (row-major) by pointer; Integer and Boolean are int, by value they are passed so
/// that size_t is right too. FORTRAN: everything by pointer, matrices column-major, of inputs of type text the characters
/// and after all arguments their numbers.
struct CFunction {
  std::string name;
  void* address = nullptr;                 ///< null: calls fail, as in commands that run no model
  const NativeFunction* native = nullptr;  ///< what `address` is of; calls check that the declaration fits it
  bool fortran = false;
  std::vector<CArgument> arguments;
  CArgument result = {.from = CArgument::From::output, .type = CType::none, .dims = {}, .text = {}};
};

/// Why a declaration cannot be that of the function which is always there under its name; "" when it can. Cost: none.
std::string misfit(const CFunction& function, std::size_t n_inputs);

/// Calls it. One call at a time in the whole process: C functions need not be thread-safe.
/// @param inputs, outputs  elements of arrays row by row; texts: the outputs of type text
/// @return  why it failed: what it said by ModelicaError; nothing when it did not
std::optional<std::string> call(const CFunction& function, std::span<const double> inputs, std::span<double> outputs,
                                std::span<std::string> texts);

/// The object that a constructor returns.
struct CObject {
  void* pointer = nullptr;
  std::optional<std::string> failure;
};
CObject construct(const CFunction& constructor, std::span<const double> inputs);

/// What the last function that failed in this process said, "" when none did.
std::string last_failure();
/// The same of a function that stands for one in C.
void note_failure(std::string text);

}  // namespace bolza::foreign
