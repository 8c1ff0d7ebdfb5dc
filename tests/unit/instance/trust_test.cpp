// SPDX-License-Identifier: Apache-2.0
// What models may do while they are instantiated [docs/security.md].
#include "compiler/instance/library/trust.h"

#include <filesystem>
#include <fstream>

#include "made.h"

namespace bolza::instance {
namespace {

namespace fs = std::filesystem;

/// Codes and remedies of a text that is given by name, under these rules.
std::string told(const std::string& text, Trust trust) {
  Sources sources;
  LibraryOptions options;
  options.trust = std::move(trust);
  Library library(sources, options);
  Diagnostics diagnostics;
  if (library.add_text("test.mo", text, diagnostics))
    if (auto tree = instantiate(library, "M", {}, diagnostics))
      static_cast<void>(value_of(*tree, *tree->root().child("n"), {}, {}, diagnostics));
  std::string out;
  for (const Diagnostic& d : diagnostics.all()) {
    out += std::string(d.code->id) + ": " + d.message;
    for (const Note& note : d.notes) out += " | " + note.text;
  }
  return out;
}

const std::string foreign =
    "function f input Integer k; output Integer n; external \"C\" n = toupper(k); end f; model M constant Integer n = "
    "f(-3); "
    "end "
    "M;";

TEST(Trust, is_what_a_call_of_foreign_code_needs) {
  std::string untrusted = told(foreign, {.level = Trust::Level::libraries});
  EXPECT_EQ(untrusted.substr(0, 4), "E257") << untrusted;
  EXPECT_NE(untrusted.find("--trust"), std::string::npos) << untrusted;
  std::string looked_at = told(foreign, {.level = Trust::Level::everything, .runs = false});
  EXPECT_NE(looked_at.find("this command runs none"), std::string::npos) << looked_at;
  std::string closed = told(foreign, {.level = Trust::Level::nothing});
  EXPECT_NE(closed.find("`--trust none` runs none"), std::string::npos) << closed;
  EXPECT_EQ(told(foreign, {.level = Trust::Level::everything}), "");
}

TEST(Trust, of_a_folder_holds_below_it_and_not_beside) {
  fs::path folder = fs::temp_directory_path() / "bolza_trust_test";
  fs::create_directories(folder / "in" / "side");
  fs::create_directories(folder / "beside");
  fs::create_directory_symlink(folder / "beside", folder / "in" / "link");
  EXPECT_TRUE(is_inside((folder / "in" / "side" / "m.mo").string(), (folder / "in").string()));
  EXPECT_FALSE(is_inside((folder / "beside" / "m.mo").string(), (folder / "in").string()));
  EXPECT_FALSE(is_inside((folder / "in" / "link" / "m.mo").string(), (folder / "in").string())) << "a link leads out";
  EXPECT_FALSE(is_inside((folder / "in" / ".." / "beside" / "m.mo").string(), (folder / "in").string()));
  EXPECT_FALSE(is_inside((folder / "inside.mo").string(), (folder / "in").string())) << "a name that begins alike";
  TrustRules rules({.level = Trust::Level::libraries, .folders = {(folder / "in").string()}}, {});
  EXPECT_TRUE(rules.runs_code_of((folder / "in" / "side" / "m.mo").string()));
  EXPECT_FALSE(rules.runs_code_of((folder / "beside" / "m.mo").string()));
  fs::remove_all(folder);
}

TEST(Trust, lets_tables_of_numbers_beside_a_model_be_read_and_no_text) {
  fs::path folder = fs::temp_directory_path() / "bolza_trust_reads";
  fs::create_directories(folder / "models");
  std::ofstream(folder / "models" / "table.txt") << "#1\n";
  std::ofstream(folder / "secret.txt") << "#1\n";
  TrustRules rules({.level = Trust::Level::libraries}, {});
  rules.add_named_file((folder / "models" / "m.mo").string());
  using Contents = TrustRules::Contents;
  EXPECT_TRUE(rules.may_read((folder / "models" / "table.txt").string(), Contents::numbers));
  EXPECT_FALSE(rules.may_read((folder / "models" / "table.txt").string(), Contents::any));
  EXPECT_FALSE(rules.may_read((folder / "secret.txt").string(), Contents::numbers));
  fs::remove_all(folder);
}

}  // namespace
}  // namespace bolza::instance
