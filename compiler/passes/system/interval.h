// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <limits>
#include <span>

#include "compiler/ir/dag.h"

namespace bolza::passes {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// All values that an expression can take, or more.
struct Interval {
  double lower = 0, upper = 0;
  bool excludes_zero() const { return lower > 0 || upper < 0; }
};

Interval everything();
/// Does what lies in the interval keep its size within a factor of 1000? The resistance of an ideal switch does not.
/// Infinite ends say nothing.
bool is_steady(const Interval& interval);

/// Interval arithmetic over +, −, ·, /, integer powers and the monotone functions; everything for other operators.
/// @param slots [slots of the shape]   @param data [data of the shape]
Interval range_of(const ir::Dag& dag, ir::ExprId root, std::span<const Interval> slots, std::span<const double> data);

}  // namespace bolza::passes
