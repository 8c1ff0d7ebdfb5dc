// SPDX-License-Identifier: Apache-2.0
#include "base/replacement.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <mutex>
#include <set>
#include <utility>

namespace bolza {
namespace {

constexpr std::string_view prefix = ".bolza-", suffix = ".part", digits = "0123456789abcdef";
constexpr std::size_t random_bytes = 16;
constexpr std::time_t a_day = 86400;

std::string temporary_name() {
  unsigned char bytes[random_bytes];
  if (::getentropy(bytes, sizeof bytes) != 0) return "";
  std::string name(prefix);
  for (unsigned char byte : bytes) {
    name += digits[byte >> 4];
    name += digits[byte & 15];
  }
  return name.append(suffix);
}

bool is_temporary_name(std::string_view name) {
  if (name.size() != prefix.size() + 2 * random_bytes + suffix.size()) return false;
  if (!name.starts_with(prefix) || !name.ends_with(suffix)) return false;
  std::string_view middle = name.substr(prefix.size(), 2 * random_bytes);
  return middle.find_first_not_of(digits) == std::string_view::npos;
}

/// Looked for once in a process for a folder.
bool is_first_visit(const std::string& folder) {
  static std::mutex mutex;
  static std::set<std::string> visited;
  std::lock_guard lock(mutex);
  return visited.insert(folder).second;
}

/// Of processes that were killed before their files were in place.
void remove_leftovers(const std::string& folder) {
  if (!is_first_visit(folder)) return;
  std::error_code none;
  for (std::filesystem::directory_iterator at(folder, none), end; !none && at != end; at.increment(none)) {
    if (!is_temporary_name(at->path().filename().string())) continue;
    struct stat status{};
    if (::lstat(at->path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    if (status.st_uid == ::geteuid() && std::time(nullptr) - status.st_mtime > a_day) ::unlink(at->path().c_str());
  }
}

}  // namespace

Replacement::Replacement(std::string path) : path_(std::move(path)) {
  folder_ = std::filesystem::path(path_).parent_path().string();
  if (folder_.empty()) folder_ = ".";
  remove_leftovers(folder_);
  open();
}

void Replacement::open() {
  file_ = ::open(folder_.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (file_ >= 0) return;
  std::string name = temporary_name();
  if (name.empty()) return void(fail());
  file_ = ::open((folder_ + "/" + name).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file_ < 0) return void(fail());
  name_ = folder_ + "/" + name;
}

Replacement::~Replacement() {
  if (file_ >= 0) ::close(file_);
  if (!name_.empty()) ::unlink(name_.c_str());
}

bool Replacement::fail() {
  if (failure_ == 0) failure_ = errno != 0 ? errno : EIO;
  return false;
}

bool Replacement::write(std::string_view content) {
  while (failure_ == 0 && !content.empty()) {
    ssize_t n = ::write(file_, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return fail();
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  return failure_ == 0;
}

/// rename takes names: what has none gets one for that moment.
bool Replacement::give_name() {
  if (!name_.empty()) return true;
  std::string name = temporary_name(), by_number = "/proc/self/fd/" + std::to_string(file_);
  if (name.empty()) return fail();
  name = folder_ + "/" + name;
  if (::linkat(AT_FDCWD, by_number.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0) return fail();
  name_ = std::move(name);
  return true;
}

bool Replacement::finish() {
  if (failure_ != 0 || !give_name()) return false;
  int closed = ::close(std::exchange(file_, -1));
  if (closed != 0 || std::rename(name_.c_str(), path_.c_str()) != 0) return fail();
  name_.clear();
  return true;
}

int replace_file(const std::string& path, std::string_view content) {
  Replacement file(path);
  file.write(content);
  file.finish();
  return file.failure();
}

}  // namespace bolza
