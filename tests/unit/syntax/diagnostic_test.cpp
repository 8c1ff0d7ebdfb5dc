// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "compiler/syntax/codes.h"
#include "tests/unit/syntax/parsing.h"

namespace bolza::syntax {
namespace {

std::string model(const std::string& body) { return "model M\n" + body + "\nend M;\n"; }

struct Case {
  const char* code;
  std::string text;
  std::string marked;  ///< what the message's span covers
};

/// One text per code; `every_code_is_triggered` checks that the list is complete.
std::vector<Case> cases() {
  return {
      {"E101", model("Real x;\nequation\n x = 3 % 2;"), "%"},
      {"E102", model("Real x \"doc;"), "\""},
      {"E103", model("/* Real x;"), "/*"},
      {"E104", model("Real 'x y;"), "'"},
      {"E105", model("Real x \"\xE9\";"), "\xE9"},
      {"E106", model("Real x = " + std::string(600, '(') + "1" + std::string(600, ')') + ";"), "("},
      {"E107", model("Real x = sin(y;\nReal z;"), ";"},
      {"E108", model("Real x = (a];"), "]"},
      {"E109", model("Real x = a);"), ")"},
      {"E110", "model Tank\nend Tnak;\n", "Tnak"},
      {"E111", model("equation\nif a then x = 1;"), "end"},
      {"E112", model("equation\n x = 1;\nend for;"), "end"},
      {"E113", model("equation\n x = 1\n y = 2;"), "1"},
      {"E114", model("equation\n x = 2*;"), ";"},
      {"E115", model("Real input;"), "input"},
      {"E116", model("equation\n x = 1;\n Real y;"), "y"},
      {"E117", model("Real x;\n x = 3;"), "="},
      {"E118", model("equation\n x := 3;"), ":="},
      {"E119", model("algorithm\n x = 3;"), "="},
      {"E120", model("Boolean b = 0 < x < 1;"), "0 < x < 1"},
      {"E121", model("Real x = a^b^c;"), "^"},
      {"E122", model("Real x = 1:2:3:4;"), "1:2:3:4"},
      {"E123", model("Real x = 1 + if a then 1 else 2;"), "if a then 1 else 2"},
      {"E124", model("equation\n x == 3;"), "x == 3"},
      {"E125", model("algorithm\n x + 1 := 3;"), "x + 1"},
      {"E126", "optimization O\nconstraint\n x + 1;\nend O;", "x + 1"},
      {"E127", model("Real x = 1e400;"), "1e400"},
      {"E128", model("replaceable Real x \"a\" constrainedby Real \"b\";"), "constrainedby Real \"b\""},
      {"E129", model("Real x = f(a = 1, 2);"), "2"},
      {"E130", model("A a(break b);"), "break b"},
      {"E131", model("input output Real x;"), "output"},
      {"E132", model("Real x = (a, b);"), "(a, b)"},
      {"E133", "function f external \"C\" f(x) + 1; end f;", "f(x) + 1"},
      {"E134", "expandable model M end M;", "expandable"},
      {"E135", model("Real x = f(function g(1));"), "(1)"},
      {"E136", model("Real x = sum(a = 1 for i in 1:3);"), "(a = 1 for i in 1:3)"},
      {"E138", model("Real x;\nequation\n x = 1;\nequations x = 2;"), "equations"},
      {"E139", model("paramter Real x;"), "paramter"},
      {"W101", model("Real x = 2*-3;"), "-"},
      {"W102", model("annotation(a = 1); Real x;"), "annotation(a = 1)"},
      {"W103", "model M(startTime = 0) end M;", "(startTime = 0)"},
      {"W104", model("Real x = 99999999999999999999;"), "99999999999999999999"},
      {"W105", model("Real x; // caf\xE9"), "\xE9"},
      {"W106", model("parameter String s = \"a\\qb\";"), "\\q"},
      {"W107", model("Boolean b = a == not c;"), "not c"},
  };
}

TEST(Diagnostic, gives_exactly_one_message_with_the_right_code_and_place) {
  for (const Case& c : cases()) {
    Parsed p(c.text);
    EXPECT_EQ(p.codes(), c.code) << c.text;
    ASSERT_FALSE(p.diagnostics.all().empty());
    EXPECT_EQ(p.text(p.diagnostics.all()[0].span), c.marked) << c.code;
    EXPECT_EQ(p.file == nullptr, c.code[0] == 'E') << c.code;
  }
}
TEST(Diagnostic, triggers_every_code) {
  std::set<std::string_view> seen, ids;
  for (const Case& c : cases()) seen.insert(c.code);
  for (const Code* code : all_codes) {
    EXPECT_TRUE(ids.insert(code->id).second) << "two codes are called " << code->id;
    EXPECT_TRUE(seen.count(code->id) || code == &unreadable) << code->id;  // unreadable needs a text of 4 GB
    EXPECT_FALSE(code->explanation.empty());
  }
}

/// Typical slips: the whole message, so that a change of wording is seen.
TEST(Diagnostic, speaks_of_modelica_not_of_tokens) {
  auto says = [](const std::string& body) { return Parsed(model(body)).message(); };
  EXPECT_EQ(says("equation\n x = 1\n y = 2;"), "expected `;` after equation, found `y`");
  EXPECT_EQ(says("Real x\n Real y;"), "expected `;` after declaration, found `Real`");
  EXPECT_EQ(says("algorithm\n x := 1\n y := 2;"), "expected `;` after statement, found `y`");
  EXPECT_EQ(says("equation\n if a\n x = 1; end if;"), "expected `then`, found `x`");
  EXPECT_EQ(says("equation\n for i in 1:3\n x = 1; end for;"), "expected `loop`, found `x`");
  EXPECT_EQ(says("Real x = f(a b);"), "expected `,` or `)`, found `b`");
  EXPECT_EQ(says("Real x = {function f()};"), "expected an expression after `{`, found `function`");
  EXPECT_EQ(says("Real x = if a then 1;"), "expected `else`: an if-expression needs one, found `;`");
  EXPECT_EQ(says("import A.;"), "expected a name, `*` or `{` after the dot, found `;`");
  EXPECT_EQ(says("equation\n x = 1;\n parameter Real y;"), "a declaration is not allowed in an `equation` section");
  EXPECT_EQ(Parsed("x = 3;").message(), "expected a class definition, found `x`");
  EXPECT_EQ(Parsed("model M end M").message(), "expected `;` after class definition, found the end of the file");
}
TEST(Diagnostic, reports_the_missing_semicolon_before_its_late_effects) {
  EXPECT_EQ(Parsed(model("equation\n x = 1\n if a then y = 1; else y = 2; end if;")).codes(), "E113");
  EXPECT_EQ(Parsed(model("equation\n if a then x = 1 end if;")).codes(), "E113");
}
TEST(Diagnostic, names_both_places_of_names_that_disagree) {
  Parsed p("package P\n model A\n end B;\n model C\n end D;\nend P;\n");
  EXPECT_EQ(p.codes(), "E110 E110");
  EXPECT_EQ(p.text(p.diagnostics.all()[0].notes[0].span), "A");
}
TEST(Diagnostic, finds_the_class_that_was_left_open) {
  Parsed p("package P\n model A\n  Real x;\n model B\n end B;\nend P;\n");
  EXPECT_EQ(p.message(), "model `A` is not closed before `end P`");
}
TEST(Diagnostic, suggests_what_was_meant) {
  auto help = [](const std::string& body) {
    Parsed p(model(body));
    const auto& notes = p.diagnostics.all()[0].notes;
    return notes.empty() ? std::string() : notes.back().text;
  };
  EXPECT_EQ(help("equation\n if a then\n x = 1;\n else if b then\n x = 2;\n end if;"),
            "after `else if` a second `end if` is due; `elseif` needs none");
  EXPECT_EQ(help("equation\n if a then\n x = 1;\n elsif b then\n x = 2;\n end if;"), "the word is `elseif`");
  EXPECT_EQ(help("Boolean b = f(if x = 1 then 2 else 3);"), "a comparison is written `==`");
  EXPECT_EQ(help("equation\n for i = 1:3 loop x = 1; end for;"), "a loop is written `for i in 1:n loop`");
  EXPECT_EQ(
      help("\"of least time\" (objective = x(finalTime))\n Real x;"),
      "the attributes of a class stand before its description: `optimization M(objective = ..., finalTime = 1) \"...\"`");
  EXPECT_EQ(help("Real x;\n x = 3;"), "is the word `equation` missing?");
  EXPECT_EQ(help("Real x;\n connect(a, b);"), "is the word `equation` missing?");
  EXPECT_EQ(help("parameter x = 3;"), "is the type, such as `Real`, missing?");
  EXPECT_EQ(help("publc\n Real x;"), "did you mean `public`?");
  EXPECT_EQ(help("Real x;\nconstraint\n x <= 1;"),
            "`constraint` has its meaning directly inside an `optimization` class only");
  EXPECT_EQ(help("Real x;\nequation\n der(x) = 1;\nconstraint\n 2*x <= 1;"),
            "`constraint` has its meaning directly inside an `optimization` class only");
}
TEST(Diagnostic, limits_repeated_warnings) {
  std::string text = "Real x = 1";
  for (int i = 0; i < 1000; ++i) text += "*-2";
  Parsed p(model(text + ";"));
  EXPECT_TRUE(p.file);
  EXPECT_LE(p.diagnostics.warnings(), 50u);
}

}  // namespace
}  // namespace bolza::syntax
