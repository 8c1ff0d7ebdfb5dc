// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <span>
#include <vector>

namespace bolza::integrate {

/// The first sign change of any component of g in (a, b], by bisection and secants over all components together (Illinois).
/// Two changes of one component between two of the places looked at first are missed.
/// @param at   g at a time; false: not finite, which stops the search
/// @param look  where to look first, shares of the step, ascending; nine places, finer at the start, unless given
/// @param g    [components] values at a on entry, those at the returned time on return
/// Returns the right end of a bracket of some rounding units, so that the sign has changed there; b when there is no change
/// (`found` false). Cost: about ten evaluations per event.
struct Located {
  bool finite = true, found = false;
  double t = 0;
  std::size_t row = 0;  ///< which component changed
};
Located locate_root(const std::function<bool(double t, std::span<double> g)>& at, double a, double b, std::vector<double>& g,
                    std::span<const double> look = {});

}  // namespace bolza::integrate
