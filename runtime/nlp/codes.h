#pragma once
#include <array>

#include "base/diagnostics.h"

namespace bolza::nlp {

inline constexpr Code no_such_engine{
    "E701", "there is no engine `{0}` for nonlinear programs",
    "`bolza methods` lists the engines. `ipopt` is the default: leave out `--nlp` to have it."};

inline constexpr std::array all_codes{&no_such_engine};

}  // namespace bolza::nlp
