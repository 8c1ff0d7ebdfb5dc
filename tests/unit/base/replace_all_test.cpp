// SPDX-License-Identifier: Apache-2.0
#include "base/replace_all.h"

#include <gtest/gtest.h>

namespace bolza {
namespace {

TEST(ReplaceAll, does_not_look_at_what_it_has_put_in) {
  std::string text = "a-aa-b";
  replace_all(text, "a", "aa");
  EXPECT_EQ(text, "aa-aaaa-b");
  replace_all(text, "aa", "");
  EXPECT_EQ(text, "--b");
  replace_all(text, "x", "y");
  EXPECT_EQ(text, "--b");
}

}  // namespace
}  // namespace bolza
