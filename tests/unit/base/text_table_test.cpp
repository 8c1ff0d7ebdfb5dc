// SPDX-License-Identifier: Apache-2.0
#include "base/text_table.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bolza {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(std::string_view text, TextRows::Comments comments = TextRows::Comments::lines) {
  TextRows rows(text, {}, comments);
  Rows out;
  for (std::vector<Cell> row; rows.next(row);) {
    out.emplace_back();
    for (const Cell& cell : row) out.back().push_back(cell.text);
  }
  return out;
}

TEST(TextRows, separates_by_what_the_first_row_has) {
  Rows expected{{"time", "x[1,2]"}, {"0", "1"}};
  for (std::string_view text :
       {"time,\"x[1,2]\"\n0,1", "time;\"x[1,2]\"\n0;1\n", "time;x[1,2]\n0;1\n", "time\tx[1,2]\n0\t1\n",
        "time   x[1,2]  \n 0  1\n", "\xef\xbb\xbftime;x[1,2]\r\n\r\n# no row\r\n0;1\r\n", "time\t;\t\"x[1,2]\"\n0;\t1"})
    EXPECT_EQ(rows_of(text), expected) << text;
}

TEST(TextRows, keeps_separators_and_quotes_that_are_quoted) {
  EXPECT_EQ(rows_of("\"a;b\",\" c \",\"d\"\"e\"\n"), (Rows{{"a;b", " c ", "d\"e"}}));
  EXPECT_EQ(rows_of("a,,\n,b,"), (Rows{{"a", "", ""}, {"", "b", ""}}));
}

TEST(TextRows, joins_a_unit_to_its_name_where_blanks_separate) {
  EXPECT_EQ(rows_of("time [s] x [m/s]\n0 1\n"), (Rows{{"time [s]", "x [m/s]"}, {"0", "1"}}));
}

TEST(TextRows, ends_rows_at_comments_where_it_is_asked_to) {
  EXPECT_EQ(rows_of("0, 1 # one\n2, 3"), (Rows{{"0", "1 # one"}, {"2", "3"}}));
  EXPECT_EQ(rows_of("0, 1 # one\n2, 3", TextRows::Comments::ends), (Rows{{"0", "1"}, {"2", "3"}}));
}

TEST(NumberIn, takes_numbers_and_nothing_else) {
  for (auto [text, value] : {std::pair{"1e-3", 1e-3}, {"+2.5", 2.5}, {"-.5", -.5}, {"inf", HUGE_VAL}, {"1e-999", 0.0}})
    EXPECT_EQ(number_in(text), value) << text;
  for (const char* text : {"", "+", "++1", "1,5", "0x10", "nan", "1e999", "1 2", "one", "1e"})
    EXPECT_FALSE(number_in(text)) << text;
}

TEST(ReadNumbers, leaves_out_headings_and_no_row_that_is_meant_to_have_numbers) {
  auto numbers = [](std::string_view text, std::optional<std::size_t> heading = {}) {
    NumberTable table;
    auto fault = read_numbers(text, heading, table);
    return fault ? std::vector<double>{-double(fault->line)} : table.numbers;
  };
  using List = std::vector<double>;
  EXPECT_EQ(numbers("t;y\n1 2\n3 4"), (List{1, 2, 3, 4}));
  EXPECT_EQ(numbers("t,2010,2011\n0,1,2"), (List{0, 1, 2}));
  EXPECT_EQ(numbers("9,9\n1,2", 1), (List{1, 2}));
  EXPECT_EQ(numbers("1,5;2\n1;2"), (List{-1})) << "a decimal comma is no heading";
  EXPECT_EQ(numbers("1,n/a\n1,2"), (List{-1})) << "a missing number is no heading";
  EXPECT_EQ(numbers("1,2\n1,2,3"), (List{-2}));
  EXPECT_EQ(numbers("1,2,\n1,2,\n"), (List{1, 2, 1, 2}));
}

}  // namespace
}  // namespace bolza
