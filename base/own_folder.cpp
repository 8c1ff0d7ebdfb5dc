// SPDX-License-Identifier: Apache-2.0
#include "base/own_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace bolza {

std::string folder_of_others(const std::string& folder) {
  std::error_code none;
  std::filesystem::path at = std::filesystem::canonical(folder, none);
  struct stat status{};
  if (none || ::stat(at.c_str(), &status) != 0) return "";
  bool is_own = status.st_uid == ::geteuid() || status.st_uid == 0;
  if (!is_own || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0) return at.string();
  while (at.has_relative_path()) {
    at = at.parent_path();
    bool known = ::stat(at.c_str(), &status) == 0;
    if (!known || ((status.st_mode & S_IWOTH) != 0 && (status.st_mode & S_ISVTX) == 0)) return at.string();
  }
  return "";
}

}  // namespace bolza
