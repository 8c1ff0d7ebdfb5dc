// SPDX-License-Identifier: Apache-2.0
// How an optimum changes with the model's parameters: types alone.
#pragma once
#include <string>
#include <vector>

#include "runtime/transcribe/sensitivity/trajectory_slopes.h"

namespace bolza::workflow {

/// What is asked for.
struct SensitivityRequest {
  bool wanted = false;
  std::vector<std::string> names;  ///< parameters; empty: all
  bool trajectories = false;       ///< dx*/dp, du*/dp and the ranges, besides dJ*/dp
};

/// What the optimum changes by with a parameter.
struct ParameterSlope {
  std::string name, unit;
  double value = 0;
  double slope = 0;  ///< dJ*/dp; NaN: not known, as where the value 0 leaves out terms that another has
  transcribe::TrajectorySlopes response = {};  ///< of the trajectories, where they were asked for
};

struct OptimumSensitivity {
  std::vector<ParameterSlope> parameters;  ///< the largest |p dJ*/dp| first
  bool has_trajectories = false;           ///< they were asked for
  std::string why;                         ///< nothing is known of them, for this reason; "": it is
  abi::Solution solution;                  ///< at whose samples they are
};

}  // namespace bolza::workflow
