// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/words.h"
#include "compiler/instance/library/trust.h"

namespace bolza::driver {

/// Whose foreign code runs, as `--trust` and interfaces say it (docs/security.md).
inline constexpr Words<instance::Trust::Level, 3> trust_levels{{{{"all", instance::Trust::Level::everything},
                                                                 {"libraries", instance::Trust::Level::libraries},
                                                                 {"none", instance::Trust::Level::nothing}}}};

}  // namespace bolza::driver
