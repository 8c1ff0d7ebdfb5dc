#pragma once
#include <array>

#include "base/diagnostics.h"

namespace bolza::workflow {

inline constexpr Code no_sandbox{
    "E978", "no sandbox: {0}",
    "`--sandbox` runs a command inside bubblewrap (`apt install bubblewrap`), which needs namespaces of the system. In a "
    "container they may be forbidden; allow them, or let the container itself be the wall and use `--trust`. The result "
    "needs a name, `-o FILE`, as nothing but the outputs that are named leaves a sandbox. Nothing was run, unless it is "
    "the output that could not be written."};
inline constexpr std::array all_codes_of_sandbox{&no_sandbox};

}  // namespace bolza::workflow
