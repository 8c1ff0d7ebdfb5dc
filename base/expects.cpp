// SPDX-License-Identifier: Apache-2.0
#include "base/expects.h"

#include <cstdio>
#include <cstdlib>

namespace bolza {

void expects(bool condition, const char* what, std::source_location at) {
  if (condition) return;
  std::fprintf(stderr, "bolza: internal error: %s (%s:%u)\n", what, at.file_name(), static_cast<unsigned>(at.line()));
  std::abort();
}

}  // namespace bolza
