// SPDX-License-Identifier: Apache-2.0
#include "workflow/fit/petab/sciml/hdf5.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

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

std::string low_bytes(std::uint64_t number, int width) {
  std::string out;
  for (int k = 0; k < width; ++k) out += static_cast<char>(number >> (8 * k));
  return out;
}

/// A file whose root's header has these bytes as messages: (type, content).
std::string with_root(const std::vector<std::pair<int, std::string>>& messages) {
  std::string content;
  for (const auto& [type, of] : messages)
    content += low_bytes(static_cast<unsigned>(type), 1) + low_bytes(of.size(), 2) + '\0' + of;
  std::string head = "\x89HDF\r\n\x1a\n" + std::string("\x02\x08\x08\0", 4) + low_bytes(0, 8) + std::string(16, '\0');
  return head + low_bytes(48, 8) + std::string(4, '\0') + "OHDR" + std::string("\x02\x01", 2) +
         low_bytes(content.size(), 2) + content;
}

TEST(Hdf5, ends_where_a_header_goes_on_with_itself) {
  std::string block = "OCHK" + low_bytes(16, 1) + low_bytes(16, 2) + '\0' + low_bytes(200, 8) + low_bytes(28, 8);
  std::string file = with_root({{16, low_bytes(200, 8) + low_bytes(28, 8)}});
  file.resize(200, '\0');
  EXPECT_FALSE(can_read(file + block + std::string(8, '\0')));
}

TEST(Hdf5, refuses_arrays_that_share_their_numbers) {
  auto dataset = [](const std::string& name) {
    return low_bytes(1, 1) + low_bytes(0, 1) + low_bytes(name.size(), 1) + name + low_bytes(400, 8);
  };
  std::string numbers = low_bytes(1, 1) + low_bytes(1, 1) + low_bytes(0, 6) + low_bytes(60, 8);
  std::string type = low_bytes(1, 1) + low_bytes(0, 3) + low_bytes(8, 4),
              place = low_bytes(3, 1) + low_bytes(1, 1) + low_bytes(0, 8) + low_bytes(480, 8);
  std::string array;
  for (const auto& [kind, of] : {std::pair{1, numbers}, {3, type}, {8, place}})
    array += low_bytes(static_cast<unsigned>(kind), 1) + low_bytes(of.size(), 2) + '\0' + of;
  auto file = [&](const std::vector<std::pair<int, std::string>>& links) {
    std::string out = with_root(links);
    out.resize(400, '\0');
    out += "OHDR" + std::string("\x02\x00", 2) + low_bytes(array.size(), 1) + array;
    out.resize(600, '\0');
    return out;
  };
  EXPECT_TRUE(can_read(file({{6, dataset("a")}})));
  EXPECT_FALSE(can_read(file({{6, dataset("a")}, {6, dataset("b")}})));
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
