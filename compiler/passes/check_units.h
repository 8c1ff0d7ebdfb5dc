// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Compares the units of what is added, compared, chosen between and equated, of arguments of functions that take numbers,
/// and of bindings. Variables without a unit get the one that an equation gives them. Literals fit everywhere: in sums they
/// have the unit of the rest, a factor that is not a small number may convert between units. `1` as a unit says nothing, nor
/// does `time`. Only dimensions are compared where a literal has been at work, also factors and offsets elsewhere. One
/// finding per equation: E425, a warning unless PassOptions::units is strict; W991 for a unit that is misspelt. Cost linear
/// in the instances of the equations, times the rounds until no unit is found any more (10 at most).
Result<Done> check_units(System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
