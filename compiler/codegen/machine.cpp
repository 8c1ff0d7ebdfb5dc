// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/machine.h"

#include <dlfcn.h>
#include <sys/auxv.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstdio>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace bolza::codegen {
namespace {

void append(std::string& text, unsigned word) {
  char digits[16];
  std::snprintf(digits, sizeof digits, ".%x", word);
  text += digits;
}

#if defined(__x86_64__)

std::uint32_t widest() {
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return 8;
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 4 : 1;
}

bool fused() { return __builtin_cpu_supports("fma"); }

/// Vendor, family, model and stepping, and every word of feature bits that LLVM chooses instructions by. Left out: what
/// differs between the cores of one processor (numbers of the core in words of leaf 1).
std::string processor() {
  std::string text;
  unsigned a = 0, b = 0, c = 0, d = 0;
  auto leaf = [&](unsigned number, unsigned sub) {
    a = b = c = d = 0;
    __get_cpuid_count(number, sub, &a, &b, &c, &d);
  };
  leaf(0, 0);
  append(text, b);
  append(text, c);
  append(text, d);
  leaf(1, 0);
  append(text, a);
  append(text, c);
  append(text, d);
  leaf(7, 0);
  append(text, b);
  append(text, c);
  append(text, d);
  leaf(7, 1);
  append(text, a);
  append(text, b);
  append(text, d);
  leaf(0xD, 1);
  append(text, a);
  leaf(0x80000001, 0);
  append(text, c);
  append(text, d);
  append(text, widest());  // whether the system saves the wide registers
  return text;
}

#else

std::uint32_t widest() { return 1; }
bool fused() { return false; }

std::string processor() {
  std::string text;
  for (unsigned long kind : {AT_HWCAP, AT_HWCAP2})
    for (unsigned long bits = getauxval(kind), k = 0; k < 2; ++k, bits >>= 32) append(text, static_cast<unsigned>(bits));
  return text;
}

#endif

}  // namespace

Machine host_machine(std::uint32_t width) {
  utsname system{};
  uname(&system);
  std::uint32_t most = dlopen("libmvec.so.1", RTLD_LAZY | RTLD_LOCAL) ? widest() : 1;
  std::uint32_t wanted = width == 0 ? most : std::min(width, most);
  Machine machine;
  machine.identity = std::string(system.machine) + processor();
  machine.width = wanted >= 8 ? 8 : wanted >= 4 ? 4 : 1;
  machine.fma = fused();
  machine.vector_math = most > 1;
  return machine;
}

std::string llvm_version() { return BOLZA_LLVM_VERSION; }

}  // namespace bolza::codegen
