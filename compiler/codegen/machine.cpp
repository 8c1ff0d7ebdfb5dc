#include "compiler/codegen/machine.h"

#include <dlfcn.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/TargetParser/Host.h>

#include <algorithm>
#include <map>

namespace bolza::codegen {
namespace {

std::uint32_t widest(const llvm::StringMap<bool>& has) {
  auto on = [&](const char* feature) { return has.lookup(feature); };
  if (on("avx512f") && on("avx512dq") && on("avx512vl")) return 8;
  return on("avx2") && on("fma") ? 4 : 1;
}

}  // namespace

Machine host_machine(std::uint32_t width) {
  Machine machine;
  machine.triple = llvm::sys::getProcessTriple();
  machine.cpu = llvm::sys::getHostCPUName().str();
  llvm::StringMap<bool> has = llvm::sys::getHostCPUFeatures();
  std::map<std::string, bool> sorted;
  for (const auto& feature : has) sorted[feature.getKey().str()] = feature.getValue();
  for (const auto& [name, on] : sorted)
    machine.features += (machine.features.empty() ? "" : ",") + ((on ? "+" : "-") + name);
  std::uint32_t most = dlopen("libmvec.so.1", RTLD_LAZY | RTLD_LOCAL) ? widest(has) : 1;
  std::uint32_t wanted = width == 0 ? most : std::min(width, most);
  machine.width = wanted >= 8 ? 8 : wanted >= 4 ? 4 : 1;
  machine.fma = has.lookup("fma");
  machine.vector_math = most > 1;
  return machine;
}

std::string llvm_version() { return LLVM_VERSION_STRING; }

}  // namespace bolza::codegen
