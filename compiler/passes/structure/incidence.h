// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// The equations one instance at a time, and which instances make a row.
struct EquationRows {
  std::vector<GroupInstance> instances;
  std::vector<std::vector<std::uint32_t>> parts;  ///< [rows] → instances
};
EquationRows equations_of(const System& system);

/// Which columns each row contains: compressed rows, no column twice. Columns are unknowns, numbered from 0.
struct Incidence {
  std::vector<std::uint32_t> begin;  ///< [rows + 1]
  std::vector<std::uint32_t> columns;
  std::uint32_t n_columns = 0;

  std::uint32_t n_rows() const { return static_cast<std::uint32_t>(begin.size() - 1); }
  std::span<const std::uint32_t> row(std::size_t r) const {
    return std::span(columns).subspan(begin[r], begin[r + 1] - begin[r]);
  }
};
Incidence transpose(const Incidence& incidence);

/// Unknowns of the equations: algebraics and derivatives that have no definition.
struct Unknowns {
  std::vector<VariableId> variables;
  std::vector<std::uint32_t> number;  ///< [n_scalars], none = 0xffffffff
};
Unknowns unknowns_of(const System& system);

/// @param states_too  a state counts as an occurrence of its derivative: what index reduction could reach.
Incidence incidence_of(const System& system, const EquationRows& equations, const Unknowns& unknowns,
                       bool states_too = false);

/// At most one column per row and the other way round; `none` where unmatched.
struct Matching {
  static constexpr std::uint32_t none = 0xffffffff;
  std::vector<std::uint32_t> of_row, of_column;
  std::uint32_t size = 0;
};

/// Completes a matching to one of maximum size [HK]. Cost: O(entries·√rows).
void maximise(const Incidence& incidence, Matching& matching);
Matching empty_matching(const Incidence& incidence);

/// What a maximum matching leaves open, by Dulmage and Mendelsohn [DM].
struct Decomposition {
  std::vector<std::uint32_t> over_rows, over_columns;    ///< more rows than columns
  std::vector<std::uint32_t> under_rows, under_columns;  ///< more columns than rows
};
Decomposition decompose(const Incidence& incidence, const Matching& matching);

/// Strongly connected components of the rows, each after those that it needs ([TARJAN], iterative).
/// Requires a perfect matching.
std::vector<std::vector<std::uint32_t>> blocks_of(const Incidence& incidence, const Matching& matching);

}  // namespace bolza::passes
