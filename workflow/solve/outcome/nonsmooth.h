// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "base/words.h"

namespace bolza::workflow {

/// What becomes of relations, abs, min, max, sign in an optimisation.
enum class Nonsmooth : std::uint8_t {
  automatic,       ///< as they are written, then smooth, then in modes, where kinks ask for it
  written,         ///< as they are written
  smooth,          ///< in narrower and narrower widths
  modes,           ///< pieces with free times between
  complementarity  ///< relaxed less and less
};
inline constexpr Words<Nonsmooth, 5> nonsmooth_ways{{{{"auto", Nonsmooth::automatic},
                                                      {"written", Nonsmooth::written},
                                                      {"smooth", Nonsmooth::smooth},
                                                      {"modes", Nonsmooth::modes},
                                                      {"complementarity", Nonsmooth::complementarity}}}};

}  // namespace bolza::workflow
