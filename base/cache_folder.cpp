// SPDX-License-Identifier: Apache-2.0
#include "base/cache_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

namespace bolza {
namespace {

std::string named_folder() {
  auto variable = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value ? value : "";
  };
  if (std::string d = variable("BOLZA_CACHE"); !d.empty()) return d;
  if (std::string d = variable("XDG_CACHE_HOME"); !d.empty()) return d + "/bolza";
  if (std::string d = variable("HOME"); !d.empty()) return d + "/.cache/bolza";
  return "";
}

/// Code is loaded from it: nobody else may have put it there.
bool may_be_written_by_others(const std::string& folder) {
  struct stat status{};
  if (::stat(folder.c_str(), &status) != 0) return false;  // it is made, for the user alone
  return (status.st_uid != ::geteuid() && status.st_uid != 0) || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

}  // namespace

std::string cache_folder() {
  std::string folder = named_folder();
  return may_be_written_by_others(folder) ? "" : folder;
}

}  // namespace bolza
