// SPDX-License-Identifier: Apache-2.0
// Tables of text that measurements, conditions and scenarios stand in.
#include "workflow/text_table.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/workflow/models.h"

namespace bolza::workflow {
namespace {

struct ReadTable {
  Sources sources;
  Diagnostics diagnostics;
  Result<TextTable> table;
  explicit ReadTable(const std::string& text) : table(read_table(written_file("table.csv", text), sources, diagnostics)) {}
  std::string code() const { return diagnostics.all().empty() ? "" : std::string(diagnostics.all()[0].code->id); }
};

TEST(TextTable, it_is_separated_by_what_its_header_has) {
  for (const char* text :
       {"a,b\n1,2\n", "a;b\n1;2\n", "a\tb\n1\t2\n", "\"a\", 'b'\n# a remark\n\n 1 , \"2\"\n", "a,b\r\n1,2\r\n"}) {
    ReadTable read(text);
    ASSERT_TRUE(read.table) << text;
    ASSERT_EQ(read.table->rows.size(), 1u) << text;
    EXPECT_EQ(read.table->header[0].text, "a") << text;
    EXPECT_EQ(read.table->rows[0][1].text, "2") << text;
  }
}

TEST(TextTable, a_row_of_another_length_a_column_twice_and_no_header_are_mistakes) {
  EXPECT_EQ(ReadTable("a,b\n1\n").code(), "E931");
  EXPECT_EQ(ReadTable("a,b\n1,2,3\n").code(), "E931");
  EXPECT_EQ(ReadTable("a,a\n1,2\n").code(), "E931");
  EXPECT_EQ(ReadTable("\n# nothing\n").code(), "E931");
  EXPECT_TRUE(ReadTable("a\tb\tc\n1\n").table) << "editors leave out blanks at the end";
  Sources sources;
  Diagnostics diagnostics;
  EXPECT_FALSE(read_table(file_of_test("no_such_table.csv"), sources, diagnostics));
  EXPECT_EQ(diagnostics.all()[0].code->id, "E930");
}

TEST(TextTable, the_first_of_several_names_counts) {
  ReadTable read("time,y,t\n0,1,2\n");
  ASSERT_TRUE(read.table);
  EXPECT_EQ(read.table->column({"t", "time"}), 2u);
  EXPECT_EQ(read.table->column({"z", "time"}), 0u);
  EXPECT_EQ(read.table->column({"z"}), std::nullopt);
}

TEST(TextTable, cells_are_numbers_missing_or_mistakes) {
  EXPECT_EQ(number_in("1e-3"), 1e-3);
  EXPECT_EQ(number_in("-inf"), -INFINITY);
  for (const char* none : {"", "1x", "one", "1 2", "--1"}) EXPECT_EQ(number_in(none), std::nullopt) << none;
  for (const char* missing : {"", "NA", "NaN", "nan"}) EXPECT_TRUE(is_missing({missing, {}})) << missing;
  for (const char* given : {"0", "n/a", "-"}) EXPECT_FALSE(is_missing({given, {}})) << given;
  for (const char* looks : {"n/a", "-", "none"}) EXPECT_TRUE(looks_missing({looks, {}})) << looks;
  Diagnostics diagnostics;
  EXPECT_FALSE(number_of({"one", {}}, diagnostics));
  EXPECT_EQ(diagnostics.all()[0].code->id, "E932");
}

}  // namespace
}  // namespace bolza::workflow
