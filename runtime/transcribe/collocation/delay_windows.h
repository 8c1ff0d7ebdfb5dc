// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "runtime/abi/bolza.h"
#include "runtime/transcribe/mesh/delay_reading.h"

namespace bolza::transcribe {

/// In the log of a solution: a delay stands at a side of the window in which it was looked for, and no solve went beyond.
inline constexpr const char* delay_at_side_log = "sought delays at a side of where they were looked for";

/// Bounds of a parameter for one solve, within its own: where delays that are sought are looked for.
struct DelayWindow {
  std::size_t parameter = 0;  ///< entry of the problem's parameters, and of the unknowns
  double lower = 0, upper = 0;
  double own_lower = 0, own_upper = 0;
};

/// What delays of one phase ask for: a few intervals around where they are, unless their own bounds are hardly wider. A
/// delayed value depends on all intervals between the bounds of its delay, and what the linear algebra costs grows faster
/// than their number.
/// @param interval    a usual length of an interval of the mesh
/// @param parameters  [n_parameters] values to be near
/// @param windows     of other phases; gets those of this one
void add_delay_windows(const bolza_problem& problem, std::size_t phase, const DelayReading& reading, double interval,
                       std::span<const double> parameters, std::vector<DelayWindow>& windows);

/// Narrows the bounds of delays by the windows of their parameters.
void narrow_delays(const bolza_problem& problem, std::size_t phase, std::span<const DelayWindow> windows,
                   DelayReading& reading);

/// The first window at a side of which its parameter stands, where that is no bound of its own: what is sought may be
/// beyond. Null: none.
const DelayWindow* window_left(std::span<const DelayWindow> windows, std::span<const double> unknowns);

}  // namespace bolza::transcribe
