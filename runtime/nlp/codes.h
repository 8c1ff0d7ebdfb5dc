// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "base/diagnostics.h"

namespace bolza::nlp {

inline constexpr Code no_such_engine{
    "E701", "there is no engine `{0}` for nonlinear programs",
    "`bolza methods` lists the engines. `ipopt` is the default: leave out `--nlp` to have it."};

inline constexpr Code takes_no_integers{
    "E705", "the engine `{0}` does not take `{1}`, {2}: {3} do",
    "Inputs and free parameters that are Integers or Booleans make a mixed-integer problem. Engines for continuous problems "
    "solve it\n"
    "inside a branch and bound, or have one of their own; the message names those that do. With any engine, `--integers "
    "sum-up` rounds\n"
    "the relaxed optimum, and `--integers relax` solves for real numbers."};

inline constexpr std::array all_codes{&no_such_engine, &takes_no_integers};

}  // namespace bolza::nlp
