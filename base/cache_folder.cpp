#include "base/cache_folder.h"

#include <cstdlib>

namespace bolza {

std::string cache_folder() {
  auto variable = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value ? value : "";
  };
  if (std::string d = variable("BOLZA_CACHE"); !d.empty()) return d;
  if (std::string d = variable("XDG_CACHE_HOME"); !d.empty()) return d + "/bolza";
  if (std::string d = variable("HOME"); !d.empty()) return d + "/.cache/bolza";
  return "";
}

}  // namespace bolza
