// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "cli/commands.h"
#include "cli/model_arguments.h"
#include "cli/print.h"
#include "compiler/driver/pontryagin.h"
#include "workflow/read_sbml.h"

namespace bolza::cli {
namespace {

Result<std::string> flattened(const Arguments& arguments, Sources& sources, Diagnostics& diagnostics) {
  auto request = workflow::with_sbml_read(load_request(arguments), sources, diagnostics);
  if (!request) return diagnostics.already_reported();
  auto options = workflow::compile_options_with_scenarios(*request, sources, diagnostics);
  if (!options) return diagnostics.already_reported();
  if (arguments.flatten.pontryagin) return driver::pontryagin_text(*options, sources, diagnostics);
  return driver::text_after(*options, arguments.flatten.after, sources, diagnostics);
}

}  // namespace

int run_flatten(const Arguments& arguments) {
  Sources sources;
  Diagnostics diagnostics;
  Result<std::string> text = flattened(arguments, sources, diagnostics);
  print_diagnostics(diagnostics, sources, arguments);
  if (arguments.print.json) {
    nlohmann::json report{{"status", text ? "fine" : "input_error"}, {"diagnostics", to_json(diagnostics, sources)}};
    if (text) report["text"] = *text;
    print_json(report);
  } else if (text) {
    std::fputs(printable(*text).c_str(), stdout);
  }
  return text ? fine : bad_input;
}

}  // namespace bolza::cli
