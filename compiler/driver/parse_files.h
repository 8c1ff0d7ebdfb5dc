// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>

#include "base/diagnostics.h"

namespace bolza::driver {

/// Parses each file and forgets the tree: syntax alone. Gives how many files have no syntax error. Cost linear in the text.
std::size_t parse_files(std::span<const std::string> files, Sources& sources, Diagnostics& diagnostics);

}  // namespace bolza::driver
