// SPDX-License-Identifier: Apache-2.0
// The interior-point method of IPOPT [IPOPT] on factors of our own, without IPOPT's library.
#include <array>

#include "runtime/nlp/engine_settings.h"
#include "runtime/nlp/engine_table.h"
#include "runtime/nlp/engines/chain_factors.h"
#include "runtime/nlp/engines/saddle_point.h"
#include "runtime/nlp/interior/solve.h"

namespace bolza::nlp {
namespace {

constexpr std::array barrier_settings{
    EngineSetting{"mu_strategy", 0, 0, 0, "monotone adaptive", "whether the barrier parameter only falls"},
    EngineSetting{"mu_oracle", 0, 0, 0, "quality-function loqo probing", "what an adaptive barrier parameter follows"},
    EngineSetting{"obj_scaling_factor", 1, 1e-12, 1e12, "", "the objective is multiplied by it"},
    EngineSetting{"bound_push", 1e-2, 1e-16, 1e6, "", "how far the start is kept from bounds, of their size"},
    EngineSetting{"bound_frac", 1e-2, 1e-16, 0.5, "", "the same, of the distance between two bounds"},
    EngineSetting{"mu_init", 0.1, 1e-12, 1e6, "", "the barrier parameter at first"},
    EngineSetting{"max_soc", 4, 0, 100, "", "second-order corrections of a step"},
    EngineSetting{"watchdog_shortened_iter_trigger", 10, 0, 1e6, "",
                  "shortened steps in a row until one is taken untested; 0: never"},
    EngineSetting{"soft_restoration", 0, 0, 0, "yes no", "steps by the primal-dual equations before a restoration"},
};

Report solve_by_barrier(const Nlp& nlp, const EngineOptions& options, const Iterate& start) {
  auto number = [&](std::string_view name) { return number_of(barrier_settings, options.engine_options, name); };
  auto word = [&](std::string_view name) { return word_of(barrier_settings, options.engine_options, name); };
  interior::Settings settings;
  settings.tol = options.tol;
  settings.mu_init = number("mu_init");
  settings.adaptive = word("mu_strategy") == "adaptive";
  std::string oracle = word("mu_oracle");
  settings.oracle = oracle == "loqo"      ? interior::Oracle::loqo
                    : oracle == "probing" ? interior::Oracle::probing
                                          : interior::Oracle::quality_function;
  settings.objective_factor = number("obj_scaling_factor");
  settings.push = number("bound_push");
  settings.push_share = number("bound_frac");
  settings.max_soc = static_cast<int>(number("max_soc"));
  settings.watchdog = static_cast<int>(number("watchdog_shortened_iter_trigger"));
  settings.soft_restoration = word("soft_restoration") == "yes";
  Report report = interior::solve(nlp, options, start, settings, [&](const Pattern& hessian, LinearAlgebra& used) {
    return step_factors(nlp, options.linear_solver, hessian, used);
  });
  look_at_end(nlp, options, report);
  return report;
}

}  // namespace

extern const Engine barrier;
const Engine barrier{
    .name = "barrier",
    .description = "interior point, sparse, along the chain of intervals; exact Hessian, L-BFGS or Gauss-Newton",
    .exact_hessian = true,
    .lbfgs = true,
    .gauss_newton = true,
    .integers = Integers::branched,
    .available = [] { return true; },
    .solve = solve_by_barrier,
    .settings = barrier_settings};

}  // namespace bolza::nlp
