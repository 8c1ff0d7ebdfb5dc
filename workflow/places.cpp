#include "workflow/places.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "workflow/codes.h"

namespace bolza::workflow {
namespace {

std::filesystem::path program_folder() {
  std::error_code none;
  std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", none);
  return self.parent_path();
}

}  // namespace

std::string stdlib_folder() {
  if (const char* given = std::getenv("BOLZA_STDLIB"); given && *given) return given;
  std::filesystem::path here = program_folder();
  std::error_code none;
  for (const char* relative : {"../share/bolza/stdlib", "../../../stdlib"}) {
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

Result<void*> open_symbol(const std::string& name, const char* symbol, Diagnostics& diagnostics) {
  std::filesystem::path here = program_folder();
  std::string file = "lib" + name + ".so";
  std::error_code none;
  std::filesystem::path found;
  for (const char* relative : {"../lib/bolza", "../lib", "."})
    if (found.empty() && std::filesystem::exists(here / relative / file, none)) found = here / relative / file;
  if (found.empty()) return diagnostics.error(library_missing, {}, {file, "it is not beside the program"});
  void* library = dlopen(found.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return diagnostics.error(library_missing, {}, {found.string(), dlerror()});
  void* address = dlsym(library, symbol);
  if (!address) return diagnostics.error(library_missing, {}, {found.string(), dlerror()});
  return address;
}

}  // namespace bolza::workflow
