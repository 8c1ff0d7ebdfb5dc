// SPDX-License-Identifier: Apache-2.0
// How much memory this process has allocated, with and without the sanitizers.
#pragma once
#include <malloc.h>

#ifdef __SANITIZE_ADDRESS__
#include <cstddef>
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();  // GCC has the function, but not its header
#endif

namespace bolza::testing {

/// Bytes.
inline double allocated() {
#ifdef __SANITIZE_ADDRESS__
  return static_cast<double>(__sanitizer_get_current_allocated_bytes());
#else
  return static_cast<double>(mallinfo2().uordblks + mallinfo2().hblkhd);
#endif
}

}  // namespace bolza::testing
