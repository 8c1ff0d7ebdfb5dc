#include "workflow/kernel_cache.h"

#include "compiler/codegen/cache.h"

namespace bolza::workflow {

KernelCache kernel_cache() {
  codegen::Cache cache(codegen::Cache::default_directory());
  codegen::Cache::Size size = cache.size();
  return {cache.directory(), size.entries, size.bytes};
}

KernelCache clear_kernel_cache() {
  codegen::Cache cache(codegen::Cache::default_directory());
  codegen::Cache::Size size = cache.clear();
  return {cache.directory(), size.entries, size.bytes};
}

}  // namespace bolza::workflow
