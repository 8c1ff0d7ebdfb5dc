// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/attempts/attempt_table.h"

namespace bolza::workflow {
namespace {

using transcribe::TranscribeOptions;

constexpr const char* perturbed_guess = "perturbed guess";

bool needs_perturbed_guess(const Climb& climb) {
  return has_guess_of_states(climb) && climb.task().guess != Guess::perturbed;
}

void try_perturbed_guess(Climb& climb) {
  TranscribeOptions options = perturbed(climb.usual(), climb.task().seed);
  const abi::Solution* guess = options.lines_to_end ? nullptr : climb.first_guess(options);
  climb.attempt(perturbed_guess, options, guess);
}

}  // namespace

extern const AttemptRow perturbed_guess_row;
const AttemptRow perturbed_guess_row{
    .name = perturbed_guess,
    .difference = "the first guess moved by smooth random functions, 0.3 of the sizes: what is symmetric must choose a side",
    .applies = needs_perturbed_guess,
    .make = try_perturbed_guess};

}  // namespace bolza::workflow
