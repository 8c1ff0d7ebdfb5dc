// SPDX-License-Identifier: Apache-2.0
#include "base/memory_policy.h"

#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>

namespace bolza {

#if defined(__GLIBC__) && !defined(BOLZA_SANITIZES_ADDRESS)

namespace {

constexpr std::size_t page = 4096;

/// Address space for the heap, not memory: half of what the machine has, which its system never refuses.
std::size_t reserve() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) / 2 * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// Whether address space counts as memory on this system.
bool counts_reserve() {
  std::ifstream mode("/proc/sys/vm/overcommit_memory");
  return mode.get() == '2';
}

bool is_unlimited(__rlimit_resource_t resource) {
  rlimit limit{};
  return getrlimit(resource, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY;
}

}  // namespace

void keep_freed_memory() {
  if (std::getenv("GLIBC_TUNABLES")) return;
  if (!is_unlimited(RLIMIT_AS) || !is_unlimited(RLIMIT_DATA) || counts_reserve()) {
    mallopt(M_TRIM_THRESHOLD, 1 << 30);  // what is kept is address space that was counted already
    return;
  }
  mallopt(M_MMAP_MAX, 0);         // large blocks come from the heap, too
  mallopt(M_TRIM_THRESHOLD, -1);  // whose end is never given back
  mallopt(M_TOP_PAD, 64 << 20);
  auto address = [] { return reinterpret_cast<std::uintptr_t>(sbrk(0)); };
  std::uintptr_t before = address();
  void* volatile block = std::malloc(reserve());  // the heap grows now; volatile: not elided
  std::free(block);
  std::uintptr_t begin = (before + page - 1) / page * page, end = address() / page * page;
  if (end > begin) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

#else

void keep_freed_memory() {}

#endif

}  // namespace bolza
