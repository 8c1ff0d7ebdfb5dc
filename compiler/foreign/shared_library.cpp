// SPDX-License-Identifier: Apache-2.0
#include "compiler/foreign/shared_library.h"

#include <dlfcn.h>

#include <filesystem>

namespace bolza::foreign {
namespace {

namespace fs = std::filesystem;

/// Files that a library's name may mean, without the directory.
std::vector<std::string> file_names(const std::string& library) {
  if (library.find(".so") != std::string::npos) return {library};
  return {"lib" + library + ".so", library + ".so", "lib" + library + ".so.3", "lib" + library + ".so.6"};
}

/// Looks in one file; true when the symbol was there.
bool look(const std::string& file, const std::string& name, FoundSymbol& found) {
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    found.refused.push_back(reason ? reason : file + ": cannot be opened");
    return false;
  }
  found.address = dlsym(library, name.c_str());
  if (found.address != nullptr) found.file = file;
  else found.refused.push_back(file + ": has no symbol " + name);
  return found.address != nullptr;
}

/// What the text of the model defines, linked with those of the named libraries that are in the directories.
void look_in_text(const SearchPlaces& places, const std::string& name, FoundSymbol& found) {
  CText source = places.text;
  for (const std::string& library : places.libraries)
    for (const std::string& directory : places.directories)
      for (const char* below : {"linux64", "linux32", ""})
        for (const std::string& file : file_names(library)) {
          std::string path = (fs::path(directory) / below / file).generic_string();
          std::error_code ignored;
          if (fs::exists(path, ignored)) source.libraries.push_back(fs::absolute(path, ignored).generic_string());
        }
  CompiledText compiled = compile_text(source);
  found.not_compiled = compiled.reason;
  if (compiled.file.empty() || look(compiled.file, name, found)) return;
  found.not_compiled = "it does not define `" + name + "`, or as `static`";
  found.refused.pop_back();
}

}  // namespace

namespace {

FoundSymbol look_everywhere(const std::string& name, const SearchPlaces& places) {
  FoundSymbol found;
  for (const std::string& library : places.libraries) {
    for (const std::string& directory : places.directories)
      for (const char* below : {"linux64", "linux32", ""})
        for (const std::string& file : file_names(library)) {
          std::string path = (fs::path(directory) / below / file).generic_string();
          std::error_code ignored;
          if (!fs::exists(path, ignored)) {
            if (file.starts_with("lib") && file.ends_with(".so")) found.tried.push_back(path);
          } else if (look(path, name, found)) {
            return found;
          }
        }
    for (const std::string& file : file_names(library)) {  // where the system has its libraries
      void* opened = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (opened == nullptr) continue;
      if (look(file, name, found)) return found;
    }
  }
  if (!places.text.text.empty()) look_in_text(places, name, found);
  if (found.address == nullptr)
    found.address = dlsym(RTLD_DEFAULT, name.c_str());  // C's own functions, and those of ModelicaUtilities
  return found;
}

}  // namespace

FoundSymbol find_symbol(const std::string& name, const SearchPlaces& places) {
  void* own = dlsym(RTLD_DEFAULT, name.c_str());
  FoundSymbol found = look_everywhere(name, places);
  found.of_process = found.address != nullptr && found.address == own;
  return found;
}

}  // namespace bolza::foreign
