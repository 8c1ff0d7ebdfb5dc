// SPDX-License-Identifier: Apache-2.0
#include "workflow/install_paths.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "workflow/codes.h"

namespace bolza::workflow {
namespace {

/// Of the program, or of the shared library that this code is in. What the program was called as does not matter: only the
/// kernel and the loader are asked.
std::filesystem::path own_folder() {
  std::error_code none;
  static const char here = 0;
  Dl_info info{};
  link_map* object = nullptr;
  void* found = nullptr;
  if (dladdr1(&here, &info, &found, RTLD_DL_LINKMAP)) object = static_cast<link_map*>(found);
  bool is_library = object && object->l_name && *object->l_name == '/';  // the program's own name is empty
  std::filesystem::path file = is_library ? std::filesystem::path(object->l_name) : std::filesystem::path("/proc/self/exe");
  return std::filesystem::canonical(file, none).parent_path();
}

/// Empty when it is not there.
std::filesystem::path library_file(const std::string& name) {
  std::filesystem::path here = own_folder();
  std::error_code none;
  for (const char* relative : {"../lib/bolza", "../lib", ".", "bolza", "../bolza"})
    if (std::filesystem::path file = here / relative / ("lib" + name + ".so"); std::filesystem::exists(file, none))
      return file;
  return {};
}

}  // namespace

std::string stdlib_folder() {
  if (const char* given = std::getenv("BOLZA_STDLIB"); given && *given) return given;
  std::filesystem::path here = own_folder();
  std::error_code none;
  for (const char* relative : {"../share/bolza/stdlib", "../../share/bolza/stdlib", "../../../stdlib"}) {
    std::filesystem::path candidate = here / relative;
    if (std::filesystem::is_directory(candidate, none)) return candidate.lexically_normal().string();
  }
  return "";
}

std::vector<std::string> library_path(const std::vector<std::string>& first) {
  std::vector<std::string> folders = first;
  if (const char* variable = std::getenv("MODELICAPATH")) {
    std::istringstream list(variable);
    for (std::string folder; std::getline(list, folder, ':');)
      if (!folder.empty()) folders.push_back(folder);
  }
  return folders;
}

bool has_library(const std::string& name) { return !library_file(name).empty(); }

Result<Done> check_library(const std::string& name, Diagnostics& diagnostics) {
  if (has_library(name)) return Done{};
  return diagnostics.error(library_missing, {}, {"lib" + name + ".so", "it is not next to the program"});
}

Result<void*> open_symbol(const std::string& name, const char* symbol, Diagnostics& diagnostics) {
  if (!check_library(name, diagnostics)) return diagnostics.already_reported();
  std::filesystem::path found = library_file(name);
  void* library = dlopen(found.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return diagnostics.error(library_missing, {}, {found.string(), dlerror()});
  void* address = dlsym(library, symbol);
  if (!address) return diagnostics.error(library_missing, {}, {found.string(), dlerror()});
  return address;
}

void open_library(const std::string& name) {
  if (std::filesystem::path file = library_file(name); !file.empty()) dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
}

EarlyOpening::EarlyOpening(std::vector<std::string> names)
    : thread_([names = std::move(names)](const std::stop_token& stop) {
        for (const std::string& name : names)
          if (stop.stop_requested()) return;
          else open_library(name);
      }) {}

}  // namespace bolza::workflow
