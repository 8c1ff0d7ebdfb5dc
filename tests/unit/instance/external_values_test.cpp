// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>

#include "made.h"

namespace bolza::instance {
namespace {

const std::string strings =
    "function sub input String s; input Integer i; input Integer j; output String r; external \"C\" r = "
    "ModelicaStrings_substring(s, i, j); end sub;"
    "function len input String s; output Integer n; external \"C\" n = ModelicaStrings_length(s); end len;"
    "type Compare = enumeration(Less, Equal, Greater);"
    "function cmp input String a; input String b; input Boolean c = true; output Compare r; external \"C\" r = "
    "ModelicaStrings_compare(a, b, c); end cmp;"
    "function scanReal input String s; input Integer i = 1; input Boolean u = false; output Integer next; output Real x;"
    "  external \"C\" ModelicaStrings_scanReal(s, i, u, next, x); end scanReal;"
    "function scanInteger input String s; input Integer i = 1; input Boolean u = false; output Integer next; output Integer "
    "x;"
    "  external \"C\" ModelicaStrings_scanInteger(s, i, u, next, x); end scanInteger;"
    "function skip input String s; input Integer i = 1; output Integer n; external \"C\" n = "
    "ModelicaStrings_skipWhiteSpace(s, i); end skip;"
    "function word input String s; input Integer i = 1; output Integer next; output String w;"
    "  external \"C\" ModelicaStrings_scanIdentifier(s, i, next, w); end word;"
    "function second input String s; output Real x; protected Integer n; algorithm (n, x) := scanReal(s); (n, x) := "
    "scanReal(s, n); end second;"
    "function secondWord input String s; output String w; protected Integer n; algorithm (n, w) := word(s); (n, w) := "
    "word(s, n); end secondWord;"
    "function second_integer input String s; output Integer x; protected Integer n; algorithm (n, x) := scanInteger(s); end "
    "second_integer;";

std::string in_model(const std::string& type, const std::string& expression) {
  Made m(strings + "model M constant " + type + " v = " + expression + "; end M;");
  return m.good() ? m.value("v") : m.codes();
}

TEST(ExternalValues, of_strings_follow_the_c_functions) {
  EXPECT_EQ(in_model("String", "sub(\"Dyn5\", 1, 1)"), "\"D\"");
  EXPECT_EQ(in_model("String", "sub(\"Dyn5\", 2, 4)"), "\"yn5\"");
  EXPECT_EQ(in_model("Integer", "len(\"four\")"), "4");
  EXPECT_EQ(in_model("Boolean", "cmp(\"a\", \"b\") == Compare.Less"), "true");
  EXPECT_EQ(in_model("Boolean", "cmp(\"A\", \"a\", false) == Compare.Equal"), "true");
  EXPECT_EQ(in_model("Integer", "skip(\"   x\")"), "4");
  EXPECT_EQ(in_model("String", "sub(\"abc\", 0, 2)"), "E238");
}

TEST(ExternalValues, of_other_kinds_than_the_c_functions_take_or_return_are_refused) {
  auto declared = [](const std::string& inputs, const std::string& output, const std::string& call, const std::string& use) {
    Made m("function f " + inputs + " output " + output + " y; external \"C\" y = " + call + "; end f; model M constant " +
           use + "; end M;");
    return m.good() ? m.value("v") : m.codes();
  };
  EXPECT_EQ(declared("input String s;", "String", "ModelicaStrings_substring(s, s, 1)", "String v = f(\"ab\")"), "E238");
  EXPECT_EQ(declared("input Real s;", "Integer", "ModelicaStrings_length(s)", "Integer v = f(1)"), "E238");
  EXPECT_EQ(declared("input String s[2];", "Integer", "ModelicaStrings_length(s)", "Integer v = f({\"a\", \"b\"})"), "E238");
  EXPECT_EQ(declared("input String s;", "Integer", "ModelicaStrings_substring(s, 1, 1)", "Integer v = f(\"ab\")"), "E242");
  EXPECT_EQ(declared("input String s;", "Integer", "ModelicaStrings_length(s)", "Integer v = f(\"ab\")"), "2");
}

TEST(ExternalValues, of_scanning_give_the_next_place_and_the_number) {
  EXPECT_EQ(in_model("Integer", "scanReal(\"  -1.5e2, 3\")"), "9");  // the first output is the next place
  EXPECT_EQ(in_model("Real", "second(\" 4.25  -1.5e2\")"), "-150");
  EXPECT_EQ(in_model("Integer", "scanReal(\"-1\", 1, true)"), "1");  // unsigned: nothing is read
  EXPECT_EQ(in_model("Integer", "scanInteger(\"1.5\")"), "1");
  EXPECT_EQ(in_model("Integer", "second_integer(\" +17 \")"), "17");
  EXPECT_EQ(in_model("String", "secondWord(\" abc d_1+\")"), "\"d_1\"");
}

TEST(ExternalValues, of_files_resolve_names_inside_packages) {
  namespace fs = std::filesystem;
  fs::path folder = fs::temp_directory_path() / "bolza_external_values";
  fs::create_directories(folder / "Lib/Resources");
  std::ofstream(folder / "Lib/package.mo") << "package Lib\nend Lib;\n";
  std::ofstream(folder / "Lib/Resources/data.txt") << "one\ntwo\n";
  std::string functions =
      "function full input String n; output String r; external \"C\" r = ModelicaInternal_fullPathName(n); end full;"
      "function lines input String n; output Integer r; external \"C\" r = ModelicaInternal_countLines(n); end lines;"
      "function line input String n; input Integer k; output String r; output Boolean e; external \"C\" r = "
      "ModelicaInternal_readLine(n, k, e); end line;"
      "model M constant String a = full(\"modelica://Lib/Resources/data.txt\"); constant Integer n = lines(a); constant "
      "String b = line(a, 2);"
      "constant Integer none = lines(\"nowhere.txt\"); constant String folder = full(\"modelica://Lib/Resources/\"); end M;";
  LibraryOptions options;
  options.modelica_path = {folder.string()};
  Made m(functions, "M", {}, options);
  ASSERT_TRUE(m.good()) << m.messages();
  EXPECT_EQ(m.value("a"), "\"" + fs::weakly_canonical(folder / "Lib/Resources/data.txt").generic_string() + "\"");
  EXPECT_EQ(m.value("folder"), "\"" + fs::weakly_canonical(folder / "Lib/Resources").generic_string() + "/\"");
  EXPECT_EQ(m.value("n"), "2");
  EXPECT_EQ(m.value("b"), "\"two\"");
  EXPECT_EQ(m.value("none"), "E238");
  fs::remove_all(folder);
}

}  // namespace
}  // namespace bolza::instance
