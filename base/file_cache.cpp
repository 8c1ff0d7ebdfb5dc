// SPDX-License-Identifier: Apache-2.0
#include "base/file_cache.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <thread>

#include "base/content_hash.h"

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

/// "key.1234.5678.tmp", or "c.1234.so" of a C text: the process that began to write it; 0 for other names.
int writer_of(const fs::path& path) {
  bool is_text = path.stem().stem() == "c";
  if (path.extension() != ".tmp" && !is_text) return 0;
  std::string owner = (is_text ? path.stem() : path.stem().stem()).extension().string();
  return owner.size() > 1 ? std::atoi(owner.c_str() + 1) : 0;
}

/// Temporary files of processes that ended in the middle. Looked for once in a process, when it writes anyway.
void remove_leftovers(const std::string& folder) {
  static std::atomic_flag done;
  if (done.test_and_set()) return;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    int writer = writer_of(at->path());
    if (writer > 0 && ::kill(writer, 0) != 0 && errno == ESRCH) ::unlink(at->path().c_str());
  }
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
  remove_leftovers(folder_);
  std::size_t thread = std::hash<std::thread::id>{}(std::this_thread::get_id());
  fs::path temporary = fs::path(folder_) / (key + "." + std::to_string(::getpid()) + "." + std::to_string(thread) + ".tmp");
  std::string head(kind_.magic);
  append(head, bytes.size());
  append(head, checksum(bytes));
  {
    std::ofstream out(temporary, std::ios::binary);
    out << head << bytes;
    out.flush();
    if (!out) {
      fs::remove(temporary, error);
      return;
    }
  }
  fs::rename(temporary, file_of(key), error);
  if (error) fs::remove(temporary, error);
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
