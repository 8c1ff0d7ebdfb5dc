// SPDX-License-Identifier: Apache-2.0
#include "base/file_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/content_hash.h"
#include "base/replacement.h"

namespace bolza {
namespace {

namespace fs = std::filesystem;

/// After the magic: length and checksum of what was put.
constexpr std::size_t numbers_size = 16;

void append(std::string& text, std::uint64_t word) {
  char raw[8];
  std::memcpy(raw, &word, 8);
  text.append(raw, 8);
}

std::uint64_t word_at(std::string_view text, std::size_t at) {
  std::uint64_t word;
  std::memcpy(&word, text.data() + at, 8);
  return word;
}

std::uint64_t checksum(std::string_view bytes) { return content_hash(bytes).words[0]; }

/// All bytes of an open file; absent when it cannot be read, or becomes shorter meanwhile.
std::optional<std::string_view> read_all(int file, FileBuffer& buffer) {
  struct stat status{};
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size < 0) return {};
  auto size = static_cast<std::size_t>(status.st_size);
  if (buffer.capacity < size) buffer = {std::make_unique_for_overwrite<char[]>(size), size};
  for (std::size_t done = 0; done < size;) {
    ssize_t n = ::read(file, buffer.bytes.get() + done, size - done);
    if (n <= 0) return {};
    done += static_cast<std::size_t>(n);
  }
  return std::string_view(buffer.bytes.get(), size);
}

template <class Visit>
void for_each_entry(const std::string& folder, std::string_view extension, Visit visit) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == extension && at->is_regular_file(error)) visit(*at);
}

}  // namespace

std::string FileCache::file_of(const std::string& key) const { return folder_ + "/" + key + std::string(kind_.extension); }

std::optional<std::string_view> FileCache::find(const std::string& key, FileBuffer& buffer) const {
  if (folder_.empty()) return {};
  int file = ::open(file_of(key).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  std::optional<std::string_view> all = read_all(file, buffer);
  ::close(file);
  std::size_t head = kind_.magic.size() + numbers_size;
  if (all && all->size() >= head && all->starts_with(kind_.magic)) {
    std::string_view bytes = all->substr(head);
    if (word_at(*all, kind_.magic.size()) == bytes.size() && word_at(*all, kind_.magic.size() + 8) == checksum(bytes))
      return bytes;
  }
  remove(key);
  return {};
}

void FileCache::put(const std::string& key, std::string_view bytes) const {
  if (folder_.empty()) return;
  std::error_code error;
  if (fs::create_directories(folder_, error)) fs::permissions(folder_, fs::perms::owner_all, error);
  std::string head(kind_.magic);
  append(head, bytes.size());
  append(head, checksum(bytes));
  Replacement file(file_of(key));  // a cache that cannot be written is none
  file.write(head);
  file.write(bytes);
  file.finish();
}

void FileCache::remove(const std::string& key) const {
  std::error_code error;
  fs::remove(file_of(key), error);
}

FileCache::Size FileCache::size() const {
  Size sum;
  for_each_entry(folder_, kind_.extension, [&](const fs::directory_entry& entry) {
    std::error_code error;
    ++sum.entries;
    sum.bytes += entry.file_size(error);
  });
  return sum;
}

FileCache::Size FileCache::clear() const {
  Size sum;
  for_each_entry(folder_, kind_.extension, [&](const fs::directory_entry& entry) {
    std::error_code error;
    std::uint64_t bytes = entry.file_size(error);
    if (!fs::remove(entry.path(), error)) return;
    ++sum.entries;
    sum.bytes += bytes;
  });
  return sum;
}

}  // namespace bolza
