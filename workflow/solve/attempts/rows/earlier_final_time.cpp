// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/attempts/attempt_table.h"

namespace bolza::workflow {
namespace {

constexpr const char* earlier_final_time = "an earlier final time";

bool needs_earlier_final_time(const Climb& climb) { return climb.status() == abi::SolveStatus::evaluation_error; }

void try_earlier_final_time(Climb& climb) {
  for (double factor : {0.3, 0.1, 0.03})
    if (climb.goes_on() && needs_earlier_final_time(climb))
      if (const abi::Solution* earlier = climb.with_end_at(factor))
        climb.attempt(earlier_final_time, climb.usual(), earlier);
}

}  // namespace

extern const AttemptRow earlier_final_time_row;
const AttemptRow earlier_final_time_row{
    .name = earlier_final_time,
    .difference = "0.3, 0.1 and 0.03 of it, where a value was not finite: a model that cannot be integrated for so long",
    .applies = needs_earlier_final_time,
    .make = try_earlier_final_time};

}  // namespace bolza::workflow
