// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "workflow/model.h"
#include "workflow/solver_library.h"

namespace bolza::workflow {

/// The model's own guess where an `initialGuess` varies with time: evaluated at the ends of 1000 intervals of the guessed
/// horizon, at the guesses of free parameters. Everything else is as it would be without: on the data where `with_data`
/// says so, else constant. No phases when no guess varies.
///
/// Requires  a compiled model.     Cost  linear in the times × (states, algebraic variables, controls).
abi::Solution timed_guess(Model& model, const SolverLibrary& library, bool with_data);

}  // namespace bolza::workflow
