// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/unit/syntax/parsing.h"

namespace bolza::syntax {
namespace {

namespace fs = std::filesystem;

std::string text_of_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<fs::path> library_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(BOLZA_SOURCE_DIR) / "stdlib"))
    if (entry.path().extension() == ".mo") files.push_back(entry.path());
  return files;
}

TEST(Stdlib, parses_without_a_message) {
  ASSERT_GT(library_files().size(), 10u);
  for (const fs::path& path : library_files()) {
    Parsed p(text_of_file(path));
    EXPECT_EQ(p.codes(), "") << path << ": " << p.message();
  }
}
TEST(Stdlib, keeps_each_class_where_its_folder_says) {
  for (const fs::path& path : library_files()) {
    Parsed p(text_of_file(path));
    ASSERT_TRUE(p.file && p.file->has_within) << path;
    fs::path inside = fs::relative(path, fs::path(BOLZA_SOURCE_DIR) / "stdlib");
    bool package = inside.filename() == "package.mo";
    fs::path folder = package ? inside.parent_path().parent_path() : inside.parent_path();
    std::string within = p.file->within ? print(*p.file->within) : "";
    std::replace(within.begin(), within.end(), '.', '/');
    EXPECT_EQ(within, folder.generic_string());
    EXPECT_EQ(p.first().name, package ? inside.parent_path().filename().string() : inside.stem().string());
  }
}
TEST(Stdlib, lists_every_member_of_a_folder_in_package_order) {
  for (const fs::path& path : library_files()) {
    if (path.filename() != "package.mo") continue;
    std::vector<std::string> members, listed;
    for (const auto& entry : fs::directory_iterator(path.parent_path()))
      if (fs::exists(entry.path() / "package.mo") ||
          (entry.path().extension() == ".mo" && entry.path().filename() != "package.mo"))
        members.push_back(entry.path().stem().string());
    Parsed p(text_of_file(path));
    for (const ast::Element* e : p.first().elements)
      if (e->class_ != nullptr) members.emplace_back(e->class_->name);
    std::ifstream order(path.parent_path() / "package.order");
    for (std::string line; std::getline(order, line);) listed.push_back(line);
    if (listed.empty() && members.empty()) continue;
    std::sort(members.begin(), members.end());
    std::sort(listed.begin(), listed.end());
    EXPECT_EQ(listed, members) << path;
  }
}

}  // namespace
}  // namespace bolza::syntax
