// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Matches every equation with the unknown that it determines and brings the equations into the order of evaluation.
///
/// Groups are offered one slot for all their instances first, solvable derivatives before solvable algebraics; Hopcroft–Karp
/// completes the matching, Tarjan finds the blocks. In a block of one the equation is explicit when it is linear in its
/// unknown with a coefficient that cannot be zero (by bounds and values); in larger blocks tearing variables are chosen so
/// that the rest is. Fills System::schedule and System::treatments.
///
/// Errors  E408 structurally singular, E409 index above 1.
/// Cost    O(entries·√rows) for the matching, else linear.
Result<Done> sort_equations(System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
