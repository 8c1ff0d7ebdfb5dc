// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include "workflow/solve/attempts/attempt_table.h"

namespace bolza::workflow {
namespace {

using transcribe::TranscribeOptions;

bool was_asked_for(const Climb& climb) { return climb.task().starts > 0 && !climb.task().problem.is_static; }

void look_from_many_starts(Climb& climb, const TranscribeOptions& first) {
  int starts = 1;
  if (climb.has_solution()) climb.count_start(climb.so_far().objective);
  TranscribeOptions options = first;
  const abi::Solution* guess = climb.first_guess(options);
  options = cold(std::move(options));
  for (int k = 0; k < climb.task().starts && !climb.search_ended(); ++k, ++starts) {
    options = perturbed(std::move(options), climb.task().seed + static_cast<std::uint32_t>(k));
    std::string what = "guess perturbed by seed " + std::to_string(options.seed);
    abi::Solution found = climb.run(what, options, guess, climb.has_solution());
    if (!abi::is_solution(found.status)) continue;
    climb.count_start(found.objective);
    climb.take_if_better(what, std::move(found));
  }
  climb.set_starts(starts);
}

}  // namespace

extern const SearchRow multi_start_row;
const SearchRow multi_start_row{.name = "multi-start",
                                .looks = "from so many perturbed guesses, all of them, with `--multi-start N`",
                                .applies = was_asked_for,
                                .look = look_from_many_starts};

}  // namespace bolza::workflow
