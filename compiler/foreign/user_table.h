// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bolza::foreign {

/// What a table is for, as a C function `usertab` is asked.
enum class UserTableKind : std::uint8_t { time, one_dimension, two_dimensions };

/// Calls a C function with the interface that the Modelica library has for tables that are compiled with a model:
///   int usertab(char* name, int kind, int sizes[2], int* by_columns, double** numbers)
/// @param rows  out: the table row by row
/// @return      why there is none, nothing when it was given
std::optional<std::string> call_user_table(void* function, const std::string& name, UserTableKind kind,
                                           std::vector<std::vector<double>>& rows);

}  // namespace bolza::foreign
