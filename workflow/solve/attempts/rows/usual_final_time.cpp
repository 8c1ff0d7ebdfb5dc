// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/attempts/attempt_table.h"

namespace bolza::workflow {
namespace {

constexpr const char* usual_final_time = "the usual final time";

bool needs_usual_final_time(const Climb& climb) { return climb.began_at_natural_end(); }

void try_usual_final_time(Climb& climb) { climb.attempt(usual_final_time, climb.usual(), nullptr); }

}  // namespace

extern const AttemptRow usual_final_time_row;
const AttemptRow usual_final_time_row{.name = usual_final_time,
                                      .difference =
                                          "the final time that is usual without a guess, where the first attempt began with "
                                          "the one that the equations speak of",
                                      .applies = needs_usual_final_time,
                                      .make = try_usual_final_time};

}  // namespace bolza::workflow
