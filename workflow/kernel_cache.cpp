// SPDX-License-Identifier: Apache-2.0
#include "workflow/kernel_cache.h"

#include "base/cache_folder.h"
#include "compiler/codegen/cache.h"
#include "compiler/driver/compile.h"

namespace bolza::workflow {

KernelCache kernel_cache() {
  std::string folder = cache_folder();
  FileCache::Size kernels = codegen::Cache(folder).size(), parsed = driver::parsed_file_cache(folder).size();
  return {folder, kernels.entries, kernels.bytes, parsed.entries, parsed.bytes};
}

KernelCache clear_kernel_cache() {
  std::string folder = cache_folder();
  FileCache::Size kernels = codegen::Cache(folder).clear(), parsed = driver::parsed_file_cache(folder).clear();
  return {folder, kernels.entries, kernels.bytes, parsed.entries, parsed.bytes};
}

}  // namespace bolza::workflow
