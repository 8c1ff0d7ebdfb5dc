// SPDX-License-Identifier: Apache-2.0
// Every kind of message of the whole program: in the table, unique, and provoked by a test.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "workflow/all_codes.h"
#include "workflow/codes.h"

namespace bolza::workflow {
namespace {

namespace fs = std::filesystem;

const fs::path root = BOLZA_SOURCE_DIR;

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// Files below a folder whose names end so, this one left out.
std::vector<fs::path> files_below(const fs::path& folder, const std::string& ending) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().string().ends_with(ending) && entry.path().filename() != "codes_test.cpp")
      files.push_back(entry.path());
  return files;
}

void collect(const std::string& text, const std::regex& pattern, std::set<std::string>& codes) {
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) codes.insert((*match)[1]);
}

/// Codes that stand in what golden files expect, that command-line tests or hostile cases want to read, or that unit tests
/// name.
std::set<std::string> provoked() {
  std::set<std::string> codes;
  for (const fs::path& path : files_below(root / "tests/golden", "")) {
    if (!fs::is_regular_file(path)) continue;
    collect(text_of(path), std::regex(R"(\[([EW]\d{3})\])"), codes);
  }
  for (const fs::path& path : files_below(root / "tests/unit", ".cpp"))  // the tests of `base` make codes of their own
    if (path.parent_path().filename() != "base") collect(text_of(path), std::regex(R"(\b([EW]\d{3})\b)"), codes);
  for (const fs::path& path : files_below(root / "tests/hostile", ".toml"))
    collect(text_of(path), std::regex(R"x(\ncode = "([EW]\d{3})")x"), codes);
  for (const fs::path& path : files_below(root / "tests/cli", ".test")) {
    std::istringstream lines(text_of(path));
    bool explains = false;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("$")) explains = line.find(" explain") != std::string::npos;
      else if (!explains && (line.starts_with("! ") || line.starts_with("> ")))
        collect(line, std::regex(R"(\b([EW]\d{3})\b)"), codes);
    }
  }
  return codes;
}

std::set<std::string> known() {
  std::set<std::string> ids;
  for (const Code* code : all_codes()) ids.insert(std::string(code->id));
  return ids;
}

TEST(Codes, are_different_in_all_rooms) {
  std::set<std::string_view> seen;
  for (const Code* code : all_codes()) EXPECT_TRUE(seen.insert(code->id).second) << code->id << " " << code->message;
}

TEST(Codes, of_every_header_are_in_the_table_that_explain_prints) {
  std::set<std::string> ids = known(), declared;
  for (const char* folder : {"base", "compiler", "runtime", "workflow", "cli"})
    for (const fs::path& path : files_below(root / folder, "codes.h"))
      collect(text_of(path), std::regex(R"re(Code\s+\w+\s*\{\s*"([EW]\d{3})")re"), declared);
  EXPECT_GT(declared.size(), 150u);
  for (const std::string& id : declared) EXPECT_TRUE(ids.contains(id)) << id;
}

TEST(Codes, are_all_provoked_by_a_test) {
  std::set<std::string> tested = provoked();
  tested.insert(std::string(workflow::conditions_unread.id));  // of a class that the program writes: none is known
  for (const Code* code : all_codes())
    EXPECT_TRUE(tested.contains(std::string(code->id))) << code->id << " " << code->message;
}

TEST(Codes, in_tests_are_codes_of_the_program) {
  std::set<std::string> ids = known();
  for (const std::string& id : provoked()) EXPECT_TRUE(ids.contains(id)) << id;
}

TEST(Codes, are_worded_alike) {
  for (const Code* code : all_codes()) {
    EXPECT_FALSE(code->message.ends_with(".")) << code->id;
    EXPECT_FALSE(code->message[0] >= 'A' && code->message[0] <= 'Z' && code->message[1] >= 'a' && code->message[1] <= 'z')
        << code->id;
    EXPECT_GT(code->explanation.size(), 20u) << code->id;
  }
}

}  // namespace
}  // namespace bolza::workflow
