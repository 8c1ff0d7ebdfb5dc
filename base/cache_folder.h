// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace bolza {

/// The folder of what need not be made twice: $BOLZA_CACHE, $XDG_CACHE_HOME/bolza or ~/.cache/bolza; empty when none of the
/// three is set, or others may write it. It need not exist.
std::string cache_folder();

}  // namespace bolza
