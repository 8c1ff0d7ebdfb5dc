// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/model_arguments.h"
#include "cli/print.h"

namespace bolza::cli {
namespace {

void list(const char* title, const std::vector<std::string>& names) {
  if (names.empty()) return;
  std::printf("%s\n", title);
  for (std::size_t k = 0; k < names.size() && k < 20; ++k) std::printf("  %s\n", names[k].c_str());
  if (names.size() > 20) std::printf("  … and %zu more\n", names.size() - 20);
}

}  // namespace

int run_overview(const Arguments& arguments) {
  Sources sources;
  Diagnostics diagnostics;
  auto contents = driver::contents_of(workflow::compile_options(load_request(arguments)), sources, diagnostics);
  print_diagnostics(diagnostics, sources, arguments);
  if (arguments.print.json) {
    nlohmann::json report{{"status", contents ? "fine" : "input_error"}, {"diagnostics", to_json(diagnostics, sources)}};
    if (contents) {
      report["optimizations"] = contents->optimizations;
      report["models"] = contents->models;
    }
    print_json(report);
    return contents ? fine : bad_input;
  }
  if (!contents) return bad_input;
  std::erase_if(contents->models, [&](const std::string& m) {
    return std::find(contents->optimizations.begin(), contents->optimizations.end(), m) != contents->optimizations.end();
  });
  list("optimisation problems:", contents->optimizations);
  list("models:", contents->models);
  const char* file = arguments.file.c_str();
  auto name_after = [](const std::vector<std::string>& names) { return names.size() > 1 ? " " + names[0] : std::string(); };
  if (!contents->optimizations.empty())
    std::printf("to solve one:     bolza solve %s%s\n", file, name_after(contents->optimizations).c_str());
  else if (!contents->models.empty())
    std::printf("to simulate one:  bolza simulate %s%s\n", file, name_after(contents->models).c_str());
  else std::printf("there is no class to check or solve in this file\n");
  if (!contents->optimizations.empty() || !contents->models.empty())
    std::printf("to check one:     bolza check %s%s\n", file,
                name_after(contents->optimizations.empty() ? contents->models : contents->optimizations).c_str());
  return fine;
}

}  // namespace bolza::cli
