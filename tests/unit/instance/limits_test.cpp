// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "compiler/instance/library/codes.h"
#include "made.h"

namespace bolza::instance {
namespace {

std::string repeated(int n, const std::function<std::string(int)>& piece) {
  std::string out;
  for (int i = 0; i < n; ++i) out += piece(i);
  return out;
}
std::string n(int i) { return std::to_string(i); }

TEST(Limits, long_chains_of_parameters_are_followed) {
  auto chain = [](int length) {
    return "model M parameter Integer p0 = 1;" +
           repeated(length, [](int i) { return "parameter Integer p" + n(i + 1) + " = p" + n(i) + " + 1;"; }) + "Real x[p" +
           n(length) + "]; end M;";
  };
  Made possible(chain(200));
  ASSERT_TRUE(possible.good()) << possible.messages();
  EXPECT_EQ(possible.dimensions("x"), Sizes{201});
  Made longer(chain(5000));
  ASSERT_TRUE(longer.good()) << longer.messages();
  EXPECT_EQ(longer.dimensions("x"), Sizes{5001});
  std::string circle = "model M parameter Integer p0 = p3000;" +
                       repeated(3000, [](int i) { return "parameter Integer p" + n(i + 1) + " = p" + n(i) + " + 1;"; });
  EXPECT_FALSE(Made(circle + "Real x[p3000]; end M;").good());
}

TEST(Limits, deep_trees_of_components_and_bases_are_refused) {
  std::string parts = repeated(400, [](int i) { return "model A" + n(i) + " A" + n(i + 1) + " a; end A" + n(i) + ";"; });
  EXPECT_EQ(Made(parts + "model A400 Real x; end A400;", "A0").codes(), "E290");
  std::string bases =
      repeated(400, [](int i) { return "model A" + n(i) + " extends A" + n(i + 1) + "; end A" + n(i) + ";"; });
  EXPECT_EQ(Made(bases + "model A400 Real x; end A400;", "A0").codes(), "E290");
}

TEST(Limits, huge_values_are_refused) {
  EXPECT_EQ(computed("Real", "sum(zeros(100000, 100000))"), "E239");
  EXPECT_EQ(computed("Real", "sum(identity(100000))"), "E239");
  EXPECT_EQ(computed("Real", "sum(1:1000000000)"), "E239");
  EXPECT_EQ(computed("Real", "sum(i*j for i in 1:5000000, j in 1:5000000)"), "E239");
  EXPECT_EQ(computed("String", "f()",
                     "function f output String s; algorithm s := \"a\"; for i in 1:100 loop s := s + s; end for; end f;"),
            "E239");
  EXPECT_EQ(
      computed("Real", "f()[1]",
               "function f output Real s[:]; algorithm s := {1}; for i in 1:100 loop s := cat(1, s, s); end for; end f;")
          .substr(0, 2),
      "E1");
}

TEST(Limits, wide_models_take_linear_time) {
  std::string text =
      "model M" +
      repeated(3000,
               [](int i) { return " parameter Real p" + n(i) + " = " + (i ? "p" + n(i - 1 - i % 100 % 2) : "1") + ";"; }) +
      " end M;";
  EXPECT_TRUE(Made(text).good());
}

TEST(Messages, have_a_test_each) {
  std::string tests;
  for (const char* folder : {"/tests/unit/instance", "/tests/hostile"})
    for (const auto& entry : std::filesystem::directory_iterator(std::string(BOLZA_SOURCE_DIR) + folder)) {
      std::ifstream in(entry.path());
      std::ostringstream text;
      text << in.rdbuf();
      tests += text.str();
    }
  for (const Code* code : all_codes) {
    EXPECT_NE(tests.find("\"" + std::string(code->id)), std::string::npos) << code->id << " is triggered by no test";
    EXPECT_FALSE(code->explanation.empty()) << code->id;
  }
}

}  // namespace
}  // namespace bolza::instance
