// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <utility>
#include <vector>

#include "compiler/passes/structure/incidence.h"

namespace bolza::passes {

/// A block cut open: with the tearing variables known, the assignments can be evaluated one after the other; the residuals
/// then determine the tearing variables. Pairs are (row, column).
struct Tearing {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> assignments, residuals;
};

/// Takes rows with one unknown left that they can be solved for; when there is none, the unknown that occurs in most rows
/// becomes a tearing variable (ties: lowest number). A greedy choice: finding the smallest set is NP-hard.
/// @param solvable  [entries of the incidence]
/// Cost: O(entries of the block + columns log columns).
Tearing tear(const Incidence& incidence, const Matching& matching, const std::vector<std::uint32_t>& block,
             const std::vector<bool>& solvable);

}  // namespace bolza::passes
