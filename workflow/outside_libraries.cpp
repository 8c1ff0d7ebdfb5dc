#include "workflow/outside_libraries.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

#include "compiler/codegen/machine.h"

namespace bolza::workflow {

void set_blas_defaults() {
  constexpr int keep = 0;
  setenv("OPENBLAS_NUM_THREADS", "1", keep);
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) setenv("OPENBLAS_CORETYPE", "Haswell", keep);
#endif
}

std::string blas_in_use() {
  void* library = dlopen("libblas.so.3", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return "";
  using Text = const char* (*)();
  auto config = reinterpret_cast<Text>(dlsym(library, "openblas_get_config"));
  auto core = reinterpret_cast<Text>(dlsym(library, "openblas_get_corename"));
  if (config && core) {  // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH …"
    std::string text = config();
    std::size_t name = text.find(' '), version = text.find(' ', name == std::string::npos ? name : name + 1);
    return text.substr(0, version) + ", " + core();
  }
  Dl_info info{};
  void* product = dlsym(library, "dgemm_");
  if (!product || !dladdr(product, &info) || !info.dli_fname) return "libblas.so.3";
  std::error_code none;
  std::filesystem::path file = std::filesystem::canonical(info.dli_fname, none);
  return none ? info.dli_fname : file.string();
}

std::string llvm_in_use() { return codegen::llvm_version(); }

}  // namespace bolza::workflow
