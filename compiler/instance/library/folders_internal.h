// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The file system side of the library: where the text of a package or class is.
namespace bolza::instance {

/// A folder with `package.mo`: the names of its members and where they are.
struct PackageFolder {
  std::string path;
  std::vector<std::string> order;                         ///< package.order, then the rest alphabetically
  std::map<std::string, std::string, std::less<>> files;  ///< member → file that holds it (`X.mo` or `X/package.mo`)
};

/// Empty when the file cannot be read.
std::optional<std::string> read_file(const std::string& path);
bool is_file(const std::string& path);
bool is_folder(const std::string& path);
/// The folder part of a path, "." when there is none.
std::string folder_of(const std::string& path);
/// The part after the last separator.
std::string file_name(const std::string& path);

/// What a folder that holds `package.mo` offers. Reads the list of the folder, parses nothing.
PackageFolder list_package(const std::string& folder);
/// The file that defines the top-level class `name` in one folder of the path: `name/package.mo`, `name.mo`, else the
/// highest version of `name 1.2.3/package.mo` or `name 1.2.3.mo`; empty when there is none.
std::string find_on_path(const std::string& folder, std::string_view name);
/// Whether `folder` is called `name` or `name <version>`.
bool folder_is_named(const std::string& folder, std::string_view name);

}  // namespace bolza::instance
