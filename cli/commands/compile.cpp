// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/model_arguments.h"
#include "cli/print.h"
#include "workflow/emit.h"

namespace bolza::cli {

int run_compile(const Arguments& arguments) {
  workflow::Model model;
  auto refuse = [&] { return refuse_input(model.diagnostics, model.sources, arguments); };
  if (!model.load(load_request(arguments))) return refuse();
  auto emitted = workflow::emit(model, arguments.compile.emit, arguments.outputs.result);
  if (!emitted) return refuse();
  print_diagnostics(model.diagnostics, model.sources, arguments);
  if (arguments.print.json) {
    nlohmann::json all{
        {"status", "fine"}, {"file", emitted->path}, {"symbol", emitted->symbol}, {"class", model.class_name}};
    if (!emitted->header.empty()) all["header"] = emitted->header;
    print_json(all);
  } else {
    std::printf("wrote %s: values, Jacobians and Hessians of %s\n", emitted->path.c_str(), model.class_name.c_str());
    if (emitted->header.empty()) return fine;
    std::printf("  in C:    #include \"%s\"  const bolza_problem *%s(void);\n", emitted->header.c_str(),
                emitted->symbol.c_str());
    std::printf("  to link: cc main.c %s -lmvec -lm\n", emitted->path.c_str());
  }
  return fine;
}

}  // namespace bolza::cli
