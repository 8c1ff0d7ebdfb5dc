// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace bolza::estimate {

/// Where starts of one parameter come from, on its scale: uniform between the bounds, or normal within them.
struct Draw {
  double lower = 0, upper = 1;  ///< finite where uniform
  bool normal = false;
  double mean = 0, deviation = 1;
};

/// Points of a Latin hypercube: of `count` slices of equal probability of each parameter every one is taken once.
/// The same seed gives the same bits on every machine. Result: [count][parameters].
std::vector<std::vector<double>> latin_hypercube(const std::vector<Draw>& draws, std::size_t count, std::uint64_t seed);

/// In the place of start `index` that could not be simulated, for the `attempt`th time: independent of all others.
std::vector<double> redraw(const std::vector<Draw>& draws, std::uint64_t seed, std::size_t index, std::size_t attempt);

}  // namespace bolza::estimate
