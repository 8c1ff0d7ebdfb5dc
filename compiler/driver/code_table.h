// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "base/diagnostics.h"

namespace bolza::driver {

/// Every kind of message that the compiler can give, by room. The runtime's and the workflow's are in their own tables.
std::vector<const Code*> compiler_codes();

}  // namespace bolza::driver
