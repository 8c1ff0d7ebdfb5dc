// SPDX-License-Identifier: Apache-2.0
// The golden files of tests/golden/passes: a model, and below it the messages and the standard form (not for warn_…) as
// `//|` lines. `scripts/update_golden.py` rewrites them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "compiler/flatten/flatten.h"
#include "compiler/instance/build/instantiate.h"
#include "compiler/instance/library/library.h"
#include "compiler/ir/print.h"
#include "compiler/passes/pass_table.h"
#include "compiler/passes/system/codes.h"
#include "tests/unit/support/golden_file.h"

namespace bolza::driver {
namespace {

using bolza::testing::GoldenFile;
using bolza::testing::rewrite;

std::vector<GoldenFile> files() { return bolza::testing::golden_files(BOLZA_SOURCE_DIR "/tests/golden/passes"); }

Result<ir::Problem> lowered(const GoldenFile& golden, Sources& sources, Diagnostics& diagnostics) {
  instance::Library library(sources, {.modelica_path = {}, .stdlib = BOLZA_SOURCE_DIR "/stdlib"});
  if (!library.add_text(golden.path.filename().string(), golden.source, diagnostics)) return diagnostics.already_reported();
  auto tree = instance::instantiate(library, golden.class_name, {}, diagnostics);
  if (!tree) return diagnostics.already_reported();
  auto flat = flatten::flatten(*tree, diagnostics);
  if (!flat) return diagnostics.already_reported();
  return passes::lower(std::move(*flat), {.sources = &sources}, diagnostics);
}

struct Outcome {
  std::string text;
  bool good = false;
};

Outcome outcome_of(const GoldenFile& golden) {
  Sources sources;
  Diagnostics diagnostics;
  auto problem = lowered(golden, sources, diagnostics);
  Outcome outcome{{}, bool(problem)};
  for (const Diagnostic& d : diagnostics.all()) outcome.text += render(d, sources);
  bool shows_problem = problem && !golden.path.filename().string().starts_with("warn_");
  if (shows_problem) outcome.text += ir::to_text(*problem);
  return outcome;
}

TEST(Golden, models_have_the_standard_form_that_stands_below_them) {
  bool update = std::getenv("BOLZA_UPDATE_GOLDEN") != nullptr;
  for (const GoldenFile& golden : files()) {
    ASSERT_NE(golden.class_name, "") << golden.path;
    Outcome outcome = outcome_of(golden);
    EXPECT_EQ(outcome.good, !golden.path.filename().string().starts_with("fail_")) << golden.path << "\n" << outcome.text;
    if (update) rewrite(golden, outcome.text);
    else EXPECT_EQ(outcome.text, golden.expected) << golden.path;
  }
}

TEST(Golden, every_code_of_the_passes_appears_in_a_file) {
  std::string everything;
  for (const GoldenFile& golden : files()) everything += golden.expected;
  for (const Code* code : passes::all_codes) {
    if (code->id == "E413")
      continue;  // flatten refuses such text first; a model made by hand triggers it in optimization_test.cpp
    if (code->id == "E432") continue;           // of simulations: tests/cli/phases.test
    if (code->id == "W419") continue;           // of simulations: tests/cli/events.test
    if (code->id == "E457") continue;           // of an option of DOML: tests/cli/samples.test
    if (code->id == "E492") continue;           // of an option: tests/cli/nonsmooth.test
    if (code->id == "E493") continue;           // of a limit: tests/hostile/limits.toml
    if (code->id == "E498") continue;           // of an option: tests/cli/pontryagin.test
    if (code->id.starts_with("E48")) continue;  // of tables of scenarios: tests/cli/scenarios.test
    EXPECT_NE(everything.find("[" + std::string(code->id) + "]"), std::string::npos) << code->id << " " << code->message;
  }
}

}  // namespace
}  // namespace bolza::driver
