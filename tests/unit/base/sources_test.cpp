// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/span.h"

namespace bolza {
namespace {

TEST(Sources, tell_line_and_column_of_every_place) {
  Sources sources;
  SourceId id = sources.add("a.mo", "ab\n\nc\r\nd");
  EXPECT_EQ(where(sources, {id, 0, 1}), "a.mo:1:1");
  EXPECT_EQ(where(sources, {id, 2, 3}), "a.mo:1:3");
  EXPECT_EQ(where(sources, {id, 3, 4}), "a.mo:2:1");
  EXPECT_EQ(where(sources, {id, 7, 8}), "a.mo:4:1");
  EXPECT_EQ(sources.line(id, 3), "c");
  EXPECT_EQ(sources.line(id, 4), "d");
}

TEST(Sources, know_a_text_that_they_have) {
  Sources sources;
  SourceId id = sources.add("a.mo", "model A end A;");
  EXPECT_NE(sources.add("b.mo", "model A end A;"), id);
  EXPECT_NE(sources.add("a.mo", "model B end B;"), id);
  EXPECT_EQ(sources.add("a.mo", "model A end A;"), id);
  EXPECT_EQ(sources.size(), 3U);
}

}  // namespace
}  // namespace bolza
