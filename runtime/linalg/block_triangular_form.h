// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

namespace bolza::linalg {

/// Rows and columns of a square matrix in the order of its block triangular form: block b is [first[b], first[b + 1]) of
/// both. A row of a block has no nonzero in the columns of the blocks before it, so that equations are solved from the last
/// block to the first.
struct BlockTriangularForm {
  std::vector<int> row, col;  ///< [n] permutations
  std::vector<int> first;     ///< [blocks + 1]
  bool complete = false;      ///< every row has a column of its own; else the matrix is structurally singular
};

/// @param places  (row, column) of what may not be zero, any order, repetitions allowed     Cost: O(n·places) at worst
/// (BTF).
BlockTriangularForm block_triangular_form(std::size_t n, const std::vector<std::pair<std::int32_t, std::int32_t>>& places);

}  // namespace bolza::linalg
