// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/checks/check_solution.h"

#include "base/numbers.h"
#include "workflow/codes.h"
#include "workflow/nonfinite.h"
#include "workflow/scenarios.h"
#include "workflow/simulate_failure.h"
#include "workflow/solve/attempts/free_starts.h"
#include "workflow/solve/checks/warnings_of_solution.h"
#include "workflow/solve/method/shooting_settings.h"
#include "workflow/solve/nonsmooth/smoothing.h"

namespace bolza::workflow {

void check_by_simulation(Model& model, const driver::Options& options, const SolverLibrary& library, SolveOutcome& outcome) {
  abi::Solution& solution = outcome.solution;
  if (model.problem.is_static) return;
  std::unique_ptr<Model> literal = with_path_constraints(model);
  bolza_problem& problem = literal ? literal->abi() : model.abi();
  transcribe::Resimulation simulated = library.resimulate(problem, solution, 1e-10, act_of(model));
  library.add_to_log(simulated, solution);
  if (!simulated.finished)
    outcome.warnings.push_back(
        {WarningKind::not_simulated, "the model could not be simulated with the optimal controls: " + simulated.message});
  warn_of_simulated(simulated, options, outcome.warnings);
  warn_of_border(simulated, outcome);
  for (const abi::Finding& f : simulated.assertions)
    model.diagnostics.warning(assertion_in_solution, span_of(model, f), {shown(f.time), f.text});
}

void judge_solution(Model& model, const driver::Options& options, const SolveRequest& request, SolveOutcome& outcome) {
  warn_of_free_starts(model, outcome.solution);
  warn_of_horizon(model, outcome.solution, outcome.warnings);
  warn_of_integers(model, options, outcome.solution, outcome.warnings);
  warn_of_saddle(model, outcome.solution, outcome.warnings);
  if (request.init_from.empty()) warn_of_far_parameters(model, outcome.solution, outcome.warnings);  // else it started there
  warn_of_free_switch(model, outcome);
  warn_of_gap(outcome.solution, outcome.warnings);
  warn_of_sought_delays(outcome.solution, outcome.warnings);
}

void check_solution(Model& model, const driver::Options& options, const SolverLibrary& library, SolveOutcome& outcome) {
  if (!options.has("control-grid")) warn_of_minimum_principle(model, library, outcome);
  warn_of_branches(model, library, outcome.solution, outcome.warnings);
  report_mean_violation(model, outcome.solution);
  library.add_hamiltonian(model.abi(), outcome.solution);
  warn_of_path_constraints(options, outcome.solution, outcome.warnings);
}

}  // namespace bolza::workflow
