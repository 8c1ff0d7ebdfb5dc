// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace bolza::nlp {

inline constexpr double dwell_margin = 1e-9;  ///< of sums of lengths, as a share of the horizon

/// One value after the other for a control that has been relaxed: combinatorial integral approximation [SJK].
struct SwitchedRounding {
  std::vector<std::vector<double>> share;  ///< [values][intervals] of the relaxed control; sums to 1 over the values
  std::vector<double> length;              ///< [intervals]
  double dwell = 0;                        ///< least time between changes, and before the first
  std::int32_t switches = -1;              ///< most changes; -1: any number
  std::function<bool(std::size_t value, std::size_t interval)> allowed;
};

/// What the control takes in each interval, and the largest |∫(whole − relaxed)| over values and ends of intervals.
struct SwitchedPath {
  std::vector<std::size_t> value;  ///< [intervals]
  double deviation = 0;
};

/// The path with the least deviation that keeps dwell time and number of switches, by depth-first branch and bound. The best
/// that two million steps find where there are more; nothing where no path is allowed.
std::optional<SwitchedPath> round_with_switches(const SwitchedRounding& problem);

}  // namespace bolza::nlp
