// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <vector>

#include "compiler/flatten/equations/clock_partitions_internal.h"
#include "compiler/flatten/equations/clock_ticks_internal.h"

namespace bolza::flatten {

/// The equations of a partition that is integrated from tick to tick; all of one instance.
struct DiscretisedPartition {
  std::uint32_t partition = ClockPartitions::none;
  std::map<std::uint32_t, std::uint32_t> derivative_of;  ///< state → the variable that stands for its derivative
  std::vector<ir::Group> equations, pairs, initial;
};

/// Adds the equations of the solver method [MLS, 16.8.2]. Errors  E491.
void discretise(Model& model, const ClockPartition& partition, ClockTicks& ticks, const DiscretisedPartition& equations);

}  // namespace bolza::flatten
