// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/span.h"
#include "compiler/instance/library/trust.h"

namespace bolza::flatten {

/// Reads a table from a text file or, when the name ends so, a .csv file; relative names are looked for next to the files
/// `beside` too. Only files that a model may read; they are added to `sources`, without their text. Gives what is wrong, ""
/// when nothing is.
std::string read_table_file(const std::string& name, const std::string& table, std::size_t heading_lines,
                            std::span<const std::string_view> beside, const instance::TrustRules& trust, Sources& sources,
                            std::vector<std::vector<double>>& rows);

}  // namespace bolza::flatten
