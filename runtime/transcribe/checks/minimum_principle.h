// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"

namespace bolza::transcribe {

/// Controls far from those of a solution that make its Hamiltonian smaller.
struct BetterControls {
  std::string name;          ///< of the control that differs most where most is gained
  double time = 0;           ///< where that is
  double value = 0;          ///< of that control in the solution
  double better = 0;         ///< and where the Hamiltonian is smaller
  double gain = 0;           ///< ∫ what the Hamiltonian is too large by dt, of all phases: first-order gain of the objective
  double share = 0;          ///< of the horizons
  abi::Solution controlled;  ///< the solution with those controls in the place of its own, as a guess: states as they were
};

/// Pontryagin's minimum principle, at the samples of a solution: no controls within their bounds make
/// H(t, x, z(t, x, u), u, λ) smaller. An optimum of a nonlinear program is stationary, and holds to this in a neighbourhood
/// only; where H has several minima over u, it may be in the wrong one [BH1975]. Tried are eleven values between
/// finite bounds and some on either side of the solution's, one control after the other, two rounds of them; counted is what
/// lies beyond a rise: H at a tenth of the way is above the line between both. Path constraints that are equalities, as
/// c² + s² = 1, are met again by the shortest way of all controls; values that break another path constraint or a bound of
/// an algebraic are not taken. A phase with delays is left out (its H has more terms), as is one whose objective is
/// not a linear function of its integrals.
/// Requires  costates.     Errors  what cannot be evaluated is left out; none: nothing better was found.     Cost  some 20
/// evaluations of rates per control and sample, of 400 samples at most.
std::optional<BetterControls> better_controls(bolza_problem& problem, const abi::Solution& solution);

}  // namespace bolza::transcribe
