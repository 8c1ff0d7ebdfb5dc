// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "workflow/solve/attempts/attempt_table.h"

namespace bolza::workflow {
namespace {

using transcribe::TranscribeOptions;

constexpr const char* tightened_constraints = "constraints tightened step by step";
constexpr double shares[] = {1, 0.6, 0.5, 0.3};  ///< of what the solution before breaks: 1, 0.6, 0.3, 0.09 of the guess's
constexpr int most_iterations = 150;             ///< of a step

bool needs_tightened_constraints(const Climb& climb) {
  return has_guess_of_states(climb) && climb.status() == abi::SolveStatus::infeasible;
}

void try_tightened_constraints(Climb& climb) {
  TranscribeOptions wide = climb.usual();
  wide.nlp.max_iterations = std::min(wide.nlp.max_iterations, most_iterations);
  abi::SolveStatus before = climb.status();
  std::optional<abi::Solution> found;
  for (double share : shares) {
    wide.widened = share;
    found = climb.run(tightened_constraints, wide, found ? &*found : climb.simulated());
    if (abi::is_solution(found->status)) continue;
    if (!climb.ended()) climb.forget(before);
    return;
  }
  climb.attempt(tightened_constraints, climb.usual(), &*found);
}

}  // namespace

extern const AttemptRow tightened_constraints_row;
const AttemptRow tightened_constraints_row{
    .name = tightened_constraints,
    .difference =
        "the sides and bounds that the simulated guess breaks are moved until it holds them, and back in four steps (1, "
        "0.6, 0.3, 0.09 of the "
        "distance, 0), each from the solution before; when the attempts before were infeasible",
    .applies = needs_tightened_constraints,
    .make = try_tightened_constraints};

}  // namespace bolza::workflow
