// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace bolza {

/// What one kind of entries is called and begins with. Kinds share a folder and see only their own entries.
struct FileKind {
  std::string_view extension;  ///< ".bolza"
  std::string_view magic;      ///< with the version of the format
};

/// Memory that one entry after another is read into.
struct FileBuffer {
  std::unique_ptr<char[]> bytes;
  std::size_t capacity = 0;
};

/// Entries of one kind on disk, one file per key. Writers use a temporary name and rename, so readers in other processes see
/// a whole entry or none; a damaged entry is deleted when it is met. A folder that cannot be written makes the cache
/// forget, never fail.
class FileCache {
 public:
  /// @param folder  "" switches the cache off
  FileCache(std::string folder, FileKind kind) : folder_(std::move(folder)), kind_(kind) {}

  const std::string& folder() const { return folder_; }
  /// What was put; absent when there is no such entry or it is damaged. Valid until the buffer is used again.
  std::optional<std::string_view> find(const std::string& key, FileBuffer& buffer) const;
  void put(const std::string& key, std::string_view bytes) const;
  void remove(const std::string& key) const;

  struct Size {
    std::uint64_t entries = 0, bytes = 0;
  };
  Size size() const;
  /// Deletes all entries, and nothing else that may be in the folder. Returns what was deleted.
  Size clear() const;

 private:
  std::string file_of(const std::string& key) const;

  std::string folder_;
  FileKind kind_;
};

}  // namespace bolza
