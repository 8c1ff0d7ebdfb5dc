// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "base/result.h"
#include "compiler/instance/library/trust.h"

namespace bolza::instance {

/// E257 with the remedy.
/// @param name  of the function
/// @param what  "it reads `file` for a model": what it would do
Reported refuse_untrusted(const TrustRules& trust, const std::string& name, const std::string& what, Span at,
                          Diagnostics& diagnostics);

}  // namespace bolza::instance
