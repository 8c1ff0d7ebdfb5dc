// SPDX-License-Identifier: Apache-2.0
#include "workflow/read_sbml.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "compiler/sbml/codes.h"
#include "workflow/install_paths.h"
#include "workflow/sbml_codes.h"

namespace bolza::workflow {

bool is_sbml(const std::string& file) { return file.ends_with(".xml") || file.ends_with(".sbml"); }

Result<const sbml::SbmlLibrary*> sbml_library(Diagnostics& diagnostics) {
  if (!has_library("bolza_sbml")) return diagnostics.error(no_sbml, {});
  auto symbol = open_symbol("bolza_sbml", sbml::library_symbol, diagnostics);
  if (!symbol) return diagnostics.already_reported();
  const sbml::SbmlLibrary* library = reinterpret_cast<sbml::LibraryFunction>(*symbol)();
  if (library->version != sbml::library_version)
    throw std::runtime_error("libbolza_sbml.so belongs to another version of bolza");
  return library;
}

Result<std::string> text_of_file(const std::string& path, Diagnostics& diagnostics) {
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) return diagnostics.error(sbml::not_sbml, {}, {path, "the file cannot be read"});
  return text;
}

sbml::UnitFindings findings_of(passes::Units units) {
  using sbml::UnitFindings;
  return units == passes::Units::ignore   ? UnitFindings::none
         : units == passes::Units::strict ? UnitFindings::error
                                          : UnitFindings::warning;
}

Result<sbml::Translation> translation_of(const std::string& file, sbml::UnitFindings units, Sources& sources,
                                         Diagnostics& diagnostics) {
  Result<std::string> text = text_of_file(file, diagnostics);
  if (!text) return diagnostics.already_reported();
  Result<const sbml::SbmlLibrary*> library = sbml_library(diagnostics);
  if (!library) return diagnostics.already_reported();
  return (*library)->translate(file, *text, units, {}, sources, diagnostics);
}

Result<LoadRequest> with_sbml_read(const LoadRequest& request, Sources& sources, Diagnostics& diagnostics) {
  if (!is_sbml(request.file)) return request;
  Result<sbml::Translation> translation = translation_of(request.file, findings_of(request.units), sources, diagnostics);
  if (!translation) return diagnostics.already_reported();
  LoadRequest out = request;
  out.file.clear();
  out.texts.push_back({request.file + ".mo", translation->text});
  return out;
}

}  // namespace bolza::workflow
