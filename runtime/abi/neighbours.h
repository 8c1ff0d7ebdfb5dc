// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/abi/bolza.h"

namespace bolza::abi {

/// A problem with one parameter a step below and above its value, both compiled from the model's text: so it does not matter
/// where the parameter stands, in equations, weights, bounds, limits, starts or times.
struct NeighbourProblems {
  bolza_problem* below = nullptr;
  bolza_problem* above = nullptr;
  double step = 0;  ///< half of the distance of the two values
};

}  // namespace bolza::abi
