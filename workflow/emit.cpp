#include "workflow/emit.h"

#include <array>

#include "compiler/codegen/compile.h"
#include "runtime/result/file.h"
#include "workflow/report.h"

namespace bolza::workflow {

namespace {

constexpr std::array endings{".o", ".ll", ".s"};

}  // namespace

std::string ending_of(std::string_view form) { return endings[form == "llvm" ? 1 : form == "assembly" ? 2 : 0]; }

Result<Emitted> emit(Model& model, EmitForm form, const std::string& stem) {
  if (!model.compile()) return model.diagnostics.already_reported();
  constexpr std::array kinds{BOLZA_VALUE, BOLZA_JACOBIAN, BOLZA_HESSIAN};
  constexpr std::array forms{codegen::ModuleForm::object, codegen::ModuleForm::intermediate, codegen::ModuleForm::assembly};
  auto which = static_cast<std::size_t>(form);
  std::string text = model.compiled().emit(forms[which], kinds, true);
  Emitted out{(stem.empty() ? file_stem(model.class_name) : stem) + endings[which], model.compiled().emitted_symbol()};
  if (!result::write_file(out.path, text, model.diagnostics)) return model.diagnostics.already_reported();
  return out;
}

}  // namespace bolza::workflow
