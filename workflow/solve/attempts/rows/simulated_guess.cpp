// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/attempts/at_rest.h"
#include "workflow/solve/attempts/attempt_table.h"

namespace bolza::workflow {
namespace {

using transcribe::TranscribeOptions;

constexpr const char* simulated_guess = "simulated guess";

bool comes_before_another_problem(const Climb& climb) { return climb.task().effort.attempts == Attempts::simulated_guess; }

bool needs_simulated_guess(const Climb& climb) {
  bool given = climb.task().given && comes_before_another_problem(climb);
  return has_guess_of_states(climb) && !given && climb.task().guess != Guess::simulated;
}

/// Whether the first attempt began there: nothing of the model moves by itself.
bool was_tried(const Climb& climb, const abi::Solution& guess) {
  const RetryTask& task = climb.task();
  bool from_constants =
      !task.given && !task.own && !climb.has_data() && (task.guess == Guess::automatic || task.guess == Guess::constant);
  return from_constants && is_at_rest(task.problem, guess);
}

void try_simulated_guess(Climb& climb) {
  TranscribeOptions options = climb.usual();
  options.nlp.max_iterations = climb.limit_of(middle_limit);
  if (comes_before_another_problem(climb)) options.nlp.max_iterations = climb.limit_of(short_limit);
  const abi::Solution* guess = climb.simulated();
  if (guess && !was_tried(climb, *guess)) climb.attempt(simulated_guess, options, guess);
}

}  // namespace

extern const AttemptRow simulated_guess_row;
const AttemptRow simulated_guess_row{
    .name = simulated_guess,
    .difference =
        "the model integrated with its guessed controls (the middle of their bounds where there is no guess), held where it "
        "leaves "
        "the bounds or stops; a phase goes on where links say, from the ends of those before; for 150 iterations at most, "
        "and "
        "left out where nothing moves from its guess",
    .applies = needs_simulated_guess,
    .make = try_simulated_guess,
    .effort = Attempts::simulated_guess};

}  // namespace bolza::workflow
