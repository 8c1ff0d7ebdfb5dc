// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "base/diagnostics.h"

namespace bolza::workflow {

/// Every kind of message of the whole program, by its id.
std::vector<const Code*> all_codes();

}  // namespace bolza::workflow
