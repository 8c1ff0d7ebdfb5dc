// SPDX-License-Identifier: Apache-2.0
#include "workflow/outside_libraries.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <vector>

#include "compiler/codegen/machine.h"

namespace bolza::workflow {

void set_blas_defaults() {
  constexpr int keep = 0;
  setenv("OPENBLAS_NUM_THREADS", "1", keep);
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) setenv("OPENBLAS_CORETYPE", "Haswell", keep);
#endif
}

namespace {

/// Of this process, as its limit counts them.
std::size_t bytes_of_data() {
  std::ifstream sizes("/proc/self/statm");  // pages: all, resident, shared, text, 0, data and stack
  std::array<std::size_t, 6> pages{};
  for (std::size_t& n : pages) sizes >> n;
  return pages[5] * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

std::size_t reserve_blas_buffer() {
  constexpr std::size_t most = std::size_t{160} << 20;
  std::size_t before = bytes_of_data();
  void* library = dlopen("libblas.so.3", RTLD_NOW | RTLD_LOCAL);
  if (!library || !dlsym(library, "openblas_get_config")) return 0;
  using Product = void (*)(const char*, const char*, const int*, const int*, const int*, const double*, const double*,
                           const int*, const double*, const int*, const double*, double*, const int*);
  auto product = reinterpret_cast<Product>(dlsym(library, "dgemm_"));
  if (!product) return 0;
  void* room = mmap(nullptr, most, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) throw std::bad_alloc();
  munmap(room, most);
  constexpr int n = 110;  // small products go without the buffer
  constexpr double zero = 0;
  std::vector<double> a(n * n), b(n * n), c(n * n);
  product("N", "N", &n, &n, &n, &zero, a.data(), &n, b.data(), &n, &zero, c.data(), &n);
  std::size_t after = bytes_of_data();
  return after > before ? after - before : 0;
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
