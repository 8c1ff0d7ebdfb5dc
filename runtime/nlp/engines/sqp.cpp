// SPDX-License-Identifier: Apache-2.0
// Dense sequential quadratic programming for reduced spaces: few variables, gradients that cost an integration.
#include <array>

#include "runtime/nlp/engine_settings.h"
#include "runtime/nlp/engine_table.h"
#include "runtime/nlp/sqp/active_set_qp.h"
#include "runtime/nlp/sqp/condensing_qp.h"
#include "runtime/nlp/sqp/sqp.h"

namespace bolza::nlp {
namespace {

constexpr std::array sqp_settings{
    EngineSetting{"penalty", 100, 1e-6, 1e12, "", "price of violation in elastic programs, at first"},
    EngineSetting{"second_order_correction", 0, 0, 0, "yes no", "a second program where curvature spoils a full step"},
};

Report solve_sqp(const Nlp& nlp, const EngineOptions& options, const Iterate& start) {
  SqpOptions settings;
  settings.penalty = number_of(sqp_settings, options.engine_options, "penalty");
  settings.second_order_correction = word_of(sqp_settings, options.engine_options, "second_order_correction") == "yes";
  std::unique_ptr<QuadraticSolver> programs = active_set_solver();
  if (options.condensing) programs = condensing_solver(nlp, active_set_solver(), std::move(programs));
  return solve_by_sqp(nlp, options, start, *programs, settings);
}

}  // namespace

extern const Engine sqp;
const Engine sqp{.name = "sqp",
                 .description = "SQP, dense active set, for few variables; exact Hessian, damped BFGS or Gauss-Newton",
                 .exact_hessian = true,
                 .lbfgs = true,
                 .gauss_newton = true,
                 .dense = true,
                 .integers = Integers::branched,
                 .condenses = true,
                 .available = [] { return true; },
                 .solve = solve_sqp,
                 .settings = sqp_settings};

}  // namespace bolza::nlp
