// SPDX-License-Identifier: Apache-2.0
#include "workflow/fit/petab/sciml/hdf5.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

namespace bolza::workflow {
namespace {

const std::string folder = BOLZA_SOURCE_DIR "/tests/cli/models/petab/sciml/";

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Reads bytes as a file; says whether that went well.
bool can_read(const std::string& bytes) {
  std::string path = ::testing::TempDir() + "bolza_hdf5_test.hdf5";
  std::ofstream(path, std::ios::binary) << bytes;
  Diagnostics diagnostics;
  Result<Hdf5Content> content = read_hdf5(path, {}, diagnostics);
  std::filesystem::remove(path);
  EXPECT_EQ(bool(content), diagnostics.errors() == 0);
  return bool(content);
}

TEST(Hdf5, reads_groups_by_tables_and_by_links_numbers_of_both_orders_and_widths) {
  for (const char* name : {"flow.hdf5", "flow_links.hdf5"}) {
    Diagnostics diagnostics;
    Result<Hdf5Content> content = read_hdf5(folder + name, {}, diagnostics);
    ASSERT_TRUE(bool(content)) << name;
    EXPECT_EQ(content->arrays.size(), 4u);
    const NumberArray& last = content->arrays["parameters/flow/last/weight"];
    EXPECT_EQ(last.shape, (std::vector<std::size_t>{1, 2}));
    EXPECT_EQ(last.values, (std::vector<double>{0.5, -0.5}));
  }
}

TEST(Hdf5, names_what_it_leaves_out) {
  Diagnostics diagnostics;
  Result<Hdf5Content> content = read_hdf5(folder + "flow_chunks.hdf5", {}, diagnostics);
  ASSERT_TRUE(bool(content));
  EXPECT_TRUE(content->arrays.empty());
  EXPECT_EQ(content->others["parameters/flow/hidden/bias"], "it is stored in chunks");
}

TEST(Hdf5, refuses_what_is_cut_off_and_survives_any_byte) {
  for (const char* name : {"flow.hdf5", "flow_links.hdf5", "flow_chunks.hdf5"}) {
    const std::string whole = bytes_of(folder + name);
    EXPECT_FALSE(can_read(whole.substr(0, 40)));
    EXPECT_FALSE(can_read("not " + whole));
    std::mt19937 random(7);
    for (int k = 0; k < 100; ++k) {
      std::string broken = whole;
      for (int i = 0; i < 3; ++i) broken[random() % broken.size()] = static_cast<char>(random());
      can_read(broken);
      can_read(whole.substr(0, random() % whole.size()));
    }
  }
}

}  // namespace
}  // namespace bolza::workflow
