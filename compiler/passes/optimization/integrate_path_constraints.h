// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/optimization/point_value_collector.h"

namespace bolza::passes {

/// Path inequalities and bounds of states and algebraics as one integral for each phase: the mean over the horizon of the
/// sum of their squared violations, each relative to its size, is at most tolerance² (`PassOptions::path_tolerance`). They
/// leave `Lowered::path` and the numbers of their variables. Equations between controls and states stay, and so do bounds of
/// controls.
///
/// The size is that of `nominal` for a bound, the largest side for a constraint, else 1. The integrand (max(0, violation) /
/// (size·tolerance))² has one continuous derivative.
/// Requires  all point values but integrals are there: integrals come last.
void integrate_path_constraints(System& system, PointValueCollector& points);

}  // namespace bolza::passes
