// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"
#include "runtime/integrate/simulate/simulate.h"

namespace bolza::transcribe {

/// What the model does under the optimal controls, against what the transcription says it does.
struct Resimulation {
  bool finished = false;  ///< false: the integration stopped early; `message` says why, the rest covers what was reached
  std::string message;
  double deviation = 0;  ///< largest |x simulated − x solved| over its state's nominal value, or largest value where none is
                         ///< given (at least 1e-6 of its size)
  std::string state;     ///< whose it is
  double time = 0;       ///< and when
  /// The same, begun anew from the solution's states at every mesh point: what the method is off by, without what an
  /// unstable model makes of it. NaN: was not looked at, as the deviation is small.
  double local_deviation = std::numeric_limits<double>::quiet_NaN();
  double violation =
      0;  ///< largest constraint violation of the simulated trajectories, in its own units; bounds of controls left out
  std::string constraint;                ///< which; empty when none is violated
  std::optional<abi::Finding> clear;     ///< the largest that is above one per cent of its limit
  std::vector<abi::Finding> assertions;  ///< that do not hold, of any level, each at the first time; the run goes on
  double seconds = 0;
  abi::Solution simulated;  ///< trajectories at the solution's times, and those given
};

/// Integrates every phase from the solution's initial states with its parameters and controls (the polynomial of each mesh
/// interval, or constants), by CVODES or IDAS with the relative tolerance given; `act` writes the texts of assertions. Where
/// that goes far from the solution, every mesh interval by itself.
/// @param look_at  [phases] times besides the solution's own at which the trajectories are had and limits looked at,
///                 ascending; fewer: none
/// Requires  a solution of this problem with trajectories.     Errors  in `finished` and `message`.     Cost  one
/// simulation.
Resimulation resimulate(bolza_problem& problem, const abi::Solution& solution, double rtol = 1e-10,
                        const std::vector<std::vector<double>>& look_at = {}, const integrate::Act& act = {});

/// The name of a measure of a solution's log.
inline constexpr const char* violation_of_simulation = "constraint violation of the re-simulation";

/// Adds both measures to the solution's log under the names that reports and the JSON show.
void add_to_log(const Resimulation& resimulation, abi::Solution& solution);

}  // namespace bolza::transcribe
