#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "workflow/model.h"

namespace bolza::workflow {

enum class EmitForm : std::uint8_t { object, llvm, assembly };

/// ".o", ".ll" or ".s" of "object", "llvm" or "assembly"; "" stands for "object".
std::string ending_of(std::string_view form);

struct Emitted {
  std::string path;    ///< the file written
  std::string symbol;  ///< C function that gives the bolza_problem
};

/// Writes the kernels (values, Jacobians, Hessians) of a loaded model with its tables. `stem` without ending; "": the
/// class's name. Errors E906, E951.
Result<Emitted> emit(Model& model, EmitForm form, const std::string& stem);

}  // namespace bolza::workflow
