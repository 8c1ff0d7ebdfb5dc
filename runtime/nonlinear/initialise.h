// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "runtime/abi/solution.h"
#include "runtime/nonlinear/model_at.h"
#include "runtime/nonlinear/newton.h"

namespace bolza::nonlinear {

/// What solves for initial values.
enum class StartSolver : std::uint8_t {
  automatic,  ///< KINSOL when square, then Newton's method, then the optimiser
  kinsol,
  newton,
  optimiser
};

/// Solves equations within bounds by minimising the distance from the start; false when it cannot. `w` start and result.
using Optimiser = std::function<bool(const Equations& equations, std::span<const double> lower,
                                     std::span<const double> upper, std::vector<double>& w)>;

struct StartOptions {
  StartSolver solver = StartSolver::automatic;
  Optimiser optimiser;        ///< null: there is none
  bool at_rest = false;       ///< 0 = ẋ in place of the initial equations and fixed starts
  bool holds_states = false;  ///< x is known, and the initial equations are none: 0 = h is solved for z
};

/// A point at the start of a phase with its verdict.
struct InitialPoint {
  std::vector<double> x, z;  ///< consistent when converged, else the best point found
  NewtonReport report;
  abi::Finding finding;  ///< the worst equation, when not converged
  bool converged() const { return report.converged(); }
};

/// Consistent values at t0: 0 = h(t0, x, z, u), 0 = initial(t0, x, z, u); states with `fixed` keep their start, the others
/// end near their guess (least change relative to nominal values where the equations leave a choice).
/// @param u  [n_u]            @param x, z  guesses; empty: from the model
/// Errors  as a status: not finite, inconsistent (more equations than they can fulfil), stalled. What any solver finds is
/// judged by Newton's method, whose worst row is named. Cost: a few sparse factorisations.
InitialPoint initialise(ModelAt& model, double t0, std::span<const double> u, std::span<const double> x = {},
                        std::span<const double> z = {}, const StartOptions& options = {});

/// Solves 0 = h(t, x, z, u) for z, which holds the guess. Requires n_z rows of full rank near the solution.
NewtonReport solve_algebraics(ModelAt& model, double t, std::span<const double> x, std::span<const double> u,
                              std::vector<double>& z, const NewtonOptions& options = {});

/// The same where `solve_algebraics` fails, by continuation from z on: the solution that a model jumps to where its branch
/// of solutions ends. z stays as it is after a failure.
NewtonReport jump_algebraics(ModelAt& model, double t, std::span<const double> x, std::span<const double> u,
                             std::vector<double>& z);

/// The worst row of a failed solution as a finding: of the algebraic rows, then those of `after` (null: there are none).
abi::Finding finding_of(const ModelAt& model, const NewtonReport& report, double t, const bolza_function* after = nullptr);

}  // namespace bolza::nonlinear
