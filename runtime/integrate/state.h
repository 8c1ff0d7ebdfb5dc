// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

namespace bolza::integrate {

/// A point of a run: time, states, algebraics and integrals so far.
struct State {
  double t = 0;
  std::vector<double> x, z, q;
};

}  // namespace bolza::integrate
