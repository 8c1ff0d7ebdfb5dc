// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace bolza {

/// While one of these lives, this thread, and the threads it starts, takes numbers below 2.2e-308 for zero. They carry no
/// information that a tolerance could ask for, and arithmetic with them is up to a hundred times slower: a chain of lags at
/// rest is full of them. Where the processor is not known it does nothing.
class FlushDenormals {
 public:
  FlushDenormals() : before_(read()) { write(before_ | flush); }
  ~FlushDenormals() { write(before_); }
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
#if defined(__x86_64__)
  static constexpr std::uint64_t flush = 0x8040;  // MXCSR: flush to zero, denormals are zeros
  static std::uint64_t read() { return _mm_getcsr(); }
  static void write(std::uint64_t word) { _mm_setcsr(static_cast<unsigned>(word)); }
#elif defined(__aarch64__)
  static constexpr std::uint64_t flush = std::uint64_t{1} << 24;  // FPCR: FZ
  static std::uint64_t read() {
    std::uint64_t word;
    asm volatile("mrs %0, fpcr" : "=r"(word));
    return word;
  }
  static void write(std::uint64_t word) { asm volatile("msr fpcr, %0" ::"r"(word)); }
#else
  static constexpr std::uint64_t flush = 0;
  static std::uint64_t read() { return 0; }
  static void write(std::uint64_t) {}
#endif
  std::uint64_t before_;
};

}  // namespace bolza
