// SPDX-License-Identifier: Apache-2.0
// Where path constraints are violated between the mesh points of shooting.
#pragma once
#include <string>
#include <vector>

#include "runtime/transcribe/shooting/solution_internal.h"

namespace bolza::transcribe {

/// A maximum of one constraint's violation inside an interval.
struct PathMaximum {
  std::size_t phase = 0, segment = 0;
  double fraction = 0;   ///< of the horizon
  double violation = 0;  ///< relative to the constraint's size
};

struct PathMaxima {
  std::vector<PathMaximum> above;  ///< those above the tolerance, by phase and time
  double largest = 0;              ///< of all, 0 where none is violated
  std::string name;                ///< whose it is
  double time = 0;                 ///< and where
  bool known = false;              ///< false: an integration failed
};

/// Maxima of path constraints and of bounds of states and algebraics inside the intervals, on trajectories that are
/// integrated from the solution's variables: from ten samples an interval and the parabola through the three highest, which
/// is put through three values close to its vertex once more. The size of a constraint is that of its variable, or the
/// largest of its sides, or 1.
/// Requires  the nodes moved to `w`.     Cost  two simulations.
PathMaxima path_maxima(ShootingNodes& nodes, const ShootingWriter& writer, std::span<const double> w, double tol);

}  // namespace bolza::transcribe
