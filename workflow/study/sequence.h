// SPDX-License-Identifier: Apache-2.0
// Where points of a sampled study lie in the unit cube. Each point can be had by itself, on every machine with the same
// bits.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace bolza::workflow {

enum class PointSampling : std::uint8_t {
  random,           ///< independent of each other: Monte Carlo
  latin_hypercube,  ///< every axis has one point in each of `count` slices
  sobol             ///< a digital net: even in many projections; best with a power of 2
};
inline constexpr std::string_view sampling_names[] = {"random", "latin-hypercube", "sobol"};
std::optional<PointSampling> sampling_named(std::string_view name);

/// The most axes that Sobol's sequence has direction numbers for here.
inline constexpr std::size_t most_of_sobol = 21;
/// The most points of a Latin hypercube: its slices are kept.
inline constexpr std::size_t most_of_hypercube = 10'000'000;

/// Points in (0, 1)^axes.
class Sequence {
 public:
  /// Requires  as many axes and points as the constants above allow.  Cost  of a Latin hypercube axes × count, else none.
  Sequence(PointSampling sampling, std::size_t count, std::size_t axes, std::uint64_t seed);
  Sequence() = default;

  /// Requires  index < count, axis < axes.  Cost  some nanoseconds.
  double at(std::size_t index, std::size_t axis) const;

 private:
  PointSampling sampling_ = PointSampling::random;
  std::size_t count_ = 0;
  std::uint64_t seed_ = 1;
  std::vector<std::vector<std::uint32_t>> slices_;  ///< [axes][count]; of Sobol's [axes][32] directions
};

}  // namespace bolza::workflow
