// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "runtime/nlp/nlp.h"

namespace bolza::nlp {

/// Why variables that follow from others (`Nlp::follows`) should not be eliminated: there are none, or the dense program in
/// what is left would be too large. Empty when they can be.
std::string objection_to_condensing(const Nlp& nlp);

}  // namespace bolza::nlp
