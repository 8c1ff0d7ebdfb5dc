// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/attempts/attempt_table.h"

namespace bolza::workflow {
namespace {

using transcribe::TranscribeOptions;

constexpr const char* straight_lines = "straight lines to the end values";

bool needs_straight_lines(const Climb& climb) { return has_guess_of_states(climb) && climb.task().guess != Guess::linear; }

void try_straight_lines(Climb& climb) {
  TranscribeOptions lines = climb.usual();
  lines.lines_to_end = true;
  climb.attempt(straight_lines, lines, nullptr);
}

}  // namespace

extern const AttemptRow straight_lines_row;
const AttemptRow straight_lines_row{
    .name = straight_lines,
    .difference = "states run from their initial values to what end conditions on one state each ask for",
    .applies = needs_straight_lines,
    .make = try_straight_lines};

}  // namespace bolza::workflow
