// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace bolza::kkt {

/// What loops are compiled for: a body that is always inlined, once in a function of each of these targets.
enum class Processor : std::uint8_t { any, avx2, avx512 };

inline Processor this_processor() {
  static const Processor found = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") ? Processor::avx512
                                 : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")       ? Processor::avx2
                                                                                                         : Processor::any;
  return found;
}

}  // namespace bolza::kkt
