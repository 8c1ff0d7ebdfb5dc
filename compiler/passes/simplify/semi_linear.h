// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Gives equations y = semiLinear(x, p, n), that is y = noEvent(if x >= 0 then p*x else n*x), one solution where the flow x
/// vanishes and any value of what flows would do.                                        [MLS, 3.7.2.5]
///
/// Chains    y = semiLinear(x, a, s1), y = semiLinear(x, s1, s2), …, y = semiLinear(x, sN, b) become
///           y = semiLinear(x, a, b), s1 = noEvent(if x >= 0 then a else b), …: the specification's first rule.
/// Junctions Σ Hi + Q = 0 of Hi = semiLinear(mi, s, hi), without derivatives in Q, becomes the balance of what mixes:
///           s·Σ (max(mi, 0) + e) + Q = Σ hi·(max(−mi, 0) + e), e = 1e-12 of the flow's nominal value. Far from zero flow
///           that is the same equation, for Σ mi = 0; at zero flow s is the mean of its neighbours. Two branches with one
///           flow are a chain.
///
/// Cost      linear in the slots of the equations.
Result<Done> rewrite_semi_linear(System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
