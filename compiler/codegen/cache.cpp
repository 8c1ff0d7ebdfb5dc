// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/cache.h"

#include "base/cache_folder.h"

namespace bolza::codegen {

Cache::Cache(std::string directory) : files_(std::move(directory), {".bolza", "bolza object 2\n"}) {}

std::string Cache::default_directory() { return cache_folder(); }

std::optional<std::string> Cache::find(const std::string& key) const {
  FileBuffer buffer;
  std::optional<std::string_view> bytes = files_.find(key, buffer);
  if (!bytes) return {};
  return std::string(*bytes);
}

}  // namespace bolza::codegen
