// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "tests/unit/syntax/parsing.h"

namespace bolza::syntax {
namespace {

std::string repeated(const std::string& part, std::size_t n, const std::string& separator = "") {
  std::string all;
  for (std::size_t i = 0; i < n; ++i) all += (i ? separator : "") + part;
  return all;
}

TEST(Limits, reads_long_chains_as_one_node) {
  constexpr std::size_t n = 50'000;
  for (std::string op : {"+", " - ", "*", " and ", " or "}) {
    ParsedExpression p(repeated("a", n, op));
    ASSERT_TRUE(p.file) << op;
    EXPECT_EQ(p.expression().operands.size(), n) << op;
    EXPECT_GE(print(p.expression()).size(), 2 * n - 1);
  }
}
TEST(Limits, reads_large_array_literals) {
  constexpr std::size_t rows = 20'000;
  ParsedExpression matrix("[" + repeated("1.5, -2e-3, 4", rows, "; ") + "]");
  ASSERT_TRUE(matrix.file);
  EXPECT_EQ(matrix.expression().rows.size(), rows);
  ParsedExpression braces("{" + repeated("{1.5, -2e-3, 4}", rows, ", ") + "}");
  ASSERT_TRUE(braces.file);
  EXPECT_EQ(braces.expression().operands.size(), rows);
}
TEST(Limits, reads_many_branches) {
  ParsedExpression expression("if a then b " + repeated("elseif c then d ", 20'000) + "else e");
  ASSERT_TRUE(expression.file);
  EXPECT_EQ(expression.expression().operands.size(), 40'003u);
  Parsed equation("model M equation if a then x = 1; " + repeated("elseif b then x = 2; ", 20'000) + "end if; end M;");
  ASSERT_TRUE(equation.file);
}
TEST(Limits, bounds_every_kind_of_nesting) {
  struct Nest {
    const char *open, *middle, *close;
  };
  for (Nest nest : {Nest{"(", "a", ")"},
                    {"{", "a", "}"},
                    {"[", "a", "]"},
                    {"f(", "a", ")"},
                    {"a[", "1", "]"},
                    {"-", "a", ""},
                    {"not ", "a", ""},
                    {"if a then b else ", "c", ""},
                    {"if ", "a", " then b else c"},
                    {"a^-", "a", ""},
                    {"(if a then -", "b", " else c)"}}) {
    int per_level = std::string(nest.open) == "(if a then -" ? 3 : 1;
    auto text = [&](int n) {
      return repeated(nest.open, n / per_level) + nest.middle + repeated(nest.close, n / per_level);
    };
    EXPECT_EQ(ParsedExpression(text(1'000'000 / 10)).codes(), "E106") << nest.open;
    Parsed fits = ParsedExpression(text(500));
    EXPECT_TRUE(fits.codes().find("E106") == std::string::npos) << nest.open;
  }
}
TEST(Limits, bounds_the_nesting_of_blocks_and_classes) {
  EXPECT_EQ(
      Parsed("model M equation " + repeated("if a then ", 100'000) + "x = 1; " + repeated("end if; ", 100'000) + "end M;")
          .codes(),
      "E106");
  EXPECT_EQ(Parsed(repeated("model M ", 100'000) + repeated("end M; ", 100'000)).codes(), "E106");
  EXPECT_EQ(Parsed("model M A a" + repeated("(b", 100'000) + repeated(")", 100'000) + "; end M;").codes(), "E106");
  EXPECT_TRUE(
      Parsed("model M equation " + repeated("for i loop ", 500) + "x = 1; " + repeated("end for; ", 500) + "end M;").file);
}

/// Texts of this repository, broken at random: any diagnostics will do, but never a crash, and a failure is always reported.
TEST(Limits, survives_broken_input) {
  std::vector<std::string> texts{"model M Real x(start = 1); equation der(x) = -x; annotation(a = {1, 2}); end M;"};
  for (const char* folder : {"examples", "stdlib"}) {
    std::filesystem::path root = std::filesystem::path(BOLZA_SOURCE_DIR) / folder;
    if (!std::filesystem::exists(root)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      if (entry.path().extension() != ".mo" && entry.path().extension() != ".mop") continue;
      std::ifstream in(entry.path(), std::ios::binary);
      std::stringstream content;
      content << in.rdbuf();
      texts.push_back(content.str().substr(0, 2000));
    }
  }
  std::mt19937 random(20240601);
  auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
  std::size_t failures = 0;
  for (int i = 0; i < 2500; ++i) {
    std::string text = texts[below(texts.size())];
    const std::string& other = texts[below(texts.size())];
    switch (below(5)) {
      case 0:
        text.resize(below(text.size()));
        break;
      case 1:
        text.insert(below(text.size()), other, below(other.size()), below(200));
        break;
      case 2:
        text.erase(below(text.size()), below(20));
        break;
      case 3:
        for (std::size_t k = below(6); k-- > 0;) text[below(text.size())] = static_cast<char>(random());
        break;
      default:
        text.insert(below(text.size()), std::string("()[]{};=\"'/*\\\0.,", 17).substr(below(16), 1 + below(2)));
    }
    Parsed p(text);
    EXPECT_EQ(p.file == nullptr, p.diagnostics.errors() > 0);
    failures += p.file == nullptr;
  }
  EXPECT_GT(failures, 800u);
}

TEST(Limits, refuses_texts_beyond_the_largest) {
  Parsed p(std::string((std::size_t{1} << 28) + 1, ' '));
  EXPECT_EQ(p.codes(), "E137");
}

}  // namespace
}  // namespace bolza::syntax
