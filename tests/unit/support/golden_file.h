// SPDX-License-Identifier: Apache-2.0
// A golden file: a model, and below it what is expected, as `//|` lines. A line `// class: NAME` names the class.
#pragma once
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace bolza::testing {

struct GoldenFile {
  std::filesystem::path path;
  std::string source, expected, class_name;
};

inline GoldenFile read_golden(const std::filesystem::path& path) {
  GoldenFile golden{path, {}, {}, {}};
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("//|")) golden.expected += (line.size() > 4 ? line.substr(4) : "") + "\n";
    else golden.source += line + "\n";
    if (line.starts_with("// class: ")) golden.class_name = line.substr(10);
  }
  return golden;
}

/// Puts what was seen in the place of what was expected.
inline void rewrite(const GoldenFile& golden, const std::string& actual) {
  std::ofstream out(golden.path);
  out << golden.source;
  std::istringstream lines(actual);
  for (std::string line; std::getline(lines, line);) out << (line.empty() ? "//|" : "//| " + line) << "\n";
}

/// All files of a folder, by name.
inline std::vector<GoldenFile> golden_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<GoldenFile> all;
  for (const std::filesystem::path& path : paths) all.push_back(read_golden(path));
  return all;
}

}  // namespace bolza::testing
