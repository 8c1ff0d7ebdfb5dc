// SPDX-License-Identifier: Apache-2.0
#include "compiler/instance/library/trust.h"

#include <algorithm>
#include <filesystem>

#include "compiler/instance/library/folders_internal.h"

namespace bolza::instance {

bool is_inside(const std::string& file, const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code no_file, no_folder;
  fs::path inner = fs::weakly_canonical(file, no_file), outer = fs::canonical(folder.empty() ? "." : folder, no_folder);
  if (no_file || no_folder) return false;
  return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

namespace {

bool is_inside_any(const std::string& file, const auto& folders) {
  return std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) { return is_inside(file, folder); });
}

}  // namespace

TrustRules::TrustRules(Trust trust, std::vector<std::string> library_folders)
    : trust_(std::move(trust)),
      library_folders_(std::move(library_folders)) {
  std::erase(library_folders_, "");
}

bool TrustRules::trusts(const std::string& path) const {
  if (!trust_.runs || trust_.level == Trust::Level::nothing) return false;
  return trust_.level == Trust::Level::everything || is_inside_any(path, library_folders_) ||
         is_inside_any(path, trust_.folders);
}

bool TrustRules::runs_code_of(std::string_view source_path) const { return trusts(std::string(source_path)); }

bool TrustRules::runs_all() const {
  if (!trust_.runs || trust_.level == Trust::Level::nothing) return false;
  return std::all_of(named_files_.begin(), named_files_.end(), [&](const std::string& file) { return trusts(file); });
}

bool TrustRules::may_read(const std::string& file, Contents contents) const {
  if (is_inside_any(file, package_folders_) || runs_all()) return true;
  if (contents == Contents::any) return false;
  if (is_inside_any(file, library_folders_)) return true;
  return std::any_of(named_files_.begin(), named_files_.end(),
                     [&](const std::string& named) { return is_inside(file, folder_of(named)); });
}

}  // namespace bolza::instance
