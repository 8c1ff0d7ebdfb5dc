// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

namespace bolza::flatten {

/// What the run says of the time, in seconds, whatever the class says.
struct GivenHorizon {
  std::optional<double> start, stop;
};

}  // namespace bolza::flatten
