// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/optimization/point_value_collector.h"

namespace bolza::passes {

/// States go through where a horizon is cut (passes/interior): each state of a piece begins with the value that the same
/// variable, whether it is a state there or not, has at the end of the piece before, but for those that jump. As many rows
/// as a piece has states, so that the constraints are independent whatever was chosen as states. How the first piece of a
/// phase begins the model says itself. Nothing in other problems.
void join_pieces(System& system, PointValueCollector& points);

}  // namespace bolza::passes
