// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/attempts/attempt_table.h"

namespace bolza::workflow {
namespace {

using transcribe::TranscribeOptions;

constexpr const char* more_iterations = "more iterations";

bool needs_more_iterations(const Climb& climb) {
  return climb.was_at_limit() && climb.task().options.nlp.max_iterations > first_limit;
}

void try_more_iterations(Climb& climb) {
  TranscribeOptions all = cold(climb.task().options);
  const abi::Solution* guess = climb.first_guess(all);
  climb.attempt(more_iterations, all, guess);
}

}  // namespace

extern const AttemptRow more_iterations_row;
const AttemptRow more_iterations_row{
    .name = more_iterations,
    .difference = "the first attempt once more, with all of `--max-iterations`, when an attempt ended at the limit",
    .applies = needs_more_iterations,
    .make = try_more_iterations,
    .is_cheap = true};

}  // namespace bolza::workflow
