// SPDX-License-Identifier: Apache-2.0
#include "compiler/syntax/image.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "tests/unit/syntax/parsing.h"
#include "tests/unit/syntax/same_tree.h"

namespace bolza::syntax {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// All models that come with the sources.
std::vector<fs::path> models() {
  std::vector<fs::path> files;
  for (const char* folder : {"stdlib", "examples", "tests"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(BOLZA_SOURCE_DIR) / folder))
      if (entry.path().extension() == ".mo" || entry.path().extension() == ".mop") files.push_back(entry.path());
  return files;
}

/// A text, its tree, and the tree that comes out of the image as that of the same text elsewhere.
struct Copied : Parsed {
  std::string image;
  SourceId other;
  std::unique_ptr<ast::StoredFile> copy;

  explicit Copied(const std::string& text) : Parsed(text) {
    if (!file) return;
    image = to_image(*file, sources.text(file->source));
    other = sources.add("other.mo", text);
    copy = from_image(image, other, sources.text(other));
  }
  std::string_view text_of_copy() const { return sources.text(other); }
};

std::string all_kinds() {
  return "within A.B;\npackage P \"d\" + \"e\\n\"\n"
         "  extends Q(redeclare replaceable model M = N[3](x = 1) constrainedby O \"c\", break c, break connect(a, b));\n"
         "  import X = A.B; import A.B.*; import A.{C, D};\n"
         "  type E = enumeration(a \"first\", b); type F = enumeration(:); function df = der(f, x, y);\n"
         "  inner outer parameter flow Real[3] x[2](each start = {1, -2.5e3}) = [1, 2; 3, 4] if a \"x\" annotation(Y = "
         "true), y;\n"
         "  replaceable Real z constrainedby R(q = 2); protected discrete input Integer 'quoted name'[:, end];\n"
         "initial equation x = sum(i^2 for i in 1:2:n) + (f(x, g = function h(k = 1)))[1];\n"
         "equation (a, , b) = f(x); connect(a.p[1], b.n); if c then x = 1; elseif d then x = 2; else x = 3; end if;\n"
         "  for i in 1:3, j loop y[i] = if a and not b or c then 1 else \"s\"; end for;\n"
         "  when x > 1 then reinit(x, .A.b); elsewhen y <= 2 then z = pre(z); end when;\n"
         "algorithm (a, b) := f(x); while true loop break; end while; return; x := -a .* b;\n"
         "end P;\n"
         "function f input Real x; output Real y; external \"C\" y = cf(x, 2) annotation(Library = \"l\"); end f;\n"
         "optimization O(objective = x(1) + 2, finalTime = 3) Real x; constraint 1 <= x <= 2; for i in 1:2 loop x >= i; end "
         "for; end O;\n";
}

TEST(Image, gives_the_tree_of_every_model_again) {
  std::size_t parsed = 0;
  ASSERT_GT(models().size(), 100u);
  for (const fs::path& path : models()) {
    Copied p(content(path));
    if (!p.file) continue;
    ++parsed;
    ASSERT_TRUE(p.copy) << path;
    EXPECT_EQ(SameTree(*p.file, *p.copy).difference(), "") << path;
  }
  EXPECT_GT(parsed, 100u);
}
TEST(Image, gives_every_kind_of_node_again) {
  Copied p(all_kinds());
  ASSERT_TRUE(p.copy) << p.message();
  SameTree same(*p.file, *p.copy);
  EXPECT_EQ(same.difference(), "");
  EXPECT_GT(same.compared(), 1000u);
  EXPECT_EQ(print(*p.copy->within), "A.B");
  EXPECT_EQ(p.copy->classes[0]->comment.description, "de\n");
}
TEST(Image, points_into_the_text_of_its_own_source_and_into_no_other_tree) {
  Copied p("model M Real x = 2*y \"text\"; Real y = 3; end M;");
  std::string_view text = p.text_of_copy();
  const ast::Component& x = *p.copy->classes[0]->elements[0]->component;
  EXPECT_TRUE(x.name.data() >= text.data() && x.name.data() < text.data() + text.size());
  EXPECT_EQ(x.span.file, p.other);
  p.file.reset();
  EXPECT_EQ(print(*x.binding()), "2*y");
  EXPECT_EQ(x.comment.description, "text");
}
TEST(Image, keeps_one_type_for_the_components_of_one_clause) {
  Copied p("model M Real x, y; end M;");
  const auto& elements = p.copy->classes[0]->elements;
  EXPECT_EQ(elements[0]->component->type, elements[1]->component->type);
}
TEST(Image, holds_the_deepest_nesting) {
  std::string text;
  for (int i = 0; i < 160; ++i) text += "(-{";
  text += "1";
  for (int i = 0; i < 160; ++i) text += "})";
  Copied p("model M Real x = " + text + "; end M;");
  ASSERT_TRUE(p.copy) << p.codes();
  EXPECT_EQ(SameTree(*p.file, *p.copy).difference(), "");
}
TEST(Image, of_an_empty_file_is_a_file_without_classes) {
  Copied p("");
  ASSERT_TRUE(p.copy);
  EXPECT_TRUE(p.copy->classes.empty() && !p.copy->has_within && !p.copy->within);
}
TEST(Image, that_is_cut_short_or_too_long_is_refused) {
  Copied p(all_kinds());
  for (std::size_t n = 0; n < p.image.size(); ++n)
    EXPECT_EQ(from_image(std::string_view(p.image).substr(0, n), p.other, p.text_of_copy()), nullptr) << n;
  EXPECT_EQ(from_image(p.image + "12345678", p.other, p.text_of_copy()), nullptr);
}
TEST(Image, whose_pointers_lead_outside_is_refused) {
  Copied p(all_kinds());
  EXPECT_EQ(from_image(p.image, p.other, p.text_of_copy().substr(0, 20)), nullptr);
}
TEST(Image, whose_words_are_replaced_by_any_others_is_refused_or_read_without_a_bad_access) {
  Copied p(all_kinds());
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string image = p.image;
    for (int k = 0; k < 3; ++k) image[random() % image.size()] = static_cast<char>(random());
    from_image(image, p.other, p.text_of_copy());
  }
}

}  // namespace
}  // namespace bolza::syntax
