// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

namespace bolza::workflow {

/// The cache of compiled kernels and of parsed files on disk. `folder` is empty when there is none.
struct KernelCache {
  std::string folder;
  std::uint64_t entries = 0, bytes = 0;                ///< kernels
  std::uint64_t parsed_entries = 0, parsed_bytes = 0;  ///< parsed files
};

KernelCache kernel_cache();
/// Deletes all entries; gives what was deleted.
KernelCache clear_kernel_cache();

}  // namespace bolza::workflow
