#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/model_arguments.h"
#include "cli/print.h"

namespace bolza::cli {

int run_flatten(const Arguments& arguments) {
  Sources sources;
  Diagnostics diagnostics;
  auto text = driver::text_after(workflow::compile_options(load_request(arguments)), arguments.after, sources, diagnostics);
  print_diagnostics(diagnostics, sources, arguments);
  if (arguments.json) {
    nlohmann::json report{{"status", text ? "fine" : "input_error"}, {"diagnostics", to_json(diagnostics, sources)}};
    if (text) report["text"] = *text;
    print_json(report);
  } else if (text) {
    std::fputs(text->c_str(), stdout);
  }
  return text ? fine : bad_input;
}

}  // namespace bolza::cli
