#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Where PassOptions::smooth is a width ε > 0: what is not smooth in something that varies, or in a decision, is replaced.
///
///   a < b              ½ (1 + tanh((b − a) / 2ε))       and, or, not of such: products
///   if c then p else q  q + c (p − q)
///   |x|, sign x         √(x² + ε²), tanh(x / ε)
///   min, max of a, b    ½ (a + b ∓ √((a − b)² + ε²))
///
/// ε is in the units of what is compared. Functions of the model that remain calls are left alone, as are floor, ceil, div,
/// mod, rem. Without a width, the equations of an optimisation problem that are not smooth are told by one warning, W409.
Result<Done> smooth(System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
