// SPDX-License-Identifier: Apache-2.0
#include "workflow/fit/petab/read_petab.h"

#include "workflow/fit/fit_request.h"
#include "workflow/fit/petab/petab_files_internal.h"
#include "workflow/fit/petab/sciml/networks.h"
#include "workflow/fit/petab/tables_internal.h"
#include "workflow/read_sbml.h"

namespace bolza::workflow {
namespace {

/// Of a Modelica model in the place of SBML.
std::map<std::string, sbml::SbmlSymbol> symbols_of(const ModelNames& names) {
  using Kind = sbml::SbmlSymbol::Kind;
  std::map<std::string, sbml::SbmlSymbol> out;
  for (const std::string& name : names.parameters) out[name] = {Kind::parameter, name, name, "", true};
  for (const std::string& name : names.variables) {
    bool set = among(name, names.states) || among(name, names.inputs);
    out[name] = {set ? Kind::state : Kind::assigned, name, name, sbml::initial_name(name), true};
  }
  return out;
}

}  // namespace

bool is_petab(const std::string& file) { return file.ends_with(".yaml") || file.ends_with(".yml"); }

Result<FitProblem> read_petab(Model& model, const LoadRequest& load) {
  Diagnostics& diagnostics = model.diagnostics;
  Result<const sbml::SbmlLibrary*> library = sbml_library(diagnostics);
  if (!library) return diagnostics.already_reported();
  Result<petab::Files> files = petab::read_files(load.file, **library, model.sources, diagnostics);
  if (!files) return diagnostics.already_reported();
  Result<petab::Networks> networks = petab::read_networks(*files, **library, model.sources, diagnostics);
  if (!networks) return diagnostics.already_reported();
  LoadRequest own = load;
  own.file = files->model;
  own.events = passes::Events::keep;
  std::map<std::string, sbml::SbmlSymbol> symbols;
  if (files->language == "sbml") {
    Result<std::string> text = text_of_file(files->model, diagnostics);
    if (!text) return diagnostics.already_reported();
    Result<sbml::Translation> translation =
        (*library)->translate(files->model, *text, findings_of(load.units), networks->additions, model.sources, diagnostics);
    if (!translation) return diagnostics.already_reported();
    own.file.clear();
    own.texts.push_back({files->model + ".mo", translation->text});
    for (sbml::SbmlSymbol& s : translation->symbols) symbols[s.id] = std::move(s);
  }
  if (!model.load(own)) return diagnostics.already_reported();
  if (files->language != "sbml") symbols = symbols_of(names_of(model));
  return petab::Reader(*files, *networks, std::move(symbols), **library, model.sources, diagnostics).run();
}

}  // namespace bolza::workflow
