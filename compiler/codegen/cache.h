// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/file_cache.h"

namespace bolza::codegen {

/// Compiled objects on disk; see FileCache.
class Cache {
 public:
  using Size = FileCache::Size;

  /// "" switches the cache off.
  explicit Cache(std::string directory);

  /// $BOLZA_CACHE, else $XDG_CACHE_HOME/bolza, else ~/.cache/bolza; "" when none of the variables is set.
  static std::string default_directory();

  const std::string& directory() const { return files_.folder(); }
  std::optional<std::string> find(const std::string& key) const;
  void put(const std::string& key, std::string_view bytes) const { files_.put(key, bytes); }
  void remove(const std::string& key) const { files_.remove(key); }
  Size size() const { return files_.size(); }
  /// Deletes all objects. Returns what was deleted.
  Size clear() const { return files_.clear(); }

 private:
  FileCache files_;
};

}  // namespace bolza::codegen
