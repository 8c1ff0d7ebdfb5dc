// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <span>
#include <vector>

namespace bolza::transcribe {

/// Integrals over [0, 1] of several functions at once, by a rule on ever smaller parts: a part is halved until its halves
/// give what it gives. Where a function has a kink or a jump, a rule over the whole of it is wrong by O(h²) or O(h) whatever
/// its order; so only the parts with one are cut, and what they are wrong by falls fourfold or twofold with every level.
struct SplitQuadrature {
  std::span<const double> tau, weight;  ///< of the rule; 0 and 1 are among its points
  double share = 0.03;                  ///< of the sum of all |integrals|: what parts may be off by
  int most_levels = 8;

  using Values = std::vector<double>;                   ///< one for each function
  using Density = std::function<Values(double place)>;  ///< asked at places inside [0, 1]
  /// @param at_points  the functions at tau     @param floor  what is off by less is rounding
  /// Cost  two rules more than the first where all is smooth, two for each level and kink beyond that.
  Values integrate(const std::vector<Values>& at_points, const Density& density, double floor) const;
};

}  // namespace bolza::transcribe
