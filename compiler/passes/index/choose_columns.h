// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace bolza::passes {

/// A sparse matrix by rows, and how willingly each column is given up.
struct ColumnChoice {
  struct Entry {
    std::uint32_t column;
    double value;
    bool is_constant = true;  ///< the same at every point
  };
  std::vector<std::vector<Entry>> rows;
  std::vector<std::uint32_t> rank;         ///< [columns] lower ranks are taken first, where they have pivots
  std::vector<std::uint32_t> taste;        ///< [columns] within a rank, among pivots of similar size: lower first
  std::uint32_t last_resort = 0xffffffff;  ///< columns of this rank only where nothing else is regular, however small
  double tolerance = 0.05;                 ///< pivots are at least so large, relative to the largest entry of their row
};

/// A column for every row such that the square matrix of the chosen columns is regular, with columns of the lowest ranks:
/// Gaussian elimination in which every row, shortest first, takes its largest entry among the columns allowed so far, a
/// constant one where it can.
/// @param dependent  when given: gets the rows that are combinations of others
/// @returns [rows] columns; nothing when the rows are dependent (entries below 1e-10 of a row's largest count as zero)
/// Cost: the entries and their fill-in; chains and trees have none.
std::optional<std::vector<std::uint32_t>> choose_columns(const ColumnChoice& matrix,
                                                         std::vector<std::uint32_t>* dependent = nullptr);

/// Columns for some of the rows, such that the square matrix of these is, in some order, triangular with constant entries on
/// its diagonal: regular wherever its other entries may go. Next comes the row that has the fewest constant entries left to
/// take (then the shortest); of these it takes that of the lowest rank, then taste, then the largest; none of `last_resort`.
/// @returns [rows] columns, nothing for rows that got none. Cost: up to rows² times the entries, for small matrices
std::vector<std::optional<std::uint32_t>> choose_triangular(const ColumnChoice& matrix);

}  // namespace bolza::passes
