// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"
#include "runtime/integrate/method_options.h"
#include "runtime/transcribe/options.h"

namespace bolza::transcribe {

/// Where path constraints and bounds of states and algebraics hold.
enum class PathConstraints : std::uint8_t {
  sampled,  ///< at the mesh points
  maxima    ///< and where they are violated most between them
};

enum class ShootingGradient : std::uint8_t { automatic, adjoint, forward };

/// Measures that `maxima`, rounds of looser integration and Gauss-Newton matrices of integrals leave in a solution's log.
inline constexpr const char *path_samples_log = "samples where path constraints had their maxima",
                            *path_rounds_log = "rounds of path constraints",
                            *path_violation_log = "path violation between samples, relative to sizes",
                            *loose_iterations_log = "iterations with a looser integration", *simulations_log = "simulations",
                            *quadrature_points_log = "Gauss-Newton: points of the quadrature, three in each step",
                            *quadrature_error_log = "Gauss-Newton: the integral by these points, relative error",
                            *integration_accuracy_log = "solved to the accuracy of the integration",
                            *growth_log = "growth of errors over the horizon";

struct ShootingOptions {
  double rtol = 0;  ///< of the integration; 0: a hundredth of the NLP's tolerance, within 1e-11 … 1e-7
  ShootingGradient gradient = ShootingGradient::automatic;  ///< adjoint: one backward run per row; forward: all directions
                                                            ///< at once; automatic: the fewer
  std::string integrator;  ///< "" or "cvodes": adjoint of the continuous equations; a Runge–Kutta row of the integrators:
                           ///< adjoint of its own steps
  double fixed_step = 0;   ///< seconds; 0: the integrator's error control
  integrate::MethodOptions method_options;  ///< those of sensitivities and checkpoints
  long max_steps = 50000;                   ///< of one integration over a mesh interval
  bool idas = false;                        ///< without an integrator of our own: IDAS in the place of CVODES
  /// Single shooting: the states at the mesh points are variables of the iteration, and eliminated in every step.
  bool lift = false;
  /// The problem with its equations as written: these are integrated; the problem itself, index reduced, gives consistent
  /// initial values and algebraics at mesh points. Single shooting only.
  const bolza_problem* written = nullptr;
  PathConstraints path_constraints = PathConstraints::sampled;
  double path_tolerance = 1e-6;  ///< `maxima`: a violation between samples that is let through, relative to sizes
  /// Rounds of looser integration come first, each as exact as the engine then needs: its solution starts the next.
  bool tighten = false;
  /// [phases] Fractions of the horizon where path constraints and bounds hold besides the mesh points: there the mesh gets a
  /// point, and the controls none.
  std::vector<std::vector<double>> samples;
  bool constraints = true;  ///< false: only initial equations, and what links phases, are rows and nothing is scaled, for
                            ///< derivatives alone
};

}  // namespace bolza::transcribe
