// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/optimization/point_value_collector.h"

namespace bolza::passes {

/// Finds relations between `time` and what does not vary (`time < t1`), and |e|, min, max of such expressions, in what the
/// problem integrates and in its path constraints. There the right-hand sides have a jump or a kink: the mesh gets a point
/// (PointValueCollector::add_corner). No more than a thousand of them: a long table of times is left to refinement.
/// Cost: once per shape, and a factor per instance of shapes that have such relations.
void add_time_corners(System& system, PointValueCollector& points);

}  // namespace bolza::passes
