// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// What an integer control u, or a free integer parameter, decides by a jump (`gear == 1`, `floor(n/2)`, `rate[n]`) becomes
/// a sum over its values k with weights that are 1 and 0 at them, so that derivatives say something in between:
///
///   c(u)  Σ w_k c(k)     if c(u) then x else y  Σ w_k (c(k) ? x : y)     u > a  Σ w_k [k > a], a truth value
///
///   w_k   of two values a, b: (b − u)/(b − a), (u − a)/(b − a);  of more values of a control: Boolean controls `u = k`, of
///         which one is true, Σ w_k = 1, Σ k w_k = u (outer convexification);  of a parameter: Lagrange's polynomials
///
/// It is done where the values are between finite bounds, at most `most_values`, and nothing else that varies takes part.
/// Cost: jumps × values.    Source  [SBD]
Result<Done> choose_by_integers(System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
