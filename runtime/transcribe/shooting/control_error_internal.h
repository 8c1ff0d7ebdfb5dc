// SPDX-License-Identifier: Apache-2.0
// What the ways to the error of the grids of controls share: the finer grids, and switches on them.
#pragma once
#include <span>
#include <vector>

#include "runtime/transcribe/shooting/control_error.h"
#include "runtime/transcribe/shooting/nodes_internal.h"

namespace bolza::transcribe {

inline constexpr double near_fraction = 1e-9;  ///< fractions of a horizon that are the same
inline constexpr double of_all_levels =
    4.0 / 3.0;  ///< what all levels gain, of what the first does: a quarter from each to the next
inline constexpr double uncancelled = 0.3;  ///< share of the bound below which the sides of an error do not cancel

inline constexpr double of_slopes = 1e-6;  ///< of the objective's slopes, `ControlError::least`

/// Grids with points inside every interval: one in the middle; where a line leads from a bound to the opposite one two, as
/// the line from the bound to the middle and on is as good as the whole. [phases][controls]
std::vector<std::vector<std::vector<double>>> finer_grids(const bolza_problem& problem, const abi::Solution& solution);

/// The place of a fraction in ascending ones; size() where there is none.
std::size_t place_of_fraction(const std::vector<double>& fractions, double at);

/// Of the mesh points of a phase. [N + 1]
std::vector<double> mesh_fractions(const ShootingNodes& nodes, const ShootingPhase& phase);

/// Sets the controls of a point to the solution's, from what it has where they cannot jump.
/// @param fractions  of the mesh points [phases][N + 1]
void take_controls(const ShootingNodes& nodes, const abi::Solution& solution,
                   const std::vector<std::vector<double>>& fractions, std::vector<double>& point);

/// Marks the intervals in which values of a control between opposite bounds are: where a jump has the same integral.
/// @param fine  fractions of its finer grid     @param w  variables on that grid
void mark_switches(const ShootingPhase& phase, std::size_t control, const std::vector<double>& fine,
                   std::span<const double> w, std::vector<ControlInterval>& intervals);

/// The problem's own equations, whichever form of them was integrated, without samples of path constraints.
ShootingOptions by_own_equations(ShootingOptions shooting);
/// By CVODES, to a hundredth of this tolerance.
ShootingOptions to_a_hundredth(ShootingOptions shooting, double rtol);

/// `largest`, `name` and `time` of an error whose shares are known.
void find_largest(const ShootingNodes& nodes, const abi::Solution& solution, ControlError& error);

/// `control_error` of single shooting with many states: slopes of the reduced problem on finer grids by adjoints, curvature
/// along what the insides of all intervals gain by their differences. Path constraints do not take part.
/// Errors  `known` = false where there are path constraints, or two ways to the curvature disagree.     Cost  five gradients
/// of the Lagrangian, two integrations.
ControlError reduced_control_error(bolza_problem& problem, const TranscribeOptions& options, const ShootingOptions& shooting,
                                   const abi::Solution& solution);

/// `control_error` of single shooting where there are no controls: what the integration leaves in the objective, by another
/// one from the same initial states and parameters. Errors  `known` = false where it fails.     Cost  one integration.
ControlError error_without_controls(bolza_problem& problem, const TranscribeOptions& options,
                                    const ShootingOptions& shooting, const abi::Solution& solution);

}  // namespace bolza::transcribe
