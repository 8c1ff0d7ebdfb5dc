// SPDX-License-Identifier: Apache-2.0
#include "runtime/result/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "base/codes.h"
#include "base/printable.h"
#include "base/replacement.h"
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

/// What hands a text to a sink, part by part.
using Text = std::function<bool(const Sink&)>;

/// @returns 0, or the errno of what failed
int write_into(const std::string& path, const Text& text) {
  int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  struct stat status{};
  if (file < 0 || ::fstat(file, &status) != 0) return errno;
  bool is_file = S_ISREG(status.st_mode);  // it was none when it was looked at
  bool good = !is_file && text([&](std::string_view part) { return write_all(file, part); });
  int reason = is_file ? EEXIST : errno;
  good = ::close(file) == 0 && good;
  return good ? 0 : reason;
}

/// @returns 0, or the errno of what failed
int replace(const std::string& path, const Text& text) {
  Replacement file(path);
  text([&](std::string_view part) { return file.write(part); });
  file.finish();
  return file.failure();
}

Result<Done> write_text(const std::string& path, const Text& text, Diagnostics& diagnostics) {
  int failure = is_special(path) ? write_into(path, text) : replace(path, text);
  if (failure == 0) return Done{};
  return diagnostics.error(cannot_write, {}, {path, std::strerror(failure)});
}

}  // namespace

Result<Done> write_file(const std::string& path, std::string_view content, Diagnostics& diagnostics) {
  return write_text(path, [&](const Sink& sink) { return sink(content); }, diagnostics);
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
  if (path.ends_with(".csv")) return write_text(path, [&](const Sink& sink) { return write_csv(table, sink); }, diagnostics);
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
