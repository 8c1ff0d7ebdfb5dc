#pragma once
#include <string>

#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"
#include "runtime/integrate/method_options.h"
#include "runtime/transcribe/options.h"

namespace bolza::transcribe {

enum class ShootingGradient : std::uint8_t { automatic, adjoint, forward };

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
  const bolza_problem* written =
      nullptr;              ///< the problem with its equations as written: these are integrated; the problem
                            ///< itself, index reduced, gives consistent initial values, algebraics at mesh points
  bool constraints = true;  ///< false: only initial equations are rows and nothing is scaled, for derivatives alone
};

/// Solves an optimal control problem in the reduced space (`ipopt+cvodes`): variables are the problem's parameters, free
/// initial states and controls, constant or linear on every mesh interval; states follow by integration with CVODES
/// (algebraics are solved for at every evaluation). Path constraints and bounds of states and algebraics hold at the mesh
/// points.
///
/// Second derivatives are forward over adjoint on every interval (on IDAS and for steps of a smooth control: differences of
/// each interval's exact adjoint), condensed exactly: a Hessian costs about n_x + n_u + parameters gradients whatever the
/// number of intervals.
///
/// @param options  mesh, mesh_fractions, control_constant and nlp are used; Gauss-Newton for sums of squares of point values
/// @param guess    null: the problem's own guesses; else controls, initial states and parameters of a solution on any mesh
/// Outcome  as `solve`. Costates are the adjoint of the Lagrangian.
abi::Solution solve_single_shooting(bolza_problem& problem, const TranscribeOptions& options,
                                    const ShootingOptions& shooting = {}, const abi::Solution* guess = nullptr);

}  // namespace bolza::transcribe
