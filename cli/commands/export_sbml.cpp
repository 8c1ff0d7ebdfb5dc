// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/model_arguments.h"
#include "cli/print.h"
#include "runtime/result/file.h"
#include "workflow/export_sbml.h"

namespace bolza::cli {

int run_export_sbml(const Arguments& arguments) {
  workflow::Model model;
  auto refuse = [&] { return refuse_input(model.diagnostics, model.sources, arguments); };
  if (!model.load(load_request(arguments))) return refuse();
  Result<std::string> text = workflow::sbml_of(model);
  std::string output = arguments.outputs.result.empty() ? model.class_name + ".xml" : arguments.outputs.result;
  if (!text || !result::write_file(output, *text, model.diagnostics)) return refuse();
  print_diagnostics(model.diagnostics, model.sources, arguments);
  std::size_t states = model.problem.x.size();
  if (arguments.print.json)
    print_json({{"status", "fine"}, {"file", output}, {"class", model.class_name}, {"states", states}});
  else std::printf("wrote %s: %s, %s\n", output.c_str(), model.class_name.c_str(), counted(states, "state").c_str());
  return fine;
}

}  // namespace bolza::cli
