#pragma once
#include <cstdint>
#include <string>

namespace bolza::workflow {

/// The cache of compiled kernels on disk. `folder` is empty when there is none.
struct KernelCache {
  std::string folder;
  std::uint64_t entries = 0, bytes = 0;
};

KernelCache kernel_cache();
/// Deletes all entries; gives what was deleted.
KernelCache clear_kernel_cache();

}  // namespace bolza::workflow
