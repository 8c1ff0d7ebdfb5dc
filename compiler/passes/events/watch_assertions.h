// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// The assertions of functions become assertions of the model: wherever an equation calls a function that asserts something,
/// with the condition under which the call is reached, so that they are checked where the solution is accepted, and reported
/// with their text, place and values, whether the call is inlined or not; the functions themselves go on. Those that say
/// less, "an assertion of f does not hold", go. Where events are taken literally only the calls of equations are watched,
/// and the functions do not go on.
Result<Done> watch_assertions(System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
