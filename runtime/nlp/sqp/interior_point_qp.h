// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "runtime/nlp/sqp/kkt_factors.h"
#include "runtime/nlp/sqp/quadratic_program.h"

namespace bolza::nlp {

/// How the barrier parameter of a step is chosen.
enum class Centering : std::uint8_t {
  mehrotra,  ///< predictor, corrector, Gondzio's correctors [MEH], [GON]
  franke     ///< one solve a step: potential reduction by the mean of past step lengths, then quadratic convergence [FRA]
};

struct InteriorPointOptions {
  Centering centering = Centering::mehrotra;
  int correctors = 2;  ///< Gondzio's, for each step
  bool hot_start = true;
  int max_iterations = 100;
};

/// A quadratic program by a primal-dual interior-point method: every finite bound is a pair of a distance s > 0 and a
/// multiplier z > 0 with s z -> 0. An elastic program is always feasible. One factorisation for each iteration.
///
/// A program with negative curvature is made convex from step to step; where the last step still needed that, the outcome is
/// `indefinite` with the shift that it needed.
std::unique_ptr<QuadraticSolver> interior_point_solver(MakeKktFactors factors, const InteriorPointOptions& options);

}  // namespace bolza::nlp
