// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// What Boolean decisions (inputs and free parameters of an optimisation problem) switch is written as a function of numbers
/// between 0 and 1, which is exact where they are whole: `if c then p else q` becomes q + c (p − q), and, or, not, = and <>
/// of them products and sums [SBD: outer convexification]. So relaxed problems have derivatives by them.
///
/// Where PassOptions::smooth is a width ε > 0: what is not smooth in something that varies, or in a decision, is replaced.
///
///   a < b              ½ (1 + tanh((b − a) / 2ε))       and, or, not of such: products
///   if c then p else q  q + c (p − q)
///   |x|, sign x         √(x² + ε²), tanh(x / ε)
///   min, max of a, b    ½ (a + b ∓ √((a − b)² + ε²))
///   √(x² + y² + …)      √(x² + y² + … + ε²)
///
/// ε is in the units of what is compared, or of the root. Functions of the model that remain calls are left alone, as are
/// floor, ceil, div, mod, rem. Without a width, the equations of an optimisation problem that are not smooth are reported by
/// one warning, W409.
Result<Done> smooth(System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
