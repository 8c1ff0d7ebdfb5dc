// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace bolza::kkt {

/// What loops are compiled for: a body that is always inlined, once in a function of each of these targets. Elsewhere than
/// on x86-64 there is one function for all, and the attributes of targets are left out.
enum class Processor : std::uint8_t { any, avx2, avx512 };

#if defined(__x86_64__)
#define BOLZA_TARGET_AVX2 [[gnu::target("avx2,fma")]]
#define BOLZA_TARGET_AVX512 [[gnu::target("avx512f,avx512dq,avx512vl,avx2,fma")]]

inline Processor this_processor() {
  static const Processor found = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") ? Processor::avx512
                                 : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")       ? Processor::avx2
                                                                                                         : Processor::any;
  return found;
}
#else
#define BOLZA_TARGET_AVX2
#define BOLZA_TARGET_AVX512

inline Processor this_processor() { return Processor::any; }
#endif

}  // namespace bolza::kkt
