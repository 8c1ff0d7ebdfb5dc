// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>

#include "workflow/solve/attempts/attempt_table.h"

namespace bolza::workflow {
namespace {

using transcribe::TranscribeOptions;

bool is_static_and_free(const Climb& climb) {
  const RetryTask& task = climb.task();
  return task.problem.is_static && task.retry && !task.given && climb.has_solution() && !climb.so_far().integers.any;
}

void look_from_spread_starts(Climb& climb, const TranscribeOptions& first) {
  for (std::uint32_t k = 0; k < static_starts && climb.may_look(); ++k) {
    TranscribeOptions options = from_another_start(cold(first), climb.task().seed + k);
    climb.take_if_better("another start", climb.look("another start", options, climb.first_guess(options)));
  }
}

}  // namespace

extern const SearchRow static_searches_row;
const SearchRow static_searches_row{
    .name = "static starts",
    .looks = "problems without time: from sixteen places spread between the bounds, or within ten sizes of the first start",
    .applies = is_static_and_free,
    .look = look_from_spread_starts};

}  // namespace bolza::workflow
