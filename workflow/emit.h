// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "base/words.h"
#include "workflow/model.h"

namespace bolza::workflow {

enum class EmitForm : std::uint8_t { object, llvm, assembly };
inline constexpr Words<EmitForm, 3> emit_forms{
    {{{"object", EmitForm::object}, {"llvm", EmitForm::llvm}, {"assembly", EmitForm::assembly}}}};

/// ".o", ".ll" or ".s".
std::string ending_of(EmitForm form);

struct Emitted {
  std::string path;    ///< the file written
  std::string header;  ///< of an object: the C header next to it that declares the function; else ""
  std::string symbol;  ///< C function that gives the bolza_problem
};

/// Whether there is a file that `emit` did not write as a header: it stays.
bool is_foreign_header(const std::string& path);

/// Writes the kernels (values, Jacobians, Hessians) of a loaded model with its tables, and with an object a header. `stem`
/// without ending; "": the class's name. Errors E906, E951, E923 where somebody's header of that name is there.
Result<Emitted> emit(Model& model, EmitForm form, const std::string& stem);

}  // namespace bolza::workflow
