// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/attempts/attempt_table.h"

namespace bolza::workflow {
namespace {

using transcribe::TranscribeOptions;

constexpr const char *adaptive_barrier = "adaptive barrier", *strategy = "mu_strategy";

bool needs_adaptive_barrier(const Climb& climb) {
  return has_guess_of_states(climb) && may_set(climb.task().options, strategy);
}

void try_adaptive_barrier(Climb& climb) {
  TranscribeOptions options = climb.usual();
  options.nlp.engine_options.emplace_back(strategy, "adaptive");
  climb.attempt(adaptive_barrier, options, climb.task().given);
}

}  // namespace

extern const AttemptRow adaptive_barrier_row;
const AttemptRow adaptive_barrier_row{.name = adaptive_barrier,
                                      .difference = "IPOPT's `mu_strategy = adaptive`",
                                      .applies = needs_adaptive_barrier,
                                      .make = try_adaptive_barrier};

}  // namespace bolza::workflow
