// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/engine_library.h"

#include <dlfcn.h>

#include <stdexcept>
#include <string>

#include "runtime/nlp/mumps_turn.h"

namespace bolza::nlp {
namespace {

/// The folder of the file that this code was loaded from, with its slash; "" where the loader does not know.
std::string own_folder() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<const void*>(&opened_engine), &info) || !info.dli_fname) return "";
  std::string file = info.dli_fname;
  std::size_t slash = file.rfind('/');
  return slash == std::string::npos ? "" : file.substr(0, slash + 1);
}

std::string file_of(const char* library) { return own_folder() + "lib" + library + ".so"; }

}  // namespace

void* opened_symbol(const char* library, const char* name) {
  std::string file = file_of(library);
  void* opened = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* symbol = opened ? dlsym(opened, name) : nullptr;
  if (!symbol) throw std::runtime_error(file + " cannot be opened: " + dlerror());
  return symbol;
}

const Engine& opened_engine(const char* library, const char* engine) {
  void* symbol = opened_symbol(library, engine_symbol);
  const Engine* found = reinterpret_cast<EngineFunction>(symbol)(engine, lock_of_mumps());
  if (!found) throw std::runtime_error(file_of(library) + " does not have the engine " + engine);
  return *found;
}

}  // namespace bolza::nlp
