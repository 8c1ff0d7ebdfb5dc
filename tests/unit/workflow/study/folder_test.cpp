// SPDX-License-Identifier: Apache-2.0
// Records and folders of studies: what is damaged, foreign or cut off is not taken for a result.
#include "workflow/study/folder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

namespace bolza::workflow {
namespace {

PointRecord record_with(std::size_t point, PointRecord::Kind kind = PointRecord::Kind::solved) {
  PointRecord record;
  record.point = point;
  record.kind = kind;
  record.values = {"0.1", "\"a, b\""};
  record.status = "solved";
  record.message = "line\nbreak, \"quotes\" and \xff";
  record.results = {{"objective", 0.1 + 0.2}, {"final.x", std::numeric_limits<double>::quiet_NaN()}, {"k", 5e-324}};
  record.seconds = 0.25;
  return record;
}

std::string without_end(std::string line) {
  line.pop_back();
  return line;
}

TEST(Record, comes_back_to_the_last_bit) {
  ContentHash study{{1, 2}};
  auto back = read_record(without_end(line_of(record_with(17), study)), study);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->point, 17u);
  EXPECT_EQ(back->values, record_with(0).values);
  EXPECT_EQ(back->results[0].second, 0.1 + 0.2);
  EXPECT_TRUE(std::isnan(back->results[1].second));
  EXPECT_EQ(back->results[2].second, 5e-324);
}

TEST(Record, is_none_when_a_bit_differs_or_it_is_of_another_study) {
  ContentHash study{{1, 2}}, other{{1, 3}};
  std::string line = without_end(line_of(record_with(17), study));
  EXPECT_FALSE(read_record(line, other));
  for (std::size_t k = 0; k < line.size(); ++k) {
    std::string changed = line;
    changed[k] = static_cast<char>(changed[k] ^ 1);
    EXPECT_FALSE(read_record(changed, study)) << k;
    EXPECT_FALSE(read_record(line.substr(0, k), study)) << k;
  }
}

TEST(Record, of_two_the_better_one_counts) {
  using Kind = PointRecord::Kind;
  EXPECT_TRUE(counts_before(record_with(1, Kind::solved), record_with(1, Kind::broken)));
  EXPECT_FALSE(counts_before(record_with(1, Kind::failed), record_with(1, Kind::warned)));
  PointRecord slow = record_with(1);
  slow.seconds = 9;
  EXPECT_FALSE(counts_before(slow, record_with(1)) || counts_before(record_with(1), slow));
}

class FolderTest : public testing::Test {
 protected:
  FolderTest() {
    std::string name = (std::filesystem::temp_directory_path() / "studyXXXXXX").string();
    root = mkdtemp(name.data());
  }
  ~FolderTest() override { std::filesystem::remove_all(root); }
  static StudyManifest manifest(const char* model = "m") {
    return {.program = "1",
            .kind = "solve",
            .directory = "/",
            .command = {{"--mesh", {"5"}}},
            .plan = "{}",
            .model = model,
            .options = "o",
            .files = "f"};
  }
  std::size_t read(const StudyFolder& folder, std::vector<std::size_t>& points) {
    auto strange = folder.read(manifest().hash(), [&](const PointRecord& r) { points.push_back(r.point); }, diagnostics);
    return strange ? *strange : 999;
  }
  std::string root;
  Diagnostics diagnostics;
};

TEST_F(FolderTest, goes_on_with_the_same_study_and_refuses_another) {
  StudyFolder folder(root + "/s");
  ASSERT_TRUE(folder.begin(manifest(), diagnostics));
  EXPECT_TRUE(folder.begin(manifest(), diagnostics));
  auto back = folder.manifest(diagnostics);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->hash(), manifest().hash());
  EXPECT_EQ(back->command[0].values, std::vector<std::string>{"5"});
  EXPECT_TRUE(folder.begin(manifest("changed"), diagnostics).failed());
  EXPECT_NE(diagnostics.all()[0].message.find("the model has changed"), std::string::npos);
}

TEST_F(FolderTest, leaves_other_folders_and_changed_descriptions_alone) {
  std::ofstream(root + "/file") << "x";
  EXPECT_TRUE(StudyFolder(root).begin(manifest(), diagnostics).failed());
  EXPECT_TRUE(StudyFolder(root + "/file").begin(manifest(), diagnostics).failed());
  EXPECT_TRUE(StudyFolder(root + "/none").manifest(diagnostics).failed());
  StudyFolder folder(root + "/s");
  ASSERT_TRUE(folder.begin(manifest(), diagnostics));
  std::string text = manifest().text();
  text.replace(text.find("\"m\""), 3, "\"n\"");
  std::ofstream(folder.file("study.json")) << text;
  EXPECT_TRUE(folder.manifest(diagnostics).failed());
  std::ofstream(folder.file("study.json")) << "{\"study\": \"bolza\", \"format\": 1}";
  EXPECT_TRUE(folder.manifest(diagnostics).failed());
}

TEST_F(FolderTest, counts_lines_that_are_cut_off_or_foreign) {
  StudyFolder folder(root + "/s");
  ASSERT_TRUE(folder.begin(manifest(), diagnostics));
  Shard one, two;
  ASSERT_EQ(one.open(folder), "");
  ASSERT_EQ(two.open(folder), "");
  EXPECT_EQ(one.append(line_of(record_with(1), manifest().hash())), "");
  EXPECT_EQ(two.append(line_of(record_with(2), manifest().hash())), "");
  EXPECT_EQ(two.append(line_of(record_with(3), manifest("other").hash())), "");
  std::ofstream(folder.file("results/torn.jsonl")) << without_end(line_of(record_with(4), manifest().hash()));
  std::ofstream(folder.file("results/notes.txt")) << "not a shard";
  std::vector<std::size_t> points;
  EXPECT_EQ(read(folder, points), 2u);
  std::sort(points.begin(), points.end());
  EXPECT_EQ(points, (std::vector<std::size_t>{1, 2}));
}

}  // namespace
}  // namespace bolza::workflow
