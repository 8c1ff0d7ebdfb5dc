// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/index/derivative_chains.h"

namespace bolza::passes {

/// Lets `stateSelect` decide among more than the variables whose derivatives occur. An algebraic variable with
/// StateSelect.prefer, and one that an equation ties to a state with StateSelect.never, gets a derivative too, where that
/// changes which variables are states and nothing else: the equations that have to be differentiated for it are smooth, read
/// no inputs and change at no event (there a state is continuous, and what depends on it jumps), and tie it to a state that
/// is preferred less. Nor does a state lose the start value that it has to a variable without one.
///
/// @param offsets  what the equations need of themselves
/// @return  what the equations need with these preferences; `offsets` where nothing is to be done.
/// Cost     a few matchings where there are such preferences.
Offsets offsets_with_state_select(const System& system, const EquationRows& equations, const DerivativeChains& chains,
                                  const Signature& signature, const Offsets& offsets, std::uint32_t limit);

/// [chains] Is there an equation between the variable and another that may be a state? Otherwise nothing can take its place.
std::vector<bool> have_alternatives(const System& system, const DerivativeChains& chains, const Signature& signature);

}  // namespace bolza::passes
