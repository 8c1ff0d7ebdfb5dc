// SPDX-License-Identifier: Apache-2.0
#include "workflow/emit.h"

#include <array>
#include <filesystem>
#include <fstream>

#include "compiler/codegen/compile.h"
#include "runtime/result/file.h"
#include "workflow/codes.h"
#include "workflow/file_stem.h"

namespace bolza::workflow {

namespace {

constexpr std::array endings{".o", ".ll", ".s"};
constexpr std::string_view mark = "// Made by `bolza compile`";

std::string header_of(const std::string& class_name, const std::string& symbol) {
  std::string text(mark);
  text += ": values, Jacobians and Hessians of " + class_name + ".\n#pragma once\n#include <bolza.h>\n\n";
  return text + "#ifdef __cplusplus\nextern \"C\"\n#endif\nconst bolza_problem *" + symbol + "(void);\n";
}

}  // namespace

bool is_foreign_header(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::exists(path, none)) return false;
  std::string line;
  std::getline(std::ifstream(path), line);
  return !line.starts_with(mark);
}

std::string ending_of(EmitForm form) { return endings[static_cast<std::size_t>(form)]; }

Result<Emitted> emit(Model& model, EmitForm form, const std::string& stem) {
  if (!model.compile()) return model.diagnostics.already_reported();
  constexpr std::array kinds{BOLZA_VALUE, BOLZA_JACOBIAN, BOLZA_HESSIAN};
  constexpr std::array forms{codegen::ModuleForm::object, codegen::ModuleForm::intermediate, codegen::ModuleForm::assembly};
  std::string name = stem.empty() ? file_stem(model.class_name) : stem;
  Emitted out{name + ending_of(form), form == EmitForm::object ? name + ".h" : "", ""};
  if (is_foreign_header(out.header)) return model.diagnostics.error(file_exists, {}, {out.header});
  std::string text = model.compiled().emit(forms[static_cast<std::size_t>(form)], kinds, true);
  out.symbol = model.compiled().emitted_symbol();
  if (!result::write_file(out.path, text, model.diagnostics)) return model.diagnostics.already_reported();
  if (!out.header.empty() && !result::write_file(out.header, header_of(model.class_name, out.symbol), model.diagnostics))
    return model.diagnostics.already_reported();
  return out;
}

}  // namespace bolza::workflow
