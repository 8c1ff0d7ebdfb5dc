// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/transcribe/shooting/nodes_internal.h"

namespace bolza::transcribe {

inline constexpr double lost_state = 0.01;  ///< error of a state, of its size, with which its value says nothing

/// What small errors of the states become.
struct Growth {
  double factor = 1;   ///< of a state's error by those before it, as multiples of what is made on one interval
  std::string name;    ///< of the state where it is largest
  double time = 0;     ///< and where
  bool known = false;  ///< false: an integration failed
};

/// How far errors of one size, made in every state at the start and on every interval, carry a state at a later mesh point
/// of the same phase away: root of the mean square over random combinations of them, the same ones each time, relative to
/// the state's size.
/// Requires  the nodes evaluated: states at all mesh points are those of the present variables.
/// Cost  one integration with four sensitivities.
Growth growth_of_errors(ShootingNodes& nodes);

}  // namespace bolza::transcribe
