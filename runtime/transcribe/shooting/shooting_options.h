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
  /// The problem with its equations as written: these are integrated; the problem itself, index reduced, gives consistent
  /// initial values and algebraics at mesh points. Single shooting only.
  const bolza_problem* written = nullptr;
  bool constraints = true;  ///< false: only initial equations are rows and nothing is scaled, for derivatives alone
};

}  // namespace bolza::transcribe
