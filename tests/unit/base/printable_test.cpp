// SPDX-License-Identifier: Apache-2.0
#include "base/printable.h"

#include <gtest/gtest.h>

using bolza::printable;
using bolza::printable_json;

TEST(Printable, escapes_control_characters_of_one_and_two_bytes) {
  EXPECT_EQ(printable("a\x1b[31m\x07z\x7f"), "a\\x1b[31m\\x07z\\x7f");
  EXPECT_EQ(printable("a\xc2\x9b z"), "a\\x9b z");
}

TEST(Printable, escapes_what_turns_the_direction_of_writing_or_ends_lines) {
  EXPECT_EQ(printable("a\xe2\x80\xae z"), "a\\u202e z");
  EXPECT_EQ(printable("\xe2\x81\xa6\xe2\x80\xa8\xd8\x9c"), "\\u2066\\u2028\\u061c");
}

TEST(Printable, leaves_text_line_ends_and_broken_characters_alone) {
  std::string text = "Größe\tµ → 水\nnext \xe2\x80 \xff";
  EXPECT_EQ(printable(text), text);
}

TEST(Printable, gives_escapes_of_JSON) {
  EXPECT_EQ(printable_json("{\"a\": \"\xc2\x9b\xe2\x80\xae\"}\n"), "{\"a\": \"\\u009b\\u202e\"}\n");
}
