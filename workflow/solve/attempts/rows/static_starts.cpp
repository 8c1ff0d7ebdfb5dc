// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>

#include "workflow/solve/attempts/attempt_table.h"

namespace bolza::workflow {
namespace {

using transcribe::TranscribeOptions;

bool is_not_given(const Climb& climb) { return !climb.task().given; }

void try_other_starts(Climb& climb) {
  for (std::uint32_t k = 0; k < static_starts && climb.goes_on(); ++k) {
    TranscribeOptions options = from_another_start(climb.usual(), climb.task().seed + k);
    climb.attempt("another start", options, climb.first_guess(options));
  }
}

}  // namespace

extern const AttemptRow static_starts_row;
const AttemptRow static_starts_row{
    .name = "another start",
    .difference =
        "problems without time alone: sixteen starts spread between the bounds, or within ten sizes of the "
        "first where there are none, until one is solved",
    .applies = is_not_given,
    .make = try_other_starts,
    .of_static = true};

}  // namespace bolza::workflow
