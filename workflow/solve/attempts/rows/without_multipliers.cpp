// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/attempts/attempt_table.h"

namespace bolza::workflow {
namespace {

bool needs_without_multipliers(const Climb& climb) { return climb.task().options.nlp.warm_start && climb.task().given; }

void try_without_multipliers(Climb& climb) { climb.attempt(without_multipliers, climb.usual(), climb.task().given); }

}  // namespace

extern const AttemptRow without_multipliers_row;
const AttemptRow without_multipliers_row{
    .name = without_multipliers,
    .difference = "the guess that came with multipliers, without them; where there were any",
    .applies = needs_without_multipliers,
    .make = try_without_multipliers,
    .effort = Attempts::none,
    .is_cheap = true};

}  // namespace bolza::workflow
