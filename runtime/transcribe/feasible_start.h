// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "runtime/nonlinear/newton.h"

namespace bolza::transcribe {

/// A point that fulfils equations within bounds, by IPOPT: minimises the distance from the start, relative to sizes, subject
/// to r(w) = 0. Equations may be more or fewer than unknowns. `w` is the start and, when true, the result.
/// False  when IPOPT does not find one, was not built, or has fewer unknowns than equations.
/// Cost  tens of evaluations of r and its Jacobian.
bool find_feasible(const nonlinear::Equations& equations, std::span<const double> lower, std::span<const double> upper,
                   std::vector<double>& w);

}  // namespace bolza::transcribe
