// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Where PassOptions::complementarity is ε > 0, relations, |g|, min, max and sign of what varies become complementarity. A
/// relation that compares g with 0 gets a control p, its positive part, and where it jumps a control s in [0, 1], its truth:
///
///   p >= 0,  p − g >= 0,  p (p − g) <= ε;     p (1 − s) <= ε,  (p − g) s <= ε
///
///   |g|  2 p − g     max(a, b)  b + p     min(a, b)  a − p     (g = a − b)
///   g > 0  s         sign g  2 s − 1      if c then x else y  y + c (x − y); and, or, not: products
///
/// Errors  E492 what jumps with what a relation decides on, as `gear == 1`.
/// At g = 0 the truth is any value between: what slides along a discontinuity does so (Filippov's solution).
Result<Done> make_complementary(System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
