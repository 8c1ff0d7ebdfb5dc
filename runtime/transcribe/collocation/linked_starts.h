// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"

namespace bolza::transcribe {

/// Moves start values of a phase to where links say that it goes on from the phases before: `second.m(startTime) =
/// first.m(finalTime) - drop`. Of states that are not fixed, by equalities between start and final values of states that are
/// linear in the one that is sought.
///
/// @param before  trajectories of the phases with smaller numbers
/// @param x  [n_x] guessed start values of the phase; changed in place
/// Cost  a few evaluations of the point function and its Jacobian, whose kernels it asks for.
void follow_links(bolza_problem& problem, std::size_t phase, const std::vector<abi::PhaseSolution>& before,
                  const std::vector<double>& parameters, std::vector<double>& x);

}  // namespace bolza::transcribe
