// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "workflow/solve/attempts/attempt_table.h"

namespace bolza::workflow {
namespace {

using transcribe::TranscribeOptions;

constexpr double of_a_saddle = 0.05;  ///< perturbation of a solution that may be a saddle point, as a share of the sizes
constexpr double same_objective = 1e-6;

/// The last step needed a regularised Hessian, or there was no step.
bool may_be_a_saddle(const Climb& climb) {
  const abi::Statistics& s = climb.so_far().statistics;
  return climb.may_retry() && !climb.task().given && climb.has_solution() && (s.regularization > 0 || s.iterations == 0);
}

void look_beside(Climb& climb, const TranscribeOptions& first) {
  constexpr const char* what = "from near a saddle point";
  if (!climb.may_look()) return;
  TranscribeOptions options = perturbed(cold(first), climb.task().seed);
  options.perturbation = of_a_saddle;
  abi::Solution from = climb.so_far();
  abi::Solution found = climb.look(what, options, &from);
  bool came_back = abi::is_solution(found.status) &&
                   std::abs(found.objective - from.objective) <= same_objective * std::max(std::abs(from.objective), 1.0);
  if (came_back) climb.solution().statistics.is_saddle = false;
  if (!abi::is_solution(found.status) && climb.take_runaway(found)) return;
  climb.take_if_better(what, std::move(found));
}

}  // namespace

extern const SearchRow beside_row;
const SearchRow beside_row{.name = "beside",
                           .looks = "from near what may be a saddle point: the Hessian of the last step was regularised",
                           .applies = may_be_a_saddle,
                           .look = look_beside};

}  // namespace bolza::workflow
