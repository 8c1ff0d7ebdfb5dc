// SPDX-License-Identifier: Apache-2.0
#include "workflow/fit/petab/check_petab.h"

#include "workflow/fit/assemble.h"
#include "workflow/fit/fit_request.h"
#include "workflow/fit/petab/read_petab.h"

namespace bolza::workflow {

Result<PetabSummary> check_petab(std::unique_ptr<Model>& model, const LoadRequest& load) {
  Result<FitProblem> problem = read_petab(*model, load);
  if (!problem) return model->diagnostics.already_reported();
  Result<FitLoad> again = fit_request(*model, *problem, model->diagnostics);
  if (!again || !load_again(model, *again)) return model->diagnostics.already_reported();
  if (!model->compile({.calls = codegen::Calls::one})) return model->diagnostics.already_reported();
  Result<estimate::Estimation> estimation = assemble(*model, *problem, model->diagnostics);
  if (!estimation) return model->diagnostics.already_reported();
  PetabSummary out;
  out.estimated = estimation->parameters.size();
  out.fixed = problem->fixed.size();
  out.observables = estimation->observables.size();
  out.experiments = estimation->experiments.size();
  for (const estimate::Experiment& e : estimation->experiments) {
    out.equilibrations += e.equilibrates ? 1 : 0;
    out.changes += e.changes.size();
  }
  out.measurements = estimation->n_measurements();
  out.states = model->problem.x.size();
  return out;
}

}  // namespace bolza::workflow
