// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/print.h"
#include "cli/sbml_summary.h"
#include "runtime/result/file.h"
#include "workflow/codes.h"
#include "workflow/read_sbml.h"

namespace bolza::cli {

int run_import(const Arguments& arguments) {
  Sources sources;
  Diagnostics diagnostics;
  auto refuse = [&] { return refuse_input(diagnostics, sources, arguments); };
  Result<sbml::Translation> model =
      workflow::translation_of(arguments.file, sbml::UnitFindings::warning, sources, diagnostics);
  if (!model) return refuse();
  std::string output = arguments.outputs.result;
  if (output.empty()) output = std::filesystem::path(arguments.file).stem().string() + ".mo";
  if (std::filesystem::exists(output)) {
    diagnostics.error(workflow::file_exists, {}, {output});
    return refuse();
  }
  std::string source = std::filesystem::path(arguments.file).filename().string();
  if (!result::write_file(output, "// from " + source + "\n" + model->text, diagnostics)) return refuse();
  print_diagnostics(diagnostics, sources, arguments);
  if (arguments.print.json) {
    nlohmann::json report{{"status", "fine"}, {"file", output}, {"class", model->model_name}};
    report["sbml"] = to_json(model->summary);
    report["diagnostics"] = bolza::cli::to_json(diagnostics, sources);
    print_json(report);
    return fine;
  }
  std::printf("wrote %s: model %s\n", output.c_str(), model->model_name.c_str());
  print_read(model->summary);
  return fine;
}

}  // namespace bolza::cli
