// SPDX-License-Identifier: Apache-2.0
#include "base/cache_folder.h"

#include <cstdlib>

#include "base/own_folder.h"

namespace bolza {
namespace {

std::string named_folder() {
  auto variable = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value ? value : "";
  };
  if (std::string d = variable("BOLZA_CACHE"); !d.empty()) return d;
  if (std::string d = variable("XDG_CACHE_HOME"); d.starts_with('/')) return d + "/bolza";
  if (std::string d = variable("HOME"); d.starts_with('/')) return d + "/.cache/bolza";
  return "";
}

}  // namespace

std::string cache_folder() {
  std::string folder = named_folder();
  return folder_of_others(folder).empty() ? folder : "";  // code is loaded from it: nobody else may have put it there
}

}  // namespace bolza
