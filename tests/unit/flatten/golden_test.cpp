// SPDX-License-Identifier: Apache-2.0
// The golden files of tests/golden/flatten: a model, and below it the flat model (not for warn_…) and the messages as `//|`
// lines. `scripts/update_golden.py` rewrites them. A comment `// without functions` leaves out their bodies.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "compiler/flatten/nodes/codes.h"
#include "tests/unit/flatten/flattened.h"
#include "tests/unit/support/golden_file.h"

namespace bolza::flatten::testing {
namespace {

using Golden = bolza::testing::GoldenFile;
using bolza::testing::rewrite;

std::vector<Golden> files() { return bolza::testing::golden_files(BOLZA_SOURCE_DIR "/tests/golden/flatten"); }

std::string without_functions(const std::string& text) {
  std::istringstream lines(text);
  std::string out;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    inside = inside || line.starts_with("function ");
    if (!inside) out += line + "\n";
    inside = inside && !line.starts_with("end ");
  }
  return out;
}

std::string printed(const Golden& golden) {
  Flattened model(golden.source, golden.class_name, golden.path.filename().string());
  std::string text = model.messages();
  bool shows_model = model.flat && !golden.path.filename().string().starts_with("warn_");
  if (!shows_model) return text;
  std::string shown = ir::to_text(*model.flat);
  return text + (golden.source.find("// without functions") == std::string::npos ? shown : without_functions(shown));
}

TEST(Golden, models_flatten_to_what_stands_below_them) {
  bool update = std::getenv("BOLZA_UPDATE_GOLDEN") != nullptr;
  for (const Golden& golden : files()) {
    ASSERT_NE(golden.class_name, "") << golden.path;
    std::string actual = printed(golden);
    if (update) rewrite(golden, actual);
    else EXPECT_EQ(actual, golden.expected) << golden.path;
  }
}

TEST(Golden, failing_models_are_those_that_are_called_so) {
  for (const Golden& golden : files()) {
    Flattened model(golden.source, golden.class_name);
    EXPECT_EQ(model.flat.has_value(), !golden.path.filename().string().starts_with("fail_")) << golden.path << "\n"
                                                                                             << model.messages();
  }
}

TEST(Golden, every_code_appears_in_a_file_and_is_unique) {
  std::string everything;
  for (const Golden& golden : files()) everything += golden.expected;
  std::set<std::string_view> seen;
  for (const Code* code : all_codes) {
    if (code == &free_parameter_set) continue;  // is about a setting of the run: tests/cli/verdict.test
    EXPECT_TRUE(seen.insert(code->id).second) << code->id;
    EXPECT_NE(everything.find("[" + std::string(code->id) + "]"), std::string::npos) << code->id << " " << code->message;
  }
}

}  // namespace
}  // namespace bolza::flatten::testing
