// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace bolza {

/// A text as one cell of a table with commas: in quotes where it has to be.
std::string csv_cell(std::string_view text);

}  // namespace bolza
