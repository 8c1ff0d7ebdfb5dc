// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"

namespace bolza::transcribe {

/// How far a solution is outside the constraints of a problem.
struct Violation {
  double largest = 0;                  ///< over all, each in its own units
  std::vector<abi::Finding> findings;  ///< one per constraint or variable at its worst time, worst first
};

/// Bounds and path constraints at the solution's own times, bounds of parameters, point constraints with values interpolated
/// from the trajectories and integrals as the solution gives them. For a re-simulated solution as well as for one of a
/// transcription. Equations of the model are not checked. Needs the value (or Jacobian) kernels of residuals, rates and the
/// point function. Cost linear in the number of times.
/// @param part  what is below this part of its limit, or of 1e-6 of the largest value compared with it, is left out; a path
/// inequality with a limit of 0 (`x <= limit(time)`) is compared with ten times its largest term, and other limits of 0,
/// compared with which nothing is small, are left out; 0: nothing is left out
Violation constraint_violation(bolza_problem& problem, const abi::Solution& solution, double part = 0);
/// The same for a simulation with the controls of another solution, which have two values where they jump.
Violation constraint_violation_with(bolza_problem& problem, const abi::Solution& solution, const abi::Solution& controls,
                                    double part = 0);

}  // namespace bolza::transcribe
