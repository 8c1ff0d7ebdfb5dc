// SPDX-License-Identifier: Apache-2.0
#include "base/content_hash.h"

#include <gtest/gtest.h>

#include <set>

namespace bolza {
namespace {

TEST(ContentHash, is_the_same_for_the_same_bytes_wherever_they_are) {
  std::string text(1000, 'a'), moved = " " + text;
  EXPECT_EQ(content_hash(text), content_hash(std::string_view(moved).substr(1)));
}
TEST(ContentHash, differs_when_any_one_bit_differs) {
  std::string text(200, 'x');
  std::set<std::string> seen{to_text(content_hash(text))};
  for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
    std::string other = text;
    other[bit / 8] = static_cast<char>(other[bit / 8] ^ (1 << bit % 8));
    seen.insert(to_text(content_hash(other)));
  }
  EXPECT_EQ(seen.size(), 8 * text.size() + 1);
}
TEST(ContentHash, differs_for_zeros_of_different_number) {
  std::set<std::string> seen;
  for (std::size_t n = 0; n < 300; ++n) seen.insert(to_text(content_hash(std::string(n, '\0'))));
  EXPECT_EQ(seen.size(), 300u);
}
TEST(ContentHash, differs_for_other_seeds_and_when_blocks_change_places) {
  std::string text = std::string(64, 'a') + std::string(64, 'b'), swapped = std::string(64, 'b') + std::string(64, 'a');
  EXPECT_NE(content_hash(text), content_hash(swapped));
  EXPECT_NE(content_hash(text), content_hash(text, {{1, 0}}));
  EXPECT_NE(content_hash(text), content_hash(text, {{0, 1}}));
}
TEST(ContentHash, is_32_digits) {
  EXPECT_EQ(to_text(ContentHash{{0x0123456789abcdef, 15}}), "0123456789abcdef000000000000000f");
}

}  // namespace
}  // namespace bolza
