// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

namespace bolza::integrate {

/// One event of a run, as derivatives need it.
struct LoggedEvent {
  /// What one iteration of the event set: rows of the reinit function, and the shared values that it saw.
  struct Firing {
    std::vector<std::size_t> rows;
    std::vector<double> shared;
  };
  double t = 0;
  std::vector<double> x, before, after;  ///< states when it begins; shared values [n_shared] before and after
  std::vector<Firing> firings;
};

}  // namespace bolza::integrate
