// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace bolza::integrate {

struct Located {
  bool finite = true, found = false;
  double t = 0;
  std::size_t row = 0;  ///< which component changed
  struct Nearest {
    std::size_t row = 0;
    double t = 0, value = std::numeric_limits<double>::infinity();  ///< distance from zero
  };
  Nearest nearest;  ///< where a component that turned came nearest to zero; with `found` false
};

/// Where a step is looked at.
struct Looking {
  std::span<const double> shares;  ///< of the step, ascending; empty: nine, finer at the start
  std::span<const char>
      curved;  ///< [components] not linear in what is integrated: these may turn within a step; empty: none
  double longest = std::numeric_limits<double>::infinity();  ///< seconds between two places, for the sake of those
};

/// The first sign change of any component of g in (a, b], by bisection and secants over all components together (Illinois).
/// Two changes of one component between two places are found where the parabola through three values leads towards zero:
/// its lowest place is looked at, again and again; a curved component may have a fold (|x|), followed by golden sections. Where a curved component's slope leads much farther than its values are
/// apart, as that of sin(30 t) over seconds, there are as many more places.
/// @param at   g at a time; false: not finite, which stops the search
/// @param g    [components] values at a on entry, those at the returned time on return
/// Returns the right end of a bracket of some rounding units, so that the sign has changed there; b when there is no change
/// (`found` false). Cost: about ten evaluations per event, and one for every place.
Located locate_root(const std::function<bool(double t, std::span<double> g)>& at, double a, double b, std::vector<double>& g,
                    const Looking& looking = {});

}  // namespace bolza::integrate
