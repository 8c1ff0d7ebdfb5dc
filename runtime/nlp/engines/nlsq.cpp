// SPDX-License-Identifier: Apache-2.0
// Least squares: Gauss-Newton and Levenberg-Marquardt with bounds and constraints, for few variables.
#include <array>

#include "runtime/nlp/engine_settings.h"
#include "runtime/nlp/engine_table.h"
#include "runtime/nlp/sqp/active_set_qp.h"
#include "runtime/nlp/sqp/sqp.h"

namespace bolza::nlp {
namespace {

constexpr std::array nlsq_settings{
    EngineSetting{"globalization", 0, 0, 0, "levenberg-marquardt line-search",
                  "what keeps steps in the range of the model; line-search: Gauss-Newton's own steps, shortened"},
};

Report solve_nlsq(const Nlp& nlp, const EngineOptions& options, const Iterate& start) {
  SqpOptions settings;
  if (word_of(nlsq_settings, options.engine_options, "globalization") == "levenberg-marquardt") {
    settings.globalisation = Globalisation::levenberg_marquardt;
    settings.patience = 100;
  }  // full steps wander within rounding before one lands where the slope is small enough
  std::unique_ptr<QuadraticSolver> programs = active_set_solver();
  return solve_by_sqp(nlp, options, start, *programs, settings);
}

}  // namespace

extern const Engine nlsq;
const Engine nlsq{.name = "nlsq",
                  .description = "least squares: Levenberg-Marquardt or Gauss-Newton with bounds, for few variables",
                  .gauss_newton = true,
                  .dense = true,
                  .available = [] { return true; },
                  .solve = solve_nlsq,
                  .settings = nlsq_settings};

}  // namespace bolza::nlp
