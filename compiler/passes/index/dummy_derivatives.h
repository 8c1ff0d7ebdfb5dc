// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "compiler/passes/index/derivative_chains.h"

namespace bolza::passes {

/// Connected constraints and what was chosen among their variables.
struct BlockChoice {
  struct Demoted {
    std::uint32_t chain, order;  ///< what could have been a state
    std::uint32_t row;           ///< the constraint that determines it
  };
  std::vector<std::uint32_t> rows, chains;
  std::vector<Demoted> demoted;
  bool is_constant = true;                ///< the Jacobian consists of numbers and fixed parameters
  std::vector<std::uint32_t> invariants;  ///< of `rows`: those without a choice that is good everywhere
};

struct DummyDerivatives {
  std::vector<BlockChoice> blocks;
  std::vector<std::uint32_t> demotions;  ///< [chains] how many of the highest derivatives are ordinary algebraics
};

/// Chooses dummy derivatives: see reduce_index.h for the order of preferences.
///
/// Stage s = 1, 2, … looks at the rows that are differentiated at least s times and at the chains of the stage before: every
/// row takes the derivative of order highest + 1 − s of one of them.
///
/// In an optimisation nobody can change a choice on the way: where the determinant of a choice has both signs among points
/// within the bounds, a good one does not exist. Rows then give what
/// they can give with constant coefficients (choose_triangular), and the
/// others are invariants of the differentiated equations: they demote nothing.  Errors  E418, E419
Result<DummyDerivatives> choose_dummy_derivatives(System& system, const EquationRows& equations,
                                                  const DerivativeChains& chains, const Signature& signature,
                                                  const Offsets& offsets, Diagnostics& diagnostics);

}  // namespace bolza::passes
