// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/abi/bolza.h"
#include "runtime/transcribe/mesh/mesh.h"

namespace bolza::transcribe {

/// One delayed value of a phase: w(t) = offset + Σ coefficient · (row of point)(t − time).
struct DelayedValue {
  double time = 0, offset = 0;
  std::vector<std::pair<std::size_t, double>> terms;  ///< row of point (1: the first state), coefficient
  /// A free delay: time = constant + Σ slope · (entry of shared), in the order of entries; empty: it is fixed.
  std::vector<std::pair<std::int32_t, double>> slopes;
  double constant = 0, least = 0, most = 0;  ///< of a free delay, with the bounds of its parameters

  bool is_free() const { return !slopes.empty(); }
};

struct DelayReading {
  std::vector<DelayedValue> delays;  ///< [n_delays]
  std::string refusal;               ///< why they cannot be transcribed, empty: they can
};

/// The delays of a phase: times that are constant or linear in free parameters, affine expressions, a fixed horizon.
/// Evaluates them once.
DelayReading read_delays(bolza_problem& problem, std::size_t phase, const Horizon& horizon);

/// Adds t0 + k·time, where the solution has kinks, as long as they leave half of `mesh` intervals.
void add_delay_breakpoints(const DelayReading& reading, const Horizon& horizon, std::size_t mesh,
                           std::vector<AffineTime>& breakpoints);

/// A mesh that has with every point those a delay earlier and later, so that delayed controls are taken at collocation
/// points and cannot oscillate between them: the given fractions, or `mesh` intervals. As given where delays have
/// no common divisor of an eighth of the shortest at least, it is shorter than an interval, or too many points would follow.
std::vector<double> shifted_fractions(const DelayReading& reading, const Horizon& horizon, std::size_t mesh,
                                      const std::vector<double>& fractions);

}  // namespace bolza::transcribe
