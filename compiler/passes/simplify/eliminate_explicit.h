// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Solves explicit equations and inserts what stays small; fills System::solved.
///
/// Every derivative that an explicit equation determines gets its rate as definition; other derivatives become algebraics v
/// with rate v. An explicit algebraic becomes a definition when that has at most PassOptions::inline_slots variables and the
/// operations of those that use it grow by at most PassOptions::inline_growth; else it stays an algebraic with its equation
/// as residual. Initial equations that only fix one state become fixed starts. Errors  none. Cost    linear in the slots of
/// the equations; expressions once per shape.
Result<Done> eliminate_explicit(System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
