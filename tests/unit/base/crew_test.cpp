// SPDX-License-Identifier: Apache-2.0
#include "base/crew.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <vector>

using bolza::in_crew;

TEST(Crew, does_every_part_once) {
  std::vector<int> done(7);
  in_crew(done.size(), [&](std::size_t k) { ++done[k]; });
  EXPECT_EQ(done, std::vector<int>(7, 1));
  in_crew(0, [&](std::size_t) { FAIL(); });
}

TEST(Crew, throws_what_a_part_throws_when_all_have_ended) {
  std::atomic<int> ended = 0;
  auto work = [&](std::size_t k) {
    ++ended;
    if (k == 2) throw std::bad_alloc();
  };
  EXPECT_THROW(in_crew(4, work), std::bad_alloc);
  EXPECT_EQ(ended, 4);
}
