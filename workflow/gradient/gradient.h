// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>

#include "runtime/transcribe/gradient/reduced_gradient.h"
#include "workflow/model.h"

namespace bolza::workflow {

/// One of several within the text of `--of`.
struct Output {
  std::string name;         ///< as it was typed
  std::uint32_t begin = 0;  ///< byte of the text
};

struct GradientRequest {
  driver::Options options;              ///< mesh, control, rtol, integrator
  std::string by;                       ///< "": adjoint, or discrete when an integrator of our own is named
  std::vector<std::string> directions;  ///< variables; empty: all that are free
  std::vector<Output> outputs;          ///< what is differentiated, see `output_expressions`; empty: the objective
  double fixed_step = 0;                ///< of the discrete way; 0: error control
  bool check = false, hessian = false;
  bool written = false;  ///< the steps of an integrator of ours are those of the equations as written
  std::vector<std::pair<std::string, std::string>> method_options;  ///< of sensitivities and checkpoints
  std::vector<std::string> times;  ///< "k=1": the Hessian times this direction, names as in the gradient
  std::function<void(const char* what, std::size_t done, std::size_t of)> progress;  ///< see transcribe::GradientOptions
};

/// The settings that free the parameters among the directions: "k" becomes "k(free=true)".
std::vector<std::string> freeing_settings(const Model& model, const std::vector<std::string>& directions);

/// What `--of` names: commas between parentheses do not separate.
std::vector<Output> split_outputs(const std::string& text);
/// Those among the outputs that are expressions, for LoadRequest::outputs: not `objective` (or the name that `minimize name
/// = …` gives it), `constraints` or `residuals`. A name alone is its value at the final time.
instance::Outputs output_expressions(const Model& model, const std::string& text, const std::vector<Output>& outputs);

struct NamedRow {
  std::string name;
  std::size_t row = 0;  ///< of the point function
};
struct GradientResult : transcribe::ReducedGradient {
  std::vector<NamedRow> outputs;  ///< [rows]
};

/// Derivatives of the objective, or of the outputs, at the model's guess. The first way of the outcome is the one asked for.
/// Errors  E908 no objective, E910 the way and the integrator do not go together, E916 no such direction (with the near
/// match), E919 an output has no value at
/// one time, E601 the integration failed.
/// Requires  the model was loaded with `output_expressions`.
Result<GradientResult> gradient(Model& model, const GradientRequest& request);

}  // namespace bolza::workflow
