// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "compiler/ir/group.h"

namespace bolza::ir {

/// A variable that could have been a state and is not: constraints give it as a function of states.
struct Demotion {
  VariableId variable;
  std::uint32_t origin = 0;  ///< of the constraint that gives it
};

/// Connected constraints that index reduction differentiated, and the choice of states among their variables.
///
/// The choice is good while ∂demoted/∂kept is moderate; where it grows without bound the constraints' Jacobian with respect
/// to the demoted variables is singular, and other states have to be chosen (passes::PassOptions::point).
struct StateChoice {
  std::vector<Demotion> demoted;
  std::vector<VariableId> kept;  ///< states that could be demoted instead
  bool is_constant = true;       ///< the Jacobian does not change: never becomes singular
  /// Optimisation, where states cannot change places: constraints, by origin, for which no choice is good everywhere. They
  /// demote nothing, but hold at the start; that their highest derivatives hold keeps them.
  std::vector<std::uint32_t> invariants;
};

/// A block of equations that have to be solved together.
struct Loop {
  std::uint32_t size = 0;                ///< equations
  std::vector<VariableId> torn;          ///< tearing variables, those that iterations see
  std::vector<std::uint32_t> residuals;  ///< [torn] origins of the equations that determine them
  bool is_solved = false;                ///< linear with coefficients that cannot be zero: nothing is left to iterate
};

/// An equation that lost terms because parameters have the values that they have: R·i with R = 0.
struct VanishedTerm {
  std::uint32_t origin = 0;            ///< of the equation
  std::vector<VariableId> parameters;  ///< whose values decide
};

/// What the passes found out about a model, for reports and for integrators.
struct Structure {
  std::uint32_t index = 0;                        ///< structural index of the equations as written
  std::uint32_t remaining_index = 0;              ///< of the problem as compiled: 0, 1, or `index` in the original form
  std::uint32_t n_equations = 0, n_unknowns = 0;  ///< before index reduction, without aliases
  std::uint32_t n_aliases = 0;
  std::uint32_t n_differentiated = 0;  ///< equations added by index reduction
  std::vector<StateChoice> choices;
  std::vector<Loop> loops;
  std::vector<VanishedTerm> vanished;
  std::vector<VariableId> start_values_used;  ///< states that start at `start` because initial equations are missing
};

}  // namespace bolza::ir
