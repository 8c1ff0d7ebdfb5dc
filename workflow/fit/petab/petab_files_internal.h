// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "compiler/sbml/sbml_library.h"

namespace bolza::workflow::petab {

/// A neural network of the extension `sciml`.
struct NetworkFile {
  std::string name, path;
  bool comes_before = false;  ///< the simulation: its values do not change in it
  Span span;
};

struct NamedFile {
  std::string path;
  Span span;
};

/// What the YAML file names, with paths relative to it completed.
struct Files {
  int version = 1;
  std::string model, language;
  std::vector<std::string> parameters, conditions, observables, measurements, experiments, mappings, hybridizations;
  std::vector<NetworkFile> networks;
  std::vector<NamedFile> arrays;       ///< HDF5
  std::map<std::string, Span> places;  ///< in the YAML file, by path
};

/// Errors  E961, E965 (several models, required extensions).
Result<Files> read_files(const std::string& yaml, const sbml::SbmlLibrary& library, Sources& sources,
                         Diagnostics& diagnostics);

}  // namespace bolza::workflow::petab
