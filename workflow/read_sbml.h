// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/sbml/sbml_library.h"
#include "workflow/model.h"

namespace bolza::workflow {

/// Does the name of a file say that it is SBML: .xml or .sbml?
bool is_sbml(const std::string& file);

/// libbolza_sbml.so. Errors  E960 it was not built, E906.
Result<const sbml::SbmlLibrary*> sbml_library(Diagnostics& diagnostics);

/// How `--units` treats what SBML's units do not allow.
sbml::UnitFindings findings_of(passes::Units units);

/// The Modelica model of an SBML file, with what was read of it. Errors  E801 to E806, E960, E996.
Result<sbml::Translation> translation_of(const std::string& file, sbml::UnitFindings units, Sources& sources,
                                         Diagnostics& diagnostics);

/// A request whose file is SBML becomes one with Modelica's text for it; any other stays as it is.
/// Errors  E801 to E806, E960, E996.
Result<LoadRequest> with_sbml_read(const LoadRequest& request, Sources& sources, Diagnostics& diagnostics);

/// The text of a file. Errors  E801 unreadable.
Result<std::string> text_of_file(const std::string& path, Diagnostics& diagnostics);

}  // namespace bolza::workflow
