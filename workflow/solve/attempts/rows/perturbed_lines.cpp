// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/attempts/attempt_table.h"

namespace bolza::workflow {
namespace {

using transcribe::TranscribeOptions;

constexpr const char* perturbed_lines = "perturbed lines to the end values";

void try_perturbed_lines(Climb& climb) {
  TranscribeOptions options = perturbed(climb.usual(), climb.task().seed);
  options.lines_to_end = true;
  climb.attempt(perturbed_lines, options, nullptr);
}

}  // namespace

extern const AttemptRow perturbed_lines_row;
const AttemptRow perturbed_lines_row{.name = perturbed_lines,
                                     .difference = "the lines moved so",
                                     .applies = has_guess_of_states,
                                     .make = try_perturbed_lines};

}  // namespace bolza::workflow
