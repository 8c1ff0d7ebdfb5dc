// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <source_location>

namespace bolza {

/// Stops the program with file and line when a condition that only our own mistake can break does not hold.
/// Always on, in every build.
void expects(bool condition, const char* what, std::source_location at = std::source_location::current());

}  // namespace bolza
