// The golden files of tests/golden/flatten: a model, and below it the flat model (not for warn_…) and the messages as `//|`
// lines. `scripts/update_golden.py` rewrites them. A comment `// without functions` leaves out their bodies.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "compiler/flatten/codes.h"
#include "tests/unit/flatten/flattened.h"

namespace bolza::flatten::testing {
namespace {

namespace fs = std::filesystem;

struct Golden {
  fs::path path;
  std::string source, expected, class_name;
};

Golden read(const fs::path& path) {
  Golden golden{path, {}, {}, {}};
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("//|")) golden.expected += (line.size() > 4 ? line.substr(4) : "") + "\n";
    else golden.source += line + "\n";
    if (line.starts_with("// class: ")) golden.class_name = line.substr(10);
  }
  return golden;
}

void rewrite(const Golden& golden, const std::string& actual) {
  std::ofstream out(golden.path);
  out << golden.source;
  std::istringstream lines(actual);
  for (std::string line; std::getline(lines, line);) out << (line.empty() ? "//|" : "//| " + line) << "\n";
}

std::vector<fs::path> files() {
  std::vector<fs::path> all;
  for (const auto& entry : fs::directory_iterator(BOLZA_SOURCE_DIR "/tests/golden/flatten")) all.push_back(entry.path());
  std::sort(all.begin(), all.end());
  return all;
}

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
  for (const fs::path& path : files()) {
    Golden golden = read(path);
    ASSERT_NE(golden.class_name, "") << path;
    std::string actual = printed(golden);
    if (update) rewrite(golden, actual);
    else EXPECT_EQ(actual, golden.expected) << path;
  }
}

TEST(Golden, failing_models_are_those_that_are_called_so) {
  for (const fs::path& path : files()) {
    Golden golden = read(path);
    Flattened model(golden.source, golden.class_name);
    EXPECT_EQ(model.flat.has_value(), !path.filename().string().starts_with("fail_")) << path << "\n" << model.messages();
  }
}

TEST(Golden, every_code_appears_in_a_file_and_is_unique) {
  std::string everything;
  for (const fs::path& path : files()) everything += read(path).expected;
  std::set<std::string_view> seen;
  for (const Code* code : all_codes) {
    EXPECT_TRUE(seen.insert(code->id).second) << code->id;
    EXPECT_NE(everything.find("[" + std::string(code->id) + "]"), std::string::npos) << code->id << " " << code->message;
  }
}

}  // namespace
}  // namespace bolza::flatten::testing
