// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "compiler/passes/structure/incidence.h"

namespace bolza::passes {

/// Which variables each row contains, with the order of their highest derivative there: the sparse signature matrix. What
/// comes in only when the row is differentiated k times, as it is, has the order -k.
struct Signature {
  std::vector<std::uint32_t> begin{0};  ///< [rows + 1]
  std::vector<std::uint32_t> columns;   ///< no column twice in a row
  std::vector<std::int32_t> orders;     ///< [entries]
  std::uint32_t n_columns = 0;

  std::uint32_t n_rows() const { return static_cast<std::uint32_t>(begin.size() - 1); }
};

/// How often rows have to be differentiated, and the order of each variable's highest derivative afterwards.
struct Offsets {
  std::vector<std::uint32_t> rows, columns;
  Matching matching;  ///< of rows with variables whose highest derivative they contain
};

/// Entries of a row that contain the highest derivative after differentiation.
bool is_leading(const Signature& signature, const Offsets& offsets, std::size_t row, std::size_t entry);

/// The smallest numbers of differentiations that make the highest derivatives structurally solvable: what Pantelides'
/// algorithm [PANTELIDES] gives, found in rounds. Each round completes a maximum matching and differentiates the part that
/// has too many equations (Dulmage and Mendelsohn); the matching stays valid, so a round costs what it adds. As every row of
/// that part is left over by some maximum matching, no solution can differentiate it less: the offsets are the canonical
/// ones of [PRYCE].
///
/// @param least  [columns] orders that variables have at least
/// Requires  a perfect matching of rows with variables of any order, else it would not end.
/// Errors    nothing when a row would be differentiated more than `limit` times.
/// Cost      a few matchings for each differentiation of the most differentiated row.
std::optional<Offsets> differentiation_offsets(const Signature& signature, std::span<const std::uint32_t> least,
                                               std::uint32_t limit);

}  // namespace bolza::passes
