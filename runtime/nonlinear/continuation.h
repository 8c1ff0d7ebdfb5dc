// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/nonlinear/newton.h"

namespace bolza::nonlinear {

/// Square equations by following the curve r(w) = ρ·r(w0) from w0, where ρ = 1, to ρ = 0, first the way on which ρ falls,
/// then the other one. The curve is followed by its length, so it may turn back: this finds the solution to which a model
/// jumps where the branch of solutions that it was on has ended, as in a circuit with positive feedback.
///
/// @param w  in: where the curve begins; out: the solution, unchanged after a failure.
/// Errors  stalled when neither way ends in a solution.     Cost  one dense factorisation for each of some ten to hundred
/// steps.
NewtonReport solve_by_continuation(const Equations& equations, std::vector<double>& w, const NewtonOptions& options = {});

}  // namespace bolza::nonlinear
