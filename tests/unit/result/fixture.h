// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"

namespace bolza::result {

/// A harmonic oscillator x1' = x2, x2' = -x1 with control u, a free parameter k = 2.5, outputs and a path constraint, and a
/// made-up solution on five times with a jump of u.
struct Fixture {
  Fixture();
  static double x1(double t);
  static double x2(double t);
  bolza_problem problem{};
  abi::Solution solution;
};

}  // namespace bolza::result
