// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Matrices of numbers in MATLAB files.
namespace bolza::foreign {

/// A matrix of numbers in a MATLAB file of level 4 or 5, row by row; nothing when there is none of that name. A field of a
/// struct is named `s.field`, one of a struct in a struct `s.t.field`.
std::optional<std::vector<std::vector<double>>> matrix_in_mat_file(const std::string& content, const std::string& name);

/// What stands in a file in front of its matrices: nothing in level 4, a header in level 5.
std::string mat_file_begin(int version);
/// A matrix as it is appended to a file of MATLAB's version 4, 6, or 7 (compressed).
/// @param numbers  [rows x columns], row by row
std::string mat_file_matrix(int version, const std::string& name, std::span<const double> numbers, std::size_t rows,
                            std::size_t columns);

}  // namespace bolza::foreign
