// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/method/chain.h"

#include <gtest/gtest.h>

namespace bolza::workflow {
namespace {

TEST(Chain, it_reads_stages_with_settings_over_common_ones) {
  Sources sources;
  Diagnostics diagnostics;
  driver::Options common;
  common.values["tol"] = "1e-6";
  auto stages = parse_chain("euler(n=20, tol=1e-3) -> radau( mesh = 100 )->ipopt+cvodes", common, sources, diagnostics);
  ASSERT_TRUE(stages);
  ASSERT_EQ(stages->size(), 3u);
  EXPECT_EQ((*stages)[0].options.text("transcription"), "euler");
  EXPECT_EQ((*stages)[0].options.text("mesh"), "20");
  EXPECT_EQ((*stages)[0].options.number("tol"), 1e-3);
  EXPECT_EQ((*stages)[1].options.text("mesh"), "100");
  EXPECT_EQ((*stages)[1].options.number("tol"), 1e-6);
  EXPECT_EQ((*stages)[2].options.text("integrator"), "cvodes");
  EXPECT_EQ((*stages)[0].text, "euler(n=20, tol=1e-3)");
}

TEST(Chain, it_points_at_the_place_that_cannot_be_read) {
  for (auto [text, column] : {std::pair{"euler(20)", 9u}, {"euler radau", 7u}, {"-> radau", 1u}, {"radau(mesh=3", 13u}}) {
    Sources sources;
    Diagnostics diagnostics;
    EXPECT_FALSE(parse_chain(text, {}, sources, diagnostics)) << text;
    ASSERT_EQ(diagnostics.errors(), 1u) << text;
    EXPECT_EQ(diagnostics.all()[0].code->id, "E905");
    EXPECT_EQ(sources.place(diagnostics.all()[0].span.file, diagnostics.all()[0].span.begin).column, column) << text;
  }
}

TEST(Chain, it_takes_a_mesh_in_braces) {
  Sources sources;
  Diagnostics diagnostics;
  auto stages = parse_chain("gauss(mesh={0,0.25,1}, points=2)", {}, sources, diagnostics);
  ASSERT_TRUE(stages);
  EXPECT_EQ((*stages)[0].options.text("mesh"), "0,0.25,1");
}

}  // namespace
}  // namespace bolza::workflow
