// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>
#include <sstream>

#include "compiler/instance/library/folders_internal.h"

namespace bolza::instance {

namespace fs = std::filesystem;

std::optional<std::string> read_file(const std::string& path) {
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe is not a file: nobody waits for its writer
  if (file < 0) return std::nullopt;
  std::optional<std::string> text;
  struct stat status{};
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
    text.emplace(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t done = 0;
    ssize_t n = 0;
    while ((n = ::read(file, text->data() + done, text->size() - done)) > 0) done += static_cast<std::size_t>(n);
    text->resize(done);
    if (n < 0) text.reset();
  }
  ::close(file);
  return text;
}

bool is_file(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

std::string folder_of(const std::string& path) {
  std::string parent = fs::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

std::string file_name(const std::string& path) { return fs::path(path).filename().string(); }

namespace {

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    names.push_back(it->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t')) line.pop_back();
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

/// "4.1.0" → {4, 1, 0}; what is not a number ends the list.
std::vector<int> version_numbers(std::string_view text) {
  std::vector<int> numbers;
  while (!text.empty()) {
    int number = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{}) break;
    numbers.push_back(number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty() || text.front() != '.') break;
    text.remove_prefix(1);
  }
  return numbers;
}

}  // namespace

PackageFolder list_package(const std::string& folder) {
  PackageFolder package{.path = folder};
  for (const std::string& name : names_in(folder)) {
    std::string path = folder + "/" + name;
    if (name.size() > 3 && name.ends_with(".mo") && name != "package.mo") {
      package.files.try_emplace(name.substr(0, name.size() - 3), path);
    } else if (name != "package.mo" && name != "package.order" && is_file(path + "/package.mo")) {
      package.files[name] = path + "/package.mo";
    }
  }
  std::set<std::string> listed;
  if (auto order = read_file(folder + "/package.order")) {
    for (std::string& name : lines_of(*order)) {
      if (listed.insert(name).second) package.order.push_back(std::move(name));
    }
  }
  for (const auto& [name, path] : package.files) {
    if (!listed.contains(name)) package.order.push_back(name);
  }
  return package;
}

bool folder_is_named(const std::string& folder, std::string_view name) {
  std::error_code ignored;
  fs::path absolute = fs::weakly_canonical(folder, ignored);
  std::string own = absolute.filename().string();
  return own == name || (own.size() > name.size() + 1 && own.starts_with(name) && own[name.size()] == ' ');
}

std::string find_on_path(const std::string& folder, std::string_view name) {
  std::string plain = folder + "/" + std::string(name);
  if (is_file(plain + "/package.mo")) return plain + "/package.mo";
  if (is_file(plain + ".mo")) return plain + ".mo";
  std::string best;
  std::vector<int> best_version;
  for (const std::string& entry : names_in(folder)) {
    if (entry.size() <= name.size() + 1 || !entry.starts_with(name) || entry[name.size()] != ' ') continue;
    std::string path = folder + "/" + entry;
    if (!entry.ends_with(".mo")) path += "/package.mo";
    std::vector<int> version = version_numbers(std::string_view(entry).substr(name.size() + 1));
    if (is_file(path) && (best.empty() || version > best_version)) {
      best = path;
      best_version = version;
    }
  }
  return best;
}

}  // namespace bolza::instance
