// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

namespace bolza::codegen {

/// What making kernels has cost so far.
struct CompileStatistics {
  std::size_t kernels = 0;     ///< asked for, each shape counted once
  std::size_t objects = 0;     ///< loaded
  std::size_t from_cache = 0;  ///< of `objects`: found on disk, no IR was built
  std::size_t damaged = 0;     ///< cache entries that did not load and were made again
  double seconds = 0;          ///< all of it: keys, lowering, code generation, linking
};

}  // namespace bolza::codegen
