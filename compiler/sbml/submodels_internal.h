// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sbml/SBMLTypes.h>

#include <string>

#include "compiler/sbml/quantities_internal.h"

namespace bolza::sbml {

/// Replaces submodels of the package `comp` by what they consist of, by libsbml's converter: `S` of submodel `a` becomes
/// `a__S`. Model definitions in other files are found beside the file at `path`.
/// Errors  E802 at the first line.
Result<Done> flatten_submodels(SBMLDocument& document, const std::string& path, const Lines& lines,
                               Diagnostics& diagnostics);

}  // namespace bolza::sbml
