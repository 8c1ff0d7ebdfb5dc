// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <nlohmann/json.hpp>
#include <ranges>

#include "cli/commands.h"
#include "cli/model_arguments.h"
#include "cli/print.h"
#include "cli/sbml_summary.h"
#include "cli/structure_report.h"
#include "compiler/driver/parse_files.h"
#include "workflow/fit/petab/read_petab.h"
#include "workflow/read_sbml.h"

namespace bolza::cli {
namespace {

nlohmann::json summary_json(const workflow::Model& model) {
  const ir::Problem& p = model.problem;
  std::size_t free = 0, x = 0, z = 0, u = 0, n_g = 0;
  for (std::size_t k = p.phases.empty() ? 2 : 0; k < p.n_global; ++k) free += !p.shared_numbers[k].fixed;
  for (const ir::Problem* of : ir::models_of(p)) {
    x += of->x.size();
    z += of->z.size();
    u += of->u.size();
    n_g += of->n_g;
  }
  nlohmann::json s{{"class", model.class_name},
                   {"optimization", p.is_optimization},
                   {"equations", model.n_equations},
                   {"unknowns", model.n_unknowns},
                   {"states", x},
                   {"algebraics", z},
                   {"controls", u},
                   {"free_parameters", free},
                   {"path_constraints", n_g},
                   {"point_constraints", p.n_k}};
  for (const ir::PhaseOfProblem& phase : p.phases) s["phases"].push_back(phase.name);
  return s;
}

/// The first twenty; all of them are in `--json`.
std::string names_of_phases(const ir::Problem& p) {
  constexpr std::size_t most = 20;
  std::string text;
  for (const ir::PhaseOfProblem& phase : p.phases | std::views::take(most)) text += (text.empty() ? "" : ", ") + phase.name;
  return p.phases.size() <= most ? text : text + " and " + std::to_string(p.phases.size() - most) + " more";
}

void print_summary(const workflow::Model& model) {
  nlohmann::json s = summary_json(model);
  const ir::Problem& p = model.problem;
  std::printf("%s: %s, %s\n", model.class_name.c_str(), counted(model.n_equations, "equation").c_str(),
              counted(model.n_unknowns, "unknown").c_str());
  std::printf("  %s, %s, %s, %s\n", counted(s["states"], "state").c_str(),
              counted(s["algebraics"], "algebraic variable left", "algebraic variables left").c_str(),
              counted(s["controls"], p.is_optimization ? "control" : "input").c_str(),
              counted(s["free_parameters"], "free parameter").c_str());
  if (!p.phases.empty()) std::printf("  %s: %s\n", counted(p.phases.size(), "phase").c_str(), names_of_phases(p).c_str());
  if (p.is_optimization)
    std::printf("  optimisation: %s, %s\n", counted(s["path_constraints"], "path constraint").c_str(),
                counted(p.n_k, "point constraint").c_str());
}

/// `check --syntax-only FILE ...`
int check_syntax(const Arguments& arguments) {
  std::vector<std::string> files{arguments.file};
  if (!arguments.model.class_name.empty()) files.push_back(arguments.model.class_name);
  files.insert(files.end(), arguments.words.begin(), arguments.words.end());
  Sources sources;
  Diagnostics diagnostics;
  std::size_t good = driver::parse_files(files, sources, diagnostics);
  print_diagnostics(diagnostics, sources, arguments);
  if (arguments.print.json)
    print_json({{"files", files.size()}, {"parsed", good}, {"diagnostics", to_json(diagnostics, sources)}});
  else std::printf("%zu of %zu files parse\n", good, files.size());
  return good == files.size() ? fine : bad_input;
}

}  // namespace

int run_check(const Arguments& arguments) {
  if (arguments.check.syntax_only) return check_syntax(arguments);
  if (workflow::is_petab(arguments.file)) return run_petab(arguments);
  workflow::Model model;
  bool good = bool(model.load(load_request(arguments)));
  std::optional<sbml::Translation> read;
  if (good && workflow::is_sbml(arguments.file))
    if (auto again = workflow::translation_of(arguments.file, sbml::UnitFindings::none, model.sources, model.diagnostics))
      read = *std::move(again);
  print_diagnostics(model.diagnostics, model.sources, arguments);
  if (arguments.print.json) {
    nlohmann::json report = good ? summary_json(model) : nlohmann::json::object();
    report["status"] = good ? "fine" : "input_error";
    if (good && arguments.check.structure) report["structure"] = structure_json(model);
    report["diagnostics"] = to_json(model.diagnostics, model.sources);
    if (read) report["sbml"] = to_json(read->summary);
    print_json(report);
  } else if (good) {
    print_summary(model);
    if (read) print_read(read->summary);
    if (arguments.check.structure) print_structure(model);
  }
  return good ? fine : bad_input;
}

}  // namespace bolza::cli
