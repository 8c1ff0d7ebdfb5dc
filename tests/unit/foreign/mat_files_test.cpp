// SPDX-License-Identifier: Apache-2.0
// MATLAB files written byte by byte as their format says, then read.
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "compiler/foreign/mat_files.h"

namespace bolza::foreign {
namespace {

using Rows = std::vector<std::vector<double>>;

template <class T>
std::string bytes(T value, bool swapped = false) {
  std::string raw(sizeof(T), '\0');
  std::memcpy(raw.data(), &value, sizeof(T));
  if (swapped) std::reverse(raw.begin(), raw.end());
  return raw;
}

const Rows expected{{0, 1.5, -2}, {1, 3, 4}};

/// Header, name, columns one after the other. `type`: 1000·byte order + 10·precision + kind.
std::string level_4(std::int32_t type, const std::string& name, bool swapped) {
  std::string out;
  for (std::int32_t number : {type, 2, 3, 0, static_cast<std::int32_t>(name.size() + 1)}) out += bytes(number, swapped);
  out += name + '\0';
  for (std::size_t j = 0; j < 3; ++j)
    for (std::size_t i = 0; i < 2; ++i)
      out += type / 10 % 10 == 0 ? bytes(expected[i][j], swapped)
                                 : bytes(static_cast<std::int16_t>(2 * expected[i][j]), swapped);
  return out;
}

TEST(MatFiles, of_level_4_are_read_in_either_byte_order) {
  std::string file = level_4(0, "other", false) + level_4(0, "tab", false);
  EXPECT_EQ(matrix_in_mat_file(file, "tab"), expected);
  EXPECT_EQ(matrix_in_mat_file(level_4(1000, "tab", true), "tab"), expected);
  EXPECT_FALSE(matrix_in_mat_file(file, "ta"));
  EXPECT_FALSE(matrix_in_mat_file(file.substr(0, file.size() - 1), "tab"));
}

TEST(MatFiles, of_level_4_hold_whole_numbers_too) {
  Rows doubled{{0, 3, -4}, {2, 6, 8}};
  EXPECT_EQ(matrix_in_mat_file(level_4(30, "tab", false), "tab"), doubled);
}

std::string element(std::uint32_t type, std::string data) {
  std::string head = bytes(type) + bytes(static_cast<std::uint32_t>(data.size()));
  if (type != 15) data.resize((data.size() + 7) / 8 * 8);
  return head + data;
}

std::string matrix(const std::string& name) {
  std::string numbers;
  for (std::size_t j = 0; j < 3; ++j)
    for (std::size_t i = 0; i < 2; ++i) numbers += bytes(expected[i][j]);
  std::string small_name =
      bytes(static_cast<std::uint32_t>(name.size() << 16 | 1)) + name + std::string(4 - name.size(), '\0');
  return element(14, element(6, bytes(std::uint64_t{6})) + element(5, bytes(std::int32_t{2}) + bytes(std::int32_t{3})) +
                         small_name + element(9, numbers));
}

std::string level_5(const std::string& body) {
  std::string head(124, ' ');
  return head + bytes(std::uint16_t{0x0100}) + bytes(std::uint16_t{0x4D49}) + body;  // "IM" where little ends come first
}

std::string packed(const std::string& data) {
  uLongf size = compressBound(data.size());
  std::string out(size, '\0');
  compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(data.data()), data.size());
  out.resize(size);
  return element(15, out);
}

TEST(MatFiles, of_level_5_are_read_plain_and_compressed) {
  EXPECT_EQ(matrix_in_mat_file(level_5(matrix("a") + matrix("tab")), "tab"), expected);
  std::string file = level_5(packed(matrix("a")) + packed(matrix("tab")));
  EXPECT_EQ(matrix_in_mat_file(file, "tab"), expected);
  EXPECT_FALSE(matrix_in_mat_file(file, "b"));
  file[150] = static_cast<char>(file[150] ^ 0x55);
  EXPECT_FALSE(matrix_in_mat_file(file, "tab")) << "a damaged file is not a table";
}

/// A struct of one element: class, sizes, name, length of the names of the fields, those, the fields.
std::string structure(const std::string& name, const std::vector<std::string>& names, const std::string& fields) {
  std::string padded;
  for (const std::string& n : names) padded += n + std::string(8 - n.size(), '\0');
  std::string length = bytes(std::uint32_t{4u << 16 | 5}) + bytes(std::int32_t{8});
  return element(14, element(6, bytes(std::uint64_t{2})) + element(5, bytes(std::int32_t{1}) + bytes(std::int32_t{1})) +
                         element(1, name) + length + element(1, padded) + fields);
}

TEST(MatFiles, of_level_5_give_fields_of_structs_by_their_path) {
  std::string inner = structure("", {"a", "tab"}, matrix("") + matrix(""));
  std::string file = level_5(matrix("x") + structure("s", {"none", "t"}, structure("", {}, "") + inner));
  EXPECT_EQ(matrix_in_mat_file(file, "s.t.tab"), expected);
  EXPECT_EQ(matrix_in_mat_file(level_5(packed(structure("s", {"tab"}, matrix("")))), "s.tab"), expected);
  for (const char* absent : {"s", "s.t", "s.none", "s.tab", "s.t.ta", "s.t.tab.x", "t.tab", "tab", "s."})
    EXPECT_FALSE(matrix_in_mat_file(file, absent)) << absent;
}

TEST(MatFiles, what_is_written_is_read_again) {
  std::vector<double> numbers{0, 1.5, -2, 1, 3, 4};
  for (int version : {4, 6, 7}) {
    std::string file = mat_file_begin(version) + mat_file_matrix(version, "other", std::vector<double>{1}, 1, 1) +
                       mat_file_matrix(version, "tab", numbers, 2, 3);
    EXPECT_EQ(matrix_in_mat_file(file, "tab"), expected) << version;
  }
  // the first bytes of a file of level 4 as MATLAB's description gives them: type 0, 2 rows, 3 columns, real, "tab" and a
  // zero
  EXPECT_EQ(mat_file_matrix(4, "tab", numbers, 2, 3).substr(0, 24), level_4(0, "tab", false).substr(0, 24));
}

}  // namespace
}  // namespace bolza::foreign
