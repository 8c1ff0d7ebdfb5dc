// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/checks/check_table.h"

#include "base/numbers.h"
#include "runtime/transcribe/checks/resimulate.h"
#include "workflow/codes.h"
#include "workflow/nonfinite.h"
#include "workflow/simulate_failure.h"
#include "workflow/solve/attempts/free_starts.h"
#include "workflow/solve/checks/warnings_of_solution.h"
#include "workflow/solve/method/shooting_settings.h"
#include "workflow/solve/nonsmooth/smoothing.h"
#include "workflow/solve/outcome/choices.h"

namespace bolza::workflow {
namespace {

void tell_of_assertions(Checked& c) {
  for (const abi::Finding& f : c.simulated->assertions)
    c.model.diagnostics.warning(assertion_in_solution, span_of(c.model, f), {shown(f.time), f.text});
}

// clang-format off
constexpr CheckRow check_rows[] = {
    {"W921", CheckNeeds::nothing, [](Checked& c) { warn_of_free_starts(c.model, c.outcome.solution); }},
    {"no_horizon", CheckNeeds::nothing, [](Checked& c) { warn_of_horizon(c.model, c.outcome.solution, c.outcome.warnings); }},
    {"integers_relaxed, relaxation_not_optimal, integer_search_ended", CheckNeeds::nothing,
     [](Checked& c) { warn_of_integers(c.model, c.options, c.outcome.solution, c.outcome.warnings); }},
    {"stationary_point", CheckNeeds::nothing, [](Checked& c) { warn_of_saddle(c.model, c.outcome.solution, c.outcome.warnings); }},
    {"not_attained", CheckNeeds::nothing, [](Checked& c) { warn_of_no_optimum(c.outcome); }},
    {"better_point_passed", CheckNeeds::nothing, [](Checked& c) { warn_of_passed_point(c.outcome.solution, c.outcome.warnings); }},
    {"far_parameter", CheckNeeds::nothing,
     [](Checked& c) {
       bool started_there = !c.request.init_from.empty();
       if (!started_there) warn_of_far_parameters(c.model, c.outcome.solution, c.outcome.warnings);
     }},
    {"free_switch", CheckNeeds::nothing, [](Checked& c) { warn_of_free_switch(c.model, c.outcome); }},
    {"objective_gap", CheckNeeds::nothing, [](Checked& c) { warn_of_gap(c.outcome.solution, c.outcome.warnings); }},
    {"delay_at_limit", CheckNeeds::nothing, [](Checked& c) { warn_of_sought_delays(c.outcome.solution, c.outcome.warnings); }},
    {"local_optimum", CheckNeeds::functions,
     [](Checked& c) {
       if (!c.options.has("control-grid")) warn_of_minimum_principle(c.model, c.library, c.outcome);
     }},
    {"error of a smooth problem", CheckNeeds::functions,
     [](Checked& c) { c.outcome.accuracy.objective_error += c.outcome.smoothing_error; }},
    {"objective_uncertain", CheckNeeds::functions,
     [](Checked& c) {
       bool asked_for_steps = c.options.has("control-grid") || (c.options.has("control") && chosen(c.options, "control", control_forms) == ControlForm::constant);
       if (!asked_for_steps) warn_of_uncertainty(c.outcome);
     }},
    {"branch_jump", CheckNeeds::functions,
     [](Checked& c) { warn_of_branches(c.model, c.library, c.outcome.solution, c.outcome.warnings); }},
    {"mean violation of a path", CheckNeeds::functions, [](Checked& c) { report_mean_violation(c.model, c.outcome.solution); }},
    {"Hamiltonian", CheckNeeds::functions, [](Checked& c) { c.library.add_hamiltonian(c.model.abi(), c.outcome.solution); }},
    {"constraint_broken_between_samples", CheckNeeds::functions,
     [](Checked& c) { warn_of_path_constraints(c.options, c.outcome.solution, c.outcome.warnings); }},
    {"constraint_broken", CheckNeeds::permission,
     [](Checked& c) { warn_of_violations(c.model, c.options, c.library, c.outcome.solution, c.outcome.warnings); }},
    {"deviation, violation", CheckNeeds::simulation, [](Checked& c) { c.library.add_to_log(*c.simulated, c.outcome.solution); }},
    {"not_simulated", CheckNeeds::simulation, [](Checked& c) { warn_of_no_simulation(*c.simulated, c.outcome.warnings); }},
    {"not_reproduced", CheckNeeds::simulation, [](Checked& c) { warn_of_deviation(*c.simulated, c.outcome.warnings); }},
    {"constraint_broken_in_simulation", CheckNeeds::simulation,
     [](Checked& c) { warn_of_simulated(*c.simulated, c.options, c.outcome.warnings); }},
    {"mode_at_limit", CheckNeeds::simulation, [](Checked& c) { warn_of_border(*c.simulated, c.outcome); }},
    {"W920", CheckNeeds::simulation, tell_of_assertions},
};
// clang-format on

}  // namespace

std::string_view name_of(CheckNeeds needs) {
  constexpr std::string_view names[] = {"the solution", "functions of the model",
                                        "functions of the model, `--resimulate true`",
                                        "a simulation with the optimal controls"};
  return names[static_cast<std::size_t>(needs)];
}

std::span<const CheckRow> checks() { return check_rows; }

}  // namespace bolza::workflow
