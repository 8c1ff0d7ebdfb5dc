// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/attempts/attempt_table.h"

namespace bolza::workflow {
namespace {

using transcribe::TranscribeOptions;

constexpr const char *constraints_first = "the constraints first", *of_objective = "obj_scaling_factor";

bool needs_constraints_first(const Climb& climb) {
  return has_guess_of_states(climb) && climb.status() == abi::SolveStatus::infeasible &&
         may_set(climb.task().options, of_objective);
}

void try_constraints_first(Climb& climb) {
  TranscribeOptions constraints = climb.usual();
  constraints.nlp.engine_options.emplace_back(of_objective, "1e-6");
  constraints.nlp.relative_gap = 0;
  abi::Solution found = climb.run(constraints_first, constraints, climb.simulated());
  if (abi::is_solution(found.status)) climb.attempt(constraints_first, climb.usual(), &found);
}

}  // namespace

extern const AttemptRow constraints_first_row;
const AttemptRow constraints_first_row{.name = constraints_first,
                                       .difference =
                                           "a millionth of the objective from the simulated guess, then the problem as it "
                                           "is from there; when the attempts before were infeasible",
                                       .applies = needs_constraints_first,
                                       .make = try_constraints_first};

}  // namespace bolza::workflow
