// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdlib>

namespace bolza::testing {

/// Whether more samples run of what others sample already: where BOLZA_ALL is set, which `scripts/test --all` does.
inline bool further_samples() {
  const char* all = std::getenv("BOLZA_ALL");
  return all && *all;
}

}  // namespace bolza::testing
