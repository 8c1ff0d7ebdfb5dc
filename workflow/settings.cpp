// SPDX-License-Identifier: Apache-2.0
#include "workflow/settings.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/own_folder.h"
#include "workflow/codes.h"

namespace bolza::workflow {
namespace {

std::string trimmed(const std::string& text) {
  std::size_t from = text.find_first_not_of(" \t\r"), to = text.find_last_not_of(" \t\r");
  return from == std::string::npos ? "" : text.substr(from, to - from + 1);
}

std::string unquoted(std::string text) {
  if (text.size() > 1 && text.front() == '"' && text.back() == '"') return text.substr(1, text.size() - 2);
  return text;
}

/// Why nobody should believe what the file says; "" when it is the user's own.
std::string doubt(const struct stat& status) {
  if (!S_ISREG(status.st_mode)) return "are not a regular file";
  if (status.st_uid != ::geteuid() && status.st_uid != 0) return "belong to another user";
  if (status.st_mode & (S_IWGRP | S_IWOTH)) return "may be written by others: `chmod go-w` mends that";
  return "";
}

}  // namespace

std::string settings_file() {
  auto folder = [](const char* name) {  // relative ones say nothing: whose they are depends on where one is
    const char* value = std::getenv(name);
    return value && *value == '/' ? std::string(value) : "";
  };
  if (std::string configuration = folder("XDG_CONFIG_HOME"); !configuration.empty())
    return configuration + "/bolza/settings";
  if (std::string home = folder("HOME"); !home.empty()) return home + "/.config/bolza/settings";
  return "";
}

Result<Done> add_trusted_folders(instance::Trust& trust, Diagnostics& d) {
  std::string file = settings_file();
  struct stat status{};
  if (file.empty() || ::stat(file.c_str(), &status) != 0) return Done{};
  std::string why = doubt(status);
  if (std::string folder = folder_of_others(std::filesystem::path(file).parent_path().string());
      why.empty() && !folder.empty())
    why = "lie in `" + folder + "`, which others may change: `chmod go-w` mends that";
  if (!why.empty()) return d.error(settings_refused, {}, {file, why});
  std::ifstream in(file);
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    line = trimmed(line);
    if (line.empty() || line.starts_with('#')) continue;
    std::size_t equals = line.find('=');
    std::string key = trimmed(line.substr(0, equals));
    std::string value = equals == std::string::npos ? "" : unquoted(trimmed(line.substr(equals + 1)));
    std::string at = "have a line " + std::to_string(number) + " that ";
    if (key != "trust") return d.error(settings_refused, {}, {file, at + "is not understood: write `trust = FOLDER`"});
    if (!value.starts_with('/')) return d.error(settings_refused, {}, {file, at + "names no folder from `/` on"});
    trust.folders.push_back(value);
  }
  return Done{};
}

}  // namespace bolza::workflow
