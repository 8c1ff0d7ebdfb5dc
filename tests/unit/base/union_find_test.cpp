// SPDX-License-Identifier: Apache-2.0
#include "base/union_find.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace bolza {
namespace {

TEST(UnionFind, represents_every_set_by_its_least_number) {
  UnionFind sets(5);
  sets.unite(4, 3);
  sets.unite(1, 4);
  EXPECT_EQ(sets.find(0), 0u);
  EXPECT_EQ(sets.find(1), 1u);
  EXPECT_EQ(sets.find(2), 2u);
  EXPECT_EQ(sets.find(3), 1u);
  EXPECT_EQ(sets.find(4), 1u);
  sets.unite(3, 1);
  EXPECT_EQ(sets.find(3), 1u) << "they are together already";
}

TEST(UnionFind, adds_numbers_alone) {
  UnionFind sets;
  for (int k = 0; k < 3; ++k) sets.add();
  EXPECT_EQ(sets.size(), 3u);
  sets.unite(2, 0);
  EXPECT_EQ(sets.find(1), 1u);
  EXPECT_EQ(sets.find(2), 0u);
}

// Expected: sets as labels, of which a union renames one.
TEST(UnionFind, gives_the_sets_of_random_unions) {
  std::mt19937 random(7);
  constexpr std::uint32_t n = 60;
  UnionFind sets(n);
  std::vector<std::uint32_t> label(n);
  for (std::uint32_t k = 0; k < n; ++k) label[k] = k;
  for (int step = 0; step < 50; ++step) {
    std::uint32_t a = random() % n, b = random() % n;
    sets.unite(a, b);
    std::uint32_t least = std::min(label[a], label[b]), other = std::max(label[a], label[b]);
    for (std::uint32_t& l : label) l = l == other ? least : l;
    for (std::uint32_t k = 0; k < n; ++k) ASSERT_EQ(sets.find(k), label[k]);
  }
}

}  // namespace
}  // namespace bolza
