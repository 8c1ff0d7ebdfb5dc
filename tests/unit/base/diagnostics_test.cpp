// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostics.h"

#include <gtest/gtest.h>

#include "base/result.h"

namespace bolza {
namespace {

constexpr Code unknown_name{"E999", "no variable `{0}` in `{1}`", "for tests"};

TEST(Diagnostics, it_renders_place_message_code_and_caret) {
  Sources sources;
  SourceId file = sources.add("a.mo", "model A\n  Real x = yy;\nend A;\n");
  Diagnostics diagnostics;
  std::vector<std::string> names{"y", "xy", "zebra"};
  diagnostics.error(unknown_name, {file, 19, 21}, {"yy", "A"}, did_you_mean("yy", names));
  EXPECT_EQ(render(diagnostics.all()[0], sources),
            "a.mo:2:12: error: no variable `yy` in `A` [E999]\n"
            "  2 |   Real x = yy;\n"
            "    |            ^~\n"
            "help: did you mean `xy`?\n");
}

TEST(Diagnostics, it_drops_exact_repetitions_and_counts_errors_apart_from_warnings) {
  Diagnostics diagnostics;
  diagnostics.error(unknown_name, {}, {"a", "b"});
  diagnostics.error(unknown_name, {}, {"a", "b"});
  diagnostics.warning(unknown_name, {}, {"c", "b"});
  EXPECT_EQ(diagnostics.errors(), 1u);
  EXPECT_EQ(diagnostics.warnings(), 1u);
}

TEST(Sources, it_counts_columns_in_characters_not_bytes) {
  Sources sources;
  SourceId file = sources.add("a.mo", "// \xC3\xA4\xC3\xB6\nx");
  EXPECT_EQ(sources.place(file, 7).column, 6u);
  EXPECT_EQ(sources.place(file, 8).line, 2u);
}

TEST(Diagnostics, it_finds_the_name_a_typist_meant_and_no_far_one) {
  std::vector<std::string> names{"velocity", "force", "position"};
  EXPECT_EQ(near_match("velocty", names), "velocity");
  EXPECT_EQ(near_match("Position", names), "position");
  EXPECT_EQ(near_match("temperature", names), "");
  EXPECT_EQ(near_match("x", names), "");
}

TEST(Result, it_holds_a_value_or_the_proof_of_a_message) {
  Diagnostics diagnostics;
  Result<int> good = 3;
  Result<int> bad = diagnostics.error(unknown_name, {}, {"a", "b"});
  EXPECT_TRUE(good);
  EXPECT_EQ(*good, 3);
  EXPECT_TRUE(bad.failed());
}

}  // namespace
}  // namespace bolza
