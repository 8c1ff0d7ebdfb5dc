#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bolza::codegen {

/// Compiled objects on disk, one file per key. Writers use a temporary name and rename, so readers in other processes see a
/// whole entry or none; a damaged entry is deleted when it is met. A directory that cannot be written makes the cache
/// forget, never fail.
class Cache {
 public:
  /// "" switches the cache off.
  explicit Cache(std::string directory) : directory_(std::move(directory)) {}

  /// $BOLZA_CACHE, else $XDG_CACHE_HOME/bolza, else ~/.cache/bolza; "" when none of the variables is set.
  static std::string default_directory();

  const std::string& directory() const { return directory_; }
  std::optional<std::string> find(const std::string& key) const;
  void put(const std::string& key, std::string_view bytes) const;
  void remove(const std::string& key) const;

  struct Size {
    std::uint64_t entries = 0, bytes = 0;
  };
  Size size() const;
  /// Deletes all entries, and nothing else that may be in the directory. Returns what was deleted.
  Size clear() const;

 private:
  std::string directory_;
};

}  // namespace bolza::codegen
