#pragma once
#include <functional>

#include "runtime/transcribe/reduced_gradient.h"
#include "workflow/solve.h"

namespace bolza::workflow {

struct GradientRequest {
  driver::Options options;              ///< mesh, control, rtol, integrator
  std::string by;                       ///< "": adjoint, or discrete when an integrator of our own is named
  std::vector<std::string> directions;  ///< variables; empty: all that are free
  double fixed_step = 0;                ///< of the discrete way; 0: error control
  bool check = false, hessian = false;
  std::vector<std::pair<std::string, std::string>> method_options;  ///< of sensitivities and checkpoints
  std::vector<std::string> times;  ///< "k=1": the Hessian times this direction, names as in the gradient
  std::function<void(const char* what, std::size_t done, std::size_t of)> progress;  ///< see transcribe::GradientOptions
};

/// The settings that free the parameters among the directions: "k" becomes "k(free=true)".
std::vector<std::string> freeing_settings(const Model& model, const std::vector<std::string>& directions);

/// Derivatives of the objective at the model's guess. The first way of the outcome is the one asked for.
/// Errors  E908 no objective, E910 the way and the integrator do not go together, E916 no such direction (with the near
/// match), E601 the integration failed.
Result<transcribe::ReducedGradient> gradient(Model& model, const GradientRequest& request);

}  // namespace bolza::workflow
