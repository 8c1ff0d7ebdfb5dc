// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "base/result.h"

namespace bolza::sbml {

/// A scalar of a YAML document and the way to it: "problems.0.sbml_files.1".
struct YamlEntry {
  std::string path, text;
  Span span;
};

/// All scalars of a YAML document, in its order.
/// Errors  E807 it cannot be read, at the line.
Result<std::vector<YamlEntry>> read_yaml(SourceId file, const Sources& sources, Diagnostics& diagnostics);

}  // namespace bolza::sbml
