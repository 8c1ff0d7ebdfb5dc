// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>

#include "base/diagnostics.h"
#include "base/result.h"

namespace bolza::workflow {

/// Whether both names lead to one regular file.
bool is_same_file(const std::string& a, const std::string& b);

/// Errors  E968: an output is one of the files that were read, named on the command line or not: packages, tables, SBML.
/// Call once everything is read and before anything is computed. Cost: outputs times files, a system call each.
Result<Done> spare_inputs(std::span<const std::string> outputs, const Sources& sources, Diagnostics& diagnostics);

}  // namespace bolza::workflow
