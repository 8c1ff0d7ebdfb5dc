// SPDX-License-Identifier: Apache-2.0
#include "cli/overwriting.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "cli/commands.h"
#include "cli/print.h"
#include "workflow/codes.h"
#include "workflow/emit.h"
#include "workflow/spare_inputs.h"

namespace bolza::cli {
namespace {

std::vector<std::string> inputs_of(const Arguments& a) {
  std::vector<std::string> files{a.file,
                                 a.simulate.input_file,
                                 a.solve.init_from,
                                 a.solve.scenarios.file,
                                 a.measured.conditions,
                                 a.measured.parameters};
  files.insert(files.end(), a.measured.data.begin(), a.measured.data.end());
  std::erase(files, "");
  return files;
}

/// Results have other endings, so that no file that a model consists of is taken for one, named here or not.
bool is_model(const std::string& file) {
  std::filesystem::path path = file;
  std::error_code none;
  return (path.extension() == ".mo" || path.extension() == ".mop") && std::filesystem::is_regular_file(path, none);
}

/// Of two outputs of one name the one that is written first would be lost.
bool are_one(const std::string& a, const std::string& b) {
  std::error_code none;
  auto whole = [&](const std::string& name) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(name, none), none);
  };
  return !a.empty() && !b.empty() && !std::filesystem::is_other(a, none) && whole(a) == whole(b);
}

}  // namespace

int refuse_overwriting(const Arguments& arguments) {
  Sources sources;
  Diagnostics diagnostics;
  const std::array outputs{arguments.outputs.result, arguments.outputs.csv, arguments.outputs.page, arguments.fit.journal,
                           arguments.file.empty() ? std::string() : arguments.verify.receipt};
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const std::string& output = outputs[k];
    auto is_this = [&](const std::string& other) { return are_one(output, other); };
    if (std::any_of(outputs.begin(), outputs.begin() + static_cast<std::ptrdiff_t>(k), is_this))
      diagnostics.error(workflow::output_is_input, {}, {output, "another output of this command"});
    std::vector<std::string> inputs = inputs_of(arguments);
    bool is_input =
        std::ranges::any_of(inputs, [&](const std::string& input) { return workflow::is_same_file(output, input); });
    if (is_input || is_model(output))
      diagnostics.error(workflow::output_is_input, {}, {output, is_input ? "an input of this command" : "a model"});
  }
  if (arguments.command == "compile" && !arguments.outputs.result.empty() &&
      arguments.compile.emit == workflow::EmitForm::object && workflow::is_foreign_header(arguments.outputs.result + ".h"))
    diagnostics.error(workflow::file_exists, {}, {arguments.outputs.result + ".h"});
  if (diagnostics.errors() == 0) return fine;
  return refuse_input(diagnostics, sources, arguments);
}

}  // namespace bolza::cli
