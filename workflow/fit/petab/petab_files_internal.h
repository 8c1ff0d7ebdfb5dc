// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "compiler/sbml/sbml_library.h"

namespace bolza::workflow::petab {

/// What the YAML file names, with paths relative to it completed.
struct Files {
  int version = 1;
  std::string model, language;
  std::vector<std::string> parameters, conditions, observables, measurements, experiments, mappings;
};

/// Errors  E961, E965 (several models, required extensions).
Result<Files> read_files(const std::string& yaml, const sbml::SbmlLibrary& library, Sources& sources,
                         Diagnostics& diagnostics);

}  // namespace bolza::workflow::petab
