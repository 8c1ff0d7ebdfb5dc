// SPDX-License-Identifier: Apache-2.0
#include "compiler/syntax/parsed_files.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/unit/syntax/parsing.h"
#include "tests/unit/syntax/same_tree.h"

namespace bolza::syntax {
namespace {

namespace fs = std::filesystem;

const std::string text = "model M \"a\" + \"b\" Real x(start = 1) = 2*time; equation der(x) = -x; end M;";

class ParsedFilesOnDisk : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("bolza_parsed_test_" + std::to_string(getpid()));
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// Parses a text in a run of its own; whether the cache had it. Expects the tree that the parser makes.
  bool found(const std::string& given = text) {
    ParsedFiles files(folder_.string());
    Sources sources;
    Diagnostics diagnostics;
    for (int i = 0; i < 3; ++i) sources.add("before.mo", "");
    auto file = files.parse(sources.add("a.mo", given), sources, diagnostics);
    Parsed fresh(given);
    EXPECT_EQ(bool(file), fresh.file != nullptr);
    if (file) {
      EXPECT_EQ(SameTree(*fresh.file, **file).difference(), "");
    }
    EXPECT_EQ(diagnostics.all().size(), fresh.diagnostics.all().size());
    return files.n_found() == 1;
  }
  std::size_t entries() const { return parsed_file_cache(folder_.string()).size().entries; }
  fs::path entry() const { return fs::directory_iterator(folder_)->path(); }

  fs::path folder_;
};

TEST_F(ParsedFilesOnDisk, are_taken_by_the_next_run) {
  EXPECT_FALSE(found());
  EXPECT_TRUE(found());
  EXPECT_EQ(entries(), 1u);
}
TEST_F(ParsedFilesOnDisk, are_those_of_the_very_text) {
  found();
  EXPECT_FALSE(found(text + " "));
  EXPECT_TRUE(found(text + " "));
  EXPECT_TRUE(found());
  EXPECT_EQ(entries(), 2u);
}
TEST_F(ParsedFilesOnDisk, are_not_kept_when_there_is_anything_to_tell) {
  for (const std::string& told :
       {std::string("model M Real x = 9223372036854775808; end M;"), std::string("model M Real end M;")}) {
    EXPECT_FALSE(found(told));
    EXPECT_FALSE(found(told));
  }
  EXPECT_EQ(entries(), 0u);
}
TEST_F(ParsedFilesOnDisk, are_made_again_when_any_bit_of_them_is_wrong) {
  found();
  std::string good;
  {
    std::ifstream in(entry(), std::ios::binary);
    good.assign(std::istreambuf_iterator<char>(in), {});
  }
  fs::path path = entry();
  for (std::size_t at = 0; at < good.size(); at += 1 + good.size() / 200) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ (1 << at % 8));
    std::ofstream(path, std::ios::binary) << bad;
    EXPECT_FALSE(found()) << at;
    EXPECT_TRUE(found()) << at;
  }
}
TEST_F(ParsedFilesOnDisk, are_made_again_when_they_were_cut_short) {
  found();
  for (std::uintmax_t size = fs::file_size(entry()); size-- > 0; size -= std::min<std::uintmax_t>(size, 97)) {
    fs::resize_file(entry(), size);
    EXPECT_FALSE(found()) << size;
    EXPECT_TRUE(found()) << size;
  }
}
TEST_F(ParsedFilesOnDisk, of_another_text_or_parser_under_a_key_are_not_believed) {
  found();
  std::string key = entry().stem().string();
  FileCache cache = parsed_file_cache(folder_.string());
  FileBuffer buffer;
  std::string bytes(cache.find(key, buffer).value());
  for (std::size_t at : {0u, 16u, 32u}) {  // digest of the parser, of the text, its length
    std::string other = bytes;
    ++other[at];
    cache.put(key, other);
    EXPECT_FALSE(found());
    EXPECT_TRUE(found());
  }
  cache.put(key, bytes.substr(0, 40));
  EXPECT_FALSE(found());
  cache.put(key, "");
  EXPECT_FALSE(found());
}
TEST_F(ParsedFilesOnDisk, may_be_written_by_threads_and_processes_at_once) {
  auto work = [&] {
    for (int i = 0; i < 40; ++i) {
      ParsedFiles files(folder_.string());
      Sources sources;
      Diagnostics diagnostics;
      auto file =
          files.parse(sources.add("a.mo", text + std::string(static_cast<std::size_t>(i % 4), ' ')), sources, diagnostics);
      if (!file || (*file)->classes[0]->name != "M") return false;
      if (i % 7 == 0) parsed_file_cache(folder_.string()).clear();
    }
    return true;
  };
  std::vector<pid_t> children;
  for (int i = 0; i < 2; ++i) {
    children.push_back(fork());
    if (children.back() == 0) _exit(work() ? 0 : 1);
  }
  bool good[2] = {};
  {
    std::thread one([&] { good[0] = work(); }), other([&] { good[1] = work(); });
    one.join(), other.join();
  }
  EXPECT_TRUE(good[0] && good[1]);
  for (pid_t child : children) {
    int status = 1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  for (const auto& left : fs::directory_iterator(folder_)) EXPECT_EQ(left.path().extension(), ".parsed");
}
TEST_F(ParsedFilesOnDisk, are_counted_and_cleared_and_nothing_else_is) {
  found(), found(text + " ");
  std::ofstream(folder_ / "kernel.bolza") << "mine";
  EXPECT_EQ(parsed_file_cache(folder_.string()).clear().entries, 2u);
  EXPECT_EQ(entries(), 0u);
  EXPECT_TRUE(fs::exists(folder_ / "kernel.bolza"));
}
TEST(ParsedFilesFolder, that_is_none_or_cannot_be_written_is_no_failure) {
  for (const char* folder : {"", "/proc/bolza"}) {
    Sources sources;
    Diagnostics diagnostics;
    ParsedFiles files(folder);
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(files.parse(sources.add("a.mo", text), sources, diagnostics));
    EXPECT_EQ(files.n_found(), 0u);
  }
}

}  // namespace
}  // namespace bolza::syntax
