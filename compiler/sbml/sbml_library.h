// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/sbml/translate.h"
#include "compiler/sbml/yaml.h"

namespace bolza::sbml {

/// What libbolza_sbml.so offers: everything that needs libsbml or yaml-cpp. It is opened when an SBML file or a PEtab
/// problem is read. Both sides are built together; the version only catches a stale file.
struct SbmlLibrary {
  std::uint32_t version;
  Result<Translation> (*translate)(const std::string& path, const std::string& text, UnitFindings units,
                                   const Additions& additions, Sources& sources, Diagnostics& diagnostics);
  Result<std::string> (*translate_formula)(const std::string& formula, const Resolve& resolve, Span at,
                                           Diagnostics& diagnostics);
  Result<std::vector<YamlEntry>> (*read_yaml)(SourceId file, const Sources& sources, Diagnostics& diagnostics);
};

inline constexpr std::uint32_t library_version = 2;
inline constexpr const char* library_symbol = "bolza_sbml_library";
using LibraryFunction = const SbmlLibrary* (*)();

}  // namespace bolza::sbml
