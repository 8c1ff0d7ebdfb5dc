#include "cli/overwriting.h"

#include <algorithm>
#include <filesystem>

#include "cli/commands.h"
#include "cli/print.h"
#include "workflow/codes.h"
#include "workflow/emit.h"

namespace bolza::cli {
namespace {

std::vector<std::string> inputs_of(const Arguments& a) {
  std::vector<std::string> files{a.file, a.input_file, a.init_from, a.scenarios, a.conditions, a.parameters};
  files.insert(files.end(), a.data.begin(), a.data.end());
  std::erase(files, "");
  return files;
}

/// Results have other endings, so that no file that a model consists of is taken for one, named here or not.
bool is_model(const std::string& file) {
  std::filesystem::path path = file;
  std::error_code none;
  return (path.extension() == ".mo" || path.extension() == ".mop") && std::filesystem::is_regular_file(path, none);
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code none;
  return std::filesystem::equivalent(a, b, none) && !none && std::filesystem::is_regular_file(a, none);
}

}  // namespace

int refuse_overwriting(const Arguments& arguments) {
  Sources sources;
  Diagnostics diagnostics;
  for (const std::string& output : {arguments.output, arguments.csv, arguments.report, arguments.journal}) {
    std::vector<std::string> inputs = inputs_of(arguments);
    bool is_input = std::ranges::any_of(inputs, [&](const std::string& input) { return is_same_file(output, input); });
    if (is_input || is_model(output))
      diagnostics.error(workflow::output_is_input, {}, {output, is_input ? "an input of this command" : "a model"});
  }
  if (arguments.command == "compile" && !arguments.output.empty() && workflow::ending_of(arguments.emit) == ".o" &&
      workflow::is_foreign_header(arguments.output + ".h"))
    diagnostics.error(workflow::file_exists, {}, {arguments.output + ".h"});
  if (diagnostics.errors() == 0) return fine;
  return refuse_input(diagnostics, sources, arguments);
}

}  // namespace bolza::cli
