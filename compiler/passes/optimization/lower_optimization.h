// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// The optimisation problem as rows between numbers: fills System::lowered.
///
/// * A side of a constraint that consists of fixed parameters becomes the row's bound, else the row is left − right between
///   zeros; rows with the same expression are joined. Constraints without anything that varies with time are point rows.
/// * Bounds of eliminated variables are rows.
/// * Timed variables become point values; inside path constraints and the integrand they become global parameters, each tied
/// by
///   one point row.
/// * Objective and integrand keep the sign of the source; whoever minimises looks at Problem::maximize. What is minimised
/// and is
///   a sum of squares gets its residuals (least_squares.h).
/// Errors  E411, E412, E413, E414.   Warnings W405, and those of check_phase_starts.h.
Result<Done> lower_optimization(System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
