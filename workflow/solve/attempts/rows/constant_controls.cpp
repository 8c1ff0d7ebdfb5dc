// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "workflow/solve/attempts/attempt_table.h"

namespace bolza::workflow {
namespace {

using transcribe::TranscribeOptions;

constexpr const char *constant_controls = "one control value per interval",
                     *from_constant = "from one control value per interval";

bool needs_constant_controls(const Climb& climb) {
  const bolza_problem& problem = climb.task().problem;
  bool any = false;
  for (std::size_t p = 0; p < problem.n_phases; ++p) any = any || problem.models[problem.phases[p].model]->n_u > 0;
  return any && has_guess_of_states(climb) && !climb.task().options.control_constant;
}

void try_constant_controls(Climb& climb) {
  TranscribeOptions constant = climb.usual();
  constant.control_constant = true;
  constant.nlp.max_iterations = climb.limit_of(short_limit);
  abi::SolveStatus before = climb.status();
  abi::Solution found = climb.run(constant_controls, constant, climb.simulated());
  if (!abi::is_solution(found.status)) return climb.forget(before);
  if (climb.attempt(from_constant, climb.usual(), &found) || climb.ended()) return;
  climb.take(constant_controls, std::move(found));
}

}  // namespace

extern const AttemptRow constant_controls_row;
const AttemptRow constant_controls_row{.name = from_constant,
                                       .difference =
                                           "one control value per interval is solved first, for 100 iterations at most, "
                                           "from the simulated guess. Where the method asked "
                                           "for fails from there too, because polynomials of the controls swing, *one "
                                           "control value per interval* is the answer",
                                       .applies = needs_constant_controls,
                                       .make = try_constant_controls};

}  // namespace bolza::workflow
