// SPDX-License-Identifier: Apache-2.0
#include "base/replacement.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/own_folder.h"

namespace bolza {
namespace {

namespace fs = std::filesystem;

class InFolder : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = fs::temp_directory_path() / "bolza-replacement-XXXXXX";
    folder = ::mkdtemp(name.data());
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string put(const std::string& name, const std::string& text = "mine") const {
    std::ofstream(folder / name) << text;
    return folder / name;
  }
  static std::string text_of(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }
  static void make_old(const std::string& file) {
    const timespec long_ago[2]{};
    ::utimensat(AT_FDCWD, file.c_str(), long_ago, 0);
  }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }

  fs::path folder;
};
using ReplacementTest = InFolder;
using OwnFolder = InFolder;

TEST_F(ReplacementTest, leaves_a_file_as_it_was_until_it_is_finished) {
  std::string file = put("r.csv", "old");
  {
    Replacement unfinished(file);
    EXPECT_TRUE(unfinished.write("new"));
    EXPECT_EQ(text_of(file), "old");
  }
  EXPECT_EQ(text_of(file), "old");
  EXPECT_EQ(replace_file(file, "new"), 0);
  EXPECT_EQ(text_of(file), "new");
  EXPECT_EQ(entries(), 1u) << "nothing else is left";
}

TEST_F(ReplacementTest, takes_the_place_of_a_link_and_not_of_what_it_leads_to) {
  std::string victim = put("victim");
  fs::create_symlink(victim, folder / "r.csv");
  EXPECT_EQ(replace_file(folder / "r.csv", "new"), 0);
  EXPECT_EQ(text_of(victim), "mine");
  EXPECT_FALSE(fs::is_symlink(folder / "r.csv"));
}

TEST_F(ReplacementTest, removes_old_files_whose_whole_name_is_its_own) {
  std::string ours = ".bolza-0123456789abcdef0123456789abcdef.part";
  const std::vector<std::string> others{"r.csv.part98765.backup.zip", "r.csv.part4000001", ours + ".zip", "a" + ours,
                                        ".bolza-0123456789abcdef.part"};
  for (const std::string& name : others) make_old(put(name));
  make_old(put(ours));
  std::string young = ".bolza-ffffffffffffffffffffffffffffffff.part", link = ".bolza-00000000000000000000000000000000.part";
  put(young);
  fs::create_symlink("victim", folder / link);
  EXPECT_EQ(replace_file(folder / "r.csv", "new"), 0);
  EXPECT_FALSE(fs::exists(folder / ours));
  EXPECT_TRUE(fs::exists(folder / young));
  EXPECT_TRUE(fs::is_symlink(folder / link));
  for (const std::string& name : others) EXPECT_TRUE(fs::exists(folder / name)) << name;
}

TEST_F(ReplacementTest, says_what_prevented_it) {
  EXPECT_EQ(replace_file(folder / "none" / "r.csv", "new"), ENOENT);
  fs::create_directory(folder / "d");
  EXPECT_EQ(replace_file(folder / "d", "new"), EISDIR);
  EXPECT_EQ(entries(), 1u) << "nothing else is left";
}

TEST_F(OwnFolder, is_that_of_others_where_they_may_write_or_rename) {
  fs::path inner = folder / "above" / "settings";
  fs::create_directories(inner);
  auto of_others = [&] { return folder_of_others(inner); };
  EXPECT_EQ(of_others(), "");
  ::chmod(inner.c_str(), 0770);
  EXPECT_EQ(of_others(), fs::canonical(inner)) << "the group writes";
  ::chmod(inner.c_str(), 0755), ::chmod((folder / "above").c_str(), 0777);
  EXPECT_EQ(of_others(), fs::canonical(folder / "above")) << "all may rename what is above";
  ::chmod((folder / "above").c_str(), 01777);
  EXPECT_EQ(of_others(), "") << "as in /tmp";
  EXPECT_EQ(folder_of_others(folder / "none"), "");
}

}  // namespace
}  // namespace bolza
