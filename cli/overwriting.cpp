#include "cli/overwriting.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/print.h"
#include "workflow/codes.h"

namespace bolza::cli {
namespace {

std::vector<std::string> inputs_of(const Arguments& a) {
  std::vector<std::string> files{a.file, a.input_file, a.init_from, a.scenarios, a.conditions, a.parameters};
  files.insert(files.end(), a.data.begin(), a.data.end());
  std::erase(files, "");
  return files;
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code none;
  return std::filesystem::equivalent(a, b, none) && !none && std::filesystem::is_regular_file(a, none);
}

}  // namespace

int refuse_overwriting(const Arguments& arguments) {
  Sources sources;
  Diagnostics diagnostics;
  for (const std::string& output : {arguments.output, arguments.csv, arguments.report})
    for (const std::string& input : inputs_of(arguments))
      if (!output.empty() && is_same_file(output, input)) diagnostics.error(workflow::output_is_input, {}, {output});
  if (diagnostics.errors() == 0) return fine;
  print_diagnostics(diagnostics, sources, arguments);
  if (arguments.json) print_json({{"status", "input_error"}, {"diagnostics", to_json(diagnostics, sources)}});
  return bad_input;
}

}  // namespace bolza::cli
