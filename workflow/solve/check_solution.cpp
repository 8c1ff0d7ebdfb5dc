// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/check_solution.h"

#include "base/numbers.h"
#include "workflow/codes.h"
#include "workflow/nonfinite.h"
#include "workflow/scenarios.h"
#include "workflow/simulate_failure.h"
#include "workflow/solve/doubts.h"
#include "workflow/solve/free_starts.h"
#include "workflow/solve/shooting_settings.h"
#include "workflow/solve/smoothing.h"

namespace bolza::workflow {

void check_by_simulation(Model& model, const driver::Options& options, const SolverLibrary& library, SolveOutcome& outcome) {
  abi::Solution& solution = outcome.solution;
  std::vector<std::string>& doubts = outcome.doubts;
  if (model.problem.is_static) return;
  std::unique_ptr<Model> literal = with_path_constraints(model);
  bolza_problem& problem = literal ? literal->abi() : model.abi();
  transcribe::Resimulation simulated = library.resimulate(problem, solution, 1e-10, act_of(model));
  library.add_to_log(simulated, solution);
  if (!simulated.finished)
    doubts.push_back("the model could not be simulated with the optimal controls: " + simulated.message);
  doubt_simulated(simulated, options, doubts);
  doubt_border(simulated, outcome);
  for (const abi::Finding& f : simulated.assertions)
    model.diagnostics.warning(assertion_in_solution, span_of(model, f), {shown(f.time), f.text});
}

void doubt_solution(Model& model, const driver::Options& options, const SolveRequest& request, SolveOutcome& outcome) {
  warn_of_free_starts(model, outcome.solution);
  doubt_horizon(model, outcome.solution, outcome.doubts);
  doubt_integers(model, options, outcome.solution, outcome.doubts);
  doubt_saddle(model, outcome.solution, outcome.doubts);
  if (request.init_from.empty()) doubt_far_parameters(model, outcome.solution, outcome.doubts);  // else it started there
  doubt_free_switch(model, outcome);
  doubt_gap(outcome.solution, outcome.doubts);
  doubt_sought_delays(outcome.solution, outcome.doubts);
}

void check_solution(Model& model, const driver::Options& options, const SolverLibrary& library, SolveOutcome& outcome) {
  if (!options.has("control-grid")) doubt_minimum_principle(model, library, outcome);
  doubt_branches(model, library, outcome.solution, outcome.doubts);
  report_mean_violation(model, outcome.solution);
  library.add_hamiltonian(model.abi(), outcome.solution);
  doubt_path_constraints(options, outcome.solution, outcome.doubts);
}

}  // namespace bolza::workflow
