// SPDX-License-Identifier: Apache-2.0
#include "runtime/result/file.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "base/codes.h"
#include "base/printable.h"
#include "runtime/result/codes.h"

namespace bolza::result {
namespace {

bool write_all(int file, std::string_view content) {
  while (!content.empty()) {
    ssize_t n = ::write(file, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

/// A device or a pipe is written into; a file is replaced.
bool is_special(const std::string& path) {
  std::error_code none;
  std::filesystem::file_status status = std::filesystem::status(path, none);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

/// Temporary files of processes that ended before they were renamed.
void remove_leftovers(const std::string& path) {
  std::error_code none;
  std::filesystem::path whole(path), folder = whole.has_parent_path() ? whole.parent_path() : ".";
  std::string stem = whole.filename().string() + ".part";
  for (std::filesystem::directory_iterator at(folder, none), end; !none && at != end; at.increment(none)) {
    std::string name = at->path().filename().string();
    if (!name.starts_with(stem)) continue;
    int owner = std::atoi(name.c_str() + stem.size());
    if (owner > 0 && ::kill(owner, 0) != 0 && errno == ESRCH) ::unlink(at->path().c_str());
  }
}

}  // namespace

Result<Done> write_file(const std::string& path, std::string_view content, Diagnostics& diagnostics) {
  bool special = is_special(path);
  if (!special) remove_leftovers(path);
  std::string temporary = special ? path : path + ".part" + std::to_string(::getpid());
  int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return diagnostics.error(cannot_write, {}, {path, std::strerror(errno)});
  bool good = write_all(file, content);
  int reason = errno;
  good = ::close(file) == 0 && good;
  if (special && good) return Done{};
  if (good && std::rename(temporary.c_str(), path.c_str()) == 0) return Done{};
  if (good) reason = errno;
  if (!special) ::unlink(temporary.c_str());
  return diagnostics.error(cannot_write, {}, {path, std::strerror(reason)});
}

Result<std::string> read_file(const std::string& path, Diagnostics& diagnostics) {
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure)) return diagnostics.error(cannot_read, {}, {path, "it is a folder"});
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) return diagnostics.error(cannot_read, {}, {path, std::strerror(errno)});
  std::string content;
  char buffer[1 << 16];
  while (std::size_t n = std::fread(buffer, 1, sizeof buffer, file.get())) content.append(buffer, n);
  if (std::ferror(file.get())) return diagnostics.error(cannot_read, {}, {path, "the disk reports an error"});
  return content;
}

Result<Done> write_result(const ResultTable& table, const std::string& path, Diagnostics& diagnostics) {
  if (path.ends_with(".mat")) return write_file(path, mat_text(table), diagnostics);
  if (path.ends_with(".csv")) return write_file(path, csv_text(table), diagnostics);
  return diagnostics.error(unknown_ending, {}, {path});
}

Result<ResultTable> read_result(const std::string& path, Sources& sources, Diagnostics& diagnostics) {
  Result<std::string> content = read_file(path, diagnostics);
  if (!content) return diagnostics.already_reported();
  bool wide = content->starts_with("\xff\xfe") || content->starts_with("\xfe\xff");
  if (wide) return diagnostics.error(table_unreadable, {}, {path, "it is in UTF-16; save it in UTF-8"});
  if (content->find('\0') == std::string::npos)
    return parse_csv(sources, sources.add(path, *std::move(content)), diagnostics);
  std::string problem;
  std::optional<ResultTable> table = parse_mat(*content, problem);
  if (!table) return diagnostics.error(cannot_read, {}, {path, problem});
  for (ResultVariable& v : table->variables)
    for (std::string* text : {&v.name, &v.unit, &v.description}) *text = printable(*text);
  for (auto& [key, value] : table->metadata) value = printable(value);
  return std::move(*table);
}

}  // namespace bolza::result
