// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/transcribe/collocation/costates.h"

namespace bolza::transcribe {

/// Takes out of costates at mesh points what algebraic equations there do for the interval before them. In schemes with
/// points at both ends of an interval (Lobatto, trapezoidal, Hermite-Simpson) the equations h = 0 of a mesh point are shared
/// by two intervals, and their multipliers are the sum of what both ask for: h_zᵀ μ = −(S⁻ + S⁺ + Φ), S the derivatives by z
/// of the terms of either interval, Φ those of point values. Of the terms of intervals ≥ i is μ + h_z⁻ᵀ (S⁻ + Φ), of point
/// values −h_z⁻ᵀ Φ; the whole μ would be off by a step's length.
/// Where h_z is singular nothing is changed.     Cost  linear in the entries of the Jacobian, n_z³ for each mesh point.
void split_shared_algebraics(const Transcription& t, const double* jacobian, const std::vector<double>& lambda,
                             std::vector<Costates>& all);

}  // namespace bolza::transcribe
