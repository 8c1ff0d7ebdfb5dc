// SPDX-License-Identifier: Apache-2.0
// How much memory this process has allocated, with and without the sanitizers.
#pragma once
#include <malloc.h>

#ifdef BOLZA_SANITIZES_ADDRESS
#include <cstddef>
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();  // not all compilers have a header of it
#endif

namespace bolza::testing {

/// Bytes.
inline double allocated() {
#ifdef BOLZA_SANITIZES_ADDRESS
  return static_cast<double>(__sanitizer_get_current_allocated_bytes());
#else
  return static_cast<double>(mallinfo2().uordblks + mallinfo2().hblkhd);
#endif
}

}  // namespace bolza::testing
