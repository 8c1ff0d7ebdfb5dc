// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"
#include "runtime/transcribe/shooting/shooting_options.h"

namespace bolza::transcribe {

/// An interval of a control's grid, and what it costs that the control is one value, or one line, on it.
struct ControlInterval {
  double begin = 0, end = 0;  ///< fractions of the horizon
  double share = 0;           ///< of the error of the objective, in its units, >= 0
  bool switches = false;      ///< the control goes from a bound to the opposite one here, or next to it
  double switch_at = std::numeric_limits<double>::quiet_NaN();  ///< where, as a fraction, if it is inside; else NaN
};

/// What the grids of the controls of a solution by shooting cost.
struct ControlError {
  bool known = false;          ///< false: it could not be estimated
  double objective = 0;        ///< of the objective, in its units, never negative, the integration's included
  double objective_bound = 0;  ///< the same where what controls lose and what constraints gain does not cancel
  double integration = 0;      ///< of the objective, by the errors of the integration alone
  double least = 0;  ///< an error of the objective that is small against its slopes, where the objective is nearly zero
  std::vector<std::vector<std::vector<ControlInterval>>> interval;  ///< [phases][controls][intervals]
  double largest = 0;                                               ///< share
  std::string name;                                                 ///< of the control whose it is
  double time = 0;                                                  ///< the middle of its interval
};

/// Estimates by how much the objective of a solution by single or multiple shooting differs from that with grids infinitely
/// fine. On grids with all intervals cut, in halves or where a line leads from a bound to the opposite one in thirds, from
/// the same controls, the Lagrangian is expanded to second order in the form of multiple shooting; the step of the quadratic
/// program leads to what the finer grids gain, and loses where path constraints hold at mesh points that are new. An
/// interval's share is what it gains that the controls inside differ from one value, or one line, and the multipliers of
/// constraints at its new mesh points times what they are violated by. Next levels add a geometric series, at the slowest
/// rate (a switch, or constants: a quarter).
///
/// Single shooting of more than 100 states: slopes by adjoints and a curvature along all intervals at once in the place of
/// the program.
///
/// The error of the integration is the change of the Lagrangian where the intervals are integrated by CVODES to a hundredth
/// of the tolerance.
///
/// @param options   of the solve; meshes, grids and kind of the controls are those of the solution
/// Where no phase has controls that error of the integration is all; known of single shooting alone, as multiple shooting
/// takes equations that cannot be integrated over the horizon.
///
/// Requires  a solution of shooting (`control_grid`).     Errors  `known` = false: the program was not solved; or, with many
/// states, there are path constraints, or two ways to the curvature disagree.     Cost  one iteration of multiple shooting
/// on twice as many intervals, with many states five gradients; and two integrations.
ControlError control_error(bolza_problem& problem, const TranscribeOptions& options, const ShootingOptions& shooting,
                           const abi::Solution& solution);

/// Grids [phases][controls] on which the intervals are cut whose shares are largest, until the rest adds less than a quarter
/// of `allowed`: at the switch where there is one (for linear controls in a short interval around it), else in 2 to 4 equal
/// parts. At most `most` intervals of all controls of a phase. The present grids when nothing may or need be cut.
/// @param allowed  error of the objective
std::vector<std::vector<std::vector<double>>> refined_controls(const ControlError& error, const abi::Solution& solution,
                                                               double allowed, std::size_t most);

/// The options of a solve on other grids of the controls, with the kind of controls and the mesh of a solution.
TranscribeOptions on_control_grids(const bolza_problem& problem, const TranscribeOptions& options,
                                   const abi::Solution& solution, std::vector<std::vector<std::vector<double>>> grids);

}  // namespace bolza::transcribe
