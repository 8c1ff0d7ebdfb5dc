// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "runtime/estimate/run.h"
#include "runtime/estimate/statistics/design.h"

namespace bolza::estimate {

/// When to measure in an experiment: all observables that were measured in it, at once.
struct PlannedTime {
  std::size_t experiment = 0;
  double time = 0;
};

/// The best times for a repetition of the experiments, judged at the estimates: a local design.
struct TimePlan {
  Criterion criterion = Criterion::d;
  std::vector<PlannedTime> times;  ///< ascending in experiment and time
  std::size_t candidates = 0;
  double value = 0;         ///< of the criterion for these times alone
  double per_time_now = 0;  ///< of the times that were measured, as many in all as are planned
};

/// Chooses `count` among the times of the result's curves. Relative errors of parameters count, absolute ones where a
/// parameter is 0; parameters at bounds and those without effect do not. Nothing: too few candidates, or curves without
/// derivatives. Cost  as `best_subset`.
std::optional<TimePlan> plan_times(const Estimation& estimation, const EstimateResult& result,
                                   std::span<const std::uint8_t> counts, std::size_t count, Criterion criterion);

}  // namespace bolza::estimate
