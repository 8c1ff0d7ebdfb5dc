// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/attempts/attempt_table.h"

namespace bolza::workflow {
namespace {

using transcribe::TranscribeOptions;

constexpr const char *dependent_equations = "dependent equations taken out", *detector = "dependency_detector";

bool needs_dependent_equations(const Climb& climb) {
  return has_guess_of_states(climb) && may_set(climb.task().options, detector);
}

void try_dependent_equations(Climb& climb) {
  TranscribeOptions options = climb.usual();
  options.nlp.engine_options.emplace_back(detector, "mumps");
  climb.attempt(dependent_equations, options, climb.task().given);
}

}  // namespace

extern const AttemptRow dependent_equations_row;
const AttemptRow dependent_equations_row{.name = dependent_equations,
                                         .difference =
                                             "found by a sparse QR factorisation of their derivatives, for redundant end "
                                             "conditions; those that contradict the others stay infeasible",
                                         .applies = needs_dependent_equations,
                                         .make = try_dependent_equations};

}  // namespace bolza::workflow
