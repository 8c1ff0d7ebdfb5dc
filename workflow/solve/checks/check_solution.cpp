// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/checks/check_solution.h"

#include <memory>

#include "base/interrupt.h"
#include "runtime/transcribe/checks/resimulate.h"
#include "workflow/simulate_failure.h"
#include "workflow/solve/method/shooting_settings.h"
#include "workflow/solve/nonsmooth/smoothing.h"

namespace bolza::workflow {
namespace {

constexpr double exact = 1e-10;  ///< relative tolerance of a simulation that checks a solution

void look(Checked& checked, CheckNeeds needs) {
  for (const CheckRow& row : checks())
    if (row.needs == needs) row.look(checked);
}

/// An integration of a stiff or fast model may be long, and there is a solution to lose.
void look_at_simulation(Checked& checked) {
  if (checked.model.problem.is_static) return;
  Writing in_hand;
  const abi::Solution& solution = checked.outcome.solution;
  if (checked.request.progress)
    checked.request.progress({"solved; simulating the model", solution.statistics.iterations, solution.objective, 0, 0});
  std::unique_ptr<Model> literal = with_path_constraints(checked.model);
  bolza_problem& problem = literal ? literal->abi() : checked.model.abi();
  transcribe::Resimulation simulated = timed(checked.request.timing, "re-simulation", [&] {
    return checked.library.resimulate(problem, checked.outcome.solution, exact, checked.outcome.look_at,
                                      act_of(checked.model));
  });
  if (!simulated.finished && interrupt_flag()) {
    if (!checked.outcome.stopped) checked.outcome.stopped = Stopped{check_of_solution, checked.request.budget.over()};
    return;
  }
  checked.simulated = &simulated;
  look(checked, CheckNeeds::simulation);
}

}  // namespace

void check_solution(Checked checked, bool evaluates) {
  look(checked, CheckNeeds::nothing);
  if (!evaluates) return;
  look(checked, CheckNeeds::functions);
  if (!checked.options.flag("resimulate")) return;
  look(checked, CheckNeeds::permission);
  look_at_simulation(checked);
  if (!interrupt_flag()) report_smoothing(checked.model, checked.library, checked.outcome.solution);
}

}  // namespace bolza::workflow
