// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/nlp/sqp/quadratic_program.h"

namespace bolza::nlp {

enum class Globalisation : std::uint8_t {
  line_search,         ///< along the step of the quadratic program, by an exact penalty function
  levenberg_marquardt  ///< full steps only: a diagonal is added to the Hessian until one is good [LM]
};

struct SqpOptions {
  Globalisation globalisation = Globalisation::line_search;
  double penalty = 1e4;  ///< of an elastic program, for each unit of violation, at first
  bool second_order_correction = true;
  int patience = 20;           ///< iterations without progress
  bool exact_programs = true;  ///< the solver of quadratic programs is exact: none is solved to a lower tolerance
};

/// Sequential quadratic programming [NW, chapter 18]: the quadratic model of the Lagrangian over linearised constraints
/// gives a step, an exact l1 penalty function with weights from the model [BNW] says how much of it is taken; a second-order
/// correction keeps full steps near the solution. Contradictory linearisations are made elastic. The Hessian is exact,
/// Gauss-Newton, or a damped BFGS approximation [POW]; negative curvature is made up for by a shift of the diagonal.
///
/// Contract  that of `Engine::solve`.
Report solve_by_sqp(const Nlp& nlp, const EngineOptions& options, const Iterate& start, QuadraticSolver& solver,
                    const SqpOptions& settings);

}  // namespace bolza::nlp
