// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/model_arguments.h"
#include "cli/print.h"
#include "workflow/fit/petab/check_petab.h"

namespace bolza::cli {
namespace {

nlohmann::json summary_json(const workflow::PetabSummary& s) {
  return {{"states", s.states},           {"estimated", s.estimated},      {"fixed", s.fixed},
          {"observables", s.observables}, {"experiments", s.experiments},  {"equilibrations", s.equilibrations},
          {"changes", s.changes},         {"measurements", s.measurements}};
}

void print_summary(const std::string& name, const workflow::PetabSummary& s) {
  std::printf("%s: %s, %s, %s\n", name.c_str(), counted(s.measurements, "measurement").c_str(),
              counted(s.observables, "observable").c_str(), counted(s.experiments, "experiment").c_str());
  std::printf("  %s to estimate, %zu fixed, %s\n", counted(s.estimated, "parameter").c_str(), s.fixed,
              counted(s.states, "state").c_str());
  if (s.equilibrations + s.changes > 0)
    std::printf("  %s from a steady state, %s at later times\n", counted(s.equilibrations, "experiment").c_str(),
                counted(s.changes, "change").c_str());
}

}  // namespace

int run_petab(const Arguments& arguments) {
  auto model = std::make_unique<workflow::Model>();
  Result<workflow::PetabSummary> summary = workflow::check_petab(model, load_request(arguments));
  print_diagnostics(model->diagnostics, model->sources, arguments);
  if (arguments.print.json) {
    nlohmann::json report = summary ? summary_json(*summary) : nlohmann::json::object();
    report["status"] = summary ? "fine" : "input_error";
    report["diagnostics"] = to_json(model->diagnostics, model->sources);
    print_json(report);
  } else if (summary) {
    print_summary(arguments.file, *summary);
  }
  return summary ? fine : bad_input;
}

}  // namespace bolza::cli
