// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"

namespace bolza::workflow {

/// A way to make another guess of a solution.
struct OtherGuess {
  enum class Kind : std::uint8_t {
    mirrored,   ///< every state by -x, every control by the other side of the middle of its bounds, or by -u
    stretched,  ///< what states and controls go away by from their first values, or from that middle, times `factor`
    lasting,    ///< the same trajectories over `factor` times the horizon, where its end is free
    placed      ///< free parameters and the final time at a place between their bounds, 0 to 1, each at another one
  };
  std::string_view name;  ///< as progress tells it
  Kind kind = Kind::mirrored;
  double factor = 1;
};

/// What differs most from a solution among the guesses that cost nothing to make: its mirror image, other end values, other
/// parameters. The first few tell whether there is more than one optimum.
inline constexpr OtherGuess first_guesses[]{{"its mirror image", OtherGuess::Kind::mirrored},
                                            {"half as far", OtherGuess::Kind::stretched, 0.5},
                                            {"parameters elsewhere", OtherGuess::Kind::placed, 0.3},
                                            {"parameters elsewhere", OtherGuess::Kind::placed, 0.7},
                                            {"the other way", OtherGuess::Kind::stretched, -1}};
inline constexpr OtherGuess more_guesses[]{
    {"twice as far", OtherGuess::Kind::stretched, 2},      {"parameters elsewhere", OtherGuess::Kind::placed, 0.1},
    {"nowhere", OtherGuess::Kind::stretched, 0},           {"parameters elsewhere", OtherGuess::Kind::placed, 0.5},
    {"four times as far", OtherGuess::Kind::stretched, 4}, {"parameters elsewhere", OtherGuess::Kind::placed, 0.2},
    {"twice as long", OtherGuess::Kind::lasting, 2},       {"parameters elsewhere", OtherGuess::Kind::placed, 0.9}};

/// A guess made of `solution`, within the bounds, without multipliers. Without trajectories: there is nothing to change so.
/// Cost  linear in its samples.
abi::Solution made_of(const bolza_problem& problem, const abi::Solution& solution, const OtherGuess& how);

}  // namespace bolza::workflow
