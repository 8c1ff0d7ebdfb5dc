// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/instance/build/instantiate.h"
#include "compiler/instance/evaluate.h"
#include "compiler/instance/values/evaluator_internal.h"

namespace bolza::instance {
namespace {

/// The values of expressions over the library in stdlib/, computed by interpreting it.
struct Evaluated {
  Sources sources;
  Diagnostics diagnostics;
  Value value;
  bool good = false;

  Evaluated(const std::string& type, const std::string& expression) {
    Library library(sources, {{}, BOLZA_SOURCE_DIR "/stdlib", "", {.level = Trust::Level::everything}});
    std::string text = "model M\n  constant " + type + " v = " + expression + ";\nend M;\n";
    if (!library.add_text("test.mo", text, diagnostics)) return;
    auto tree = instantiate(library, "M", {}, diagnostics);
    if (!tree) return;
    auto found = value_of(*tree, *tree->root().child("v"), {}, {}, diagnostics);
    if (!found) return;
    value = *found;
    good = true;
  }
  std::string message() const { return diagnostics.all().empty() ? "" : render(diagnostics.all().back(), sources); }
};

double number(const std::string& expression) {
  Evaluated e("Real", expression);
  EXPECT_TRUE(e.good) << expression << "\n" << e.message();
  return e.good ? e.value.number() : NAN;
}
std::vector<double> numbers(const std::string& type, const std::string& expression) {
  Evaluated e(type, expression);
  EXPECT_TRUE(e.good) << expression << "\n" << e.message();
  return e.value.numbers;
}

constexpr double rounding = 4e-15;  // a few operations on numbers of size 1

TEST(Stdlib, says_where_what_it_lacks_can_be_had) {
  for (const char* text : {"Modelica.Fluid.System s;", "import Modelica.Fluid.System; System s;"}) {
    Sources sources;
    Diagnostics diagnostics;
    Library library(sources, {{}, BOLZA_SOURCE_DIR "/stdlib"});
    ASSERT_TRUE(library.add_text("test.mo", "model M " + std::string(text) + " end M;", diagnostics));
    EXPECT_FALSE(instantiate(library, "M", {}, diagnostics));
    ASSERT_FALSE(diagnostics.all().empty());
    std::string message = render(diagnostics.all()[0], sources);
    EXPECT_NE(message.find("comes with a part of the library `Modelica`"), std::string::npos) << message;
  }
}

TEST(Stdlib, gives_the_constants_of_nature) {
  EXPECT_DOUBLE_EQ(number("Modelica.Constants.pi"), M_PI);
  EXPECT_NEAR(number("Modelica.Constants.R"), 8.31446261815324, 1e-13);                // CODATA 2018
  EXPECT_NEAR(number("Modelica.Constants.F"), 96485.33212331, 1e-8);                   // CODATA 2018
  EXPECT_NEAR(number("Modelica.Constants.epsilon_0") / 8.8541878128e-12, 1.0, 1e-10);  // CODATA 2018
  double boltzmann_from_others =
      2 * std::pow(M_PI, 5) * std::pow(1.380649e-23, 4) / (15 * std::pow(6.62607015e-34, 3) * std::pow(299792458.0, 2));
  EXPECT_NEAR(number("Modelica.Constants.sigma") / boltzmann_from_others, 1.0, 1e-9);
}
TEST(Stdlib, computes_elementary_functions) {
  EXPECT_NEAR(number("Modelica.Math.sin(0.7)"), std::sin(0.7), rounding);
  EXPECT_NEAR(number("Modelica.Math.atan2(-1, -2)"), std::atan2(-1.0, -2.0), rounding);
  EXPECT_NEAR(number("Modelica.Math.log10(50)"), std::log10(50.0), rounding);
  for (double u : {-1e6, -2.0, -0.1, 0.0, 0.3, 5.0})
    EXPECT_NEAR(number("Modelica.Math.asinh(" + std::to_string(u) + ")"), std::asinh(u),
                rounding * std::max(1.0, std::fabs(std::asinh(u))));
  EXPECT_NEAR(number("Modelica.Math.acosh(1.5)"), std::acosh(1.5), rounding);
  EXPECT_NEAR(number("Modelica.Math.atan3(1, 0, 10)"), M_PI / 2 + 2 * M_PI, 1e-14);
}
TEST(Stdlib, converts_units_and_back) {
  EXPECT_NEAR(number("Modelica.Units.Conversions.from_degC(25)"), 298.15, 1e-12);
  EXPECT_NEAR(number("Modelica.Units.Conversions.from_degF(212)"), 373.15, 1e-12);
  EXPECT_NEAR(number("Modelica.SIunits.Conversions.from_rpm(60)"), 2 * M_PI, rounding);
  for (std::string unit :
       {"degC", "degF", "degRk", "deg", "rpm", "kmh", "day", "hour", "minute", "litre", "Ah", "Wh", "kWh", "bar", "gps"})
    EXPECT_NEAR(number("Modelica.Units.Conversions.to_" + unit + "(Modelica.Units.Conversions.from_" + unit + "(12.5))"),
                12.5, 1e-12)
        << unit;
}
TEST(Stdlib, computes_norms) {
  EXPECT_NEAR(number("Modelica.Math.Vectors.norm({3, -4})"), 5, rounding);
  EXPECT_NEAR(number("Modelica.Math.Vectors.norm({3, -4}, 1)"), 7, rounding);
  EXPECT_NEAR(number("Modelica.Math.Vectors.norm({3, -4}, Modelica.Constants.inf)"), 4, rounding);
  EXPECT_NEAR(number("Modelica.Math.Vectors.norm({3, -4}, 3)"), std::cbrt(91.0), rounding);
  EXPECT_NEAR(number("Modelica.Math.Vectors.length(Modelica.Math.Vectors.normalize({3, -4}))"), 1, rounding);
  EXPECT_NEAR(number("Modelica.Math.Matrices.norm([1, -2; 3, 4], 1)"), 6, rounding);
}
TEST(Stdlib, solves_linear_systems_with_row_exchange) {
  // the first pivot is zero; x = {1, -2, 3} by construction
  std::vector<double> x = numbers("Real[3]", "Modelica.Math.Matrices.solve([0, 2, 1; 1, 1, 1; 4, -1, 2], {-1, 2, 12})");
  ASSERT_EQ(x.size(), 3u);
  EXPECT_NEAR(x[0], 1, 1e-14);
  EXPECT_NEAR(x[1], -2, 1e-14);
  EXPECT_NEAR(x[2], 3, 1e-14);
  EXPECT_NEAR(number("Modelica.Math.Matrices.det([0, 2, 1; 1, 1, 1; 4, -1, 2])"), -1, 1e-14);  // by Sarrus' rule
  std::vector<double> unit = numbers("Real[2, 2]", "Modelica.Math.Matrices.inv([4, 7; 2, 6])*[4, 7; 2, 6]");
  EXPECT_NEAR(unit[0], 1, 1e-14);
  EXPECT_NEAR(unit[1], 0, 1e-14);
}

constexpr const char* spline = "Modelica.DOML.Inputs.Functions.spline";
constexpr const char* curvatures = "Modelica.DOML.Inputs.Functions.curvatures";

TEST(Doml, interpolates_a_polygon_and_keeps_the_ends) {
  auto at = [](const std::string& t) { return number(std::string(spline) + "([0, 1; 2, 5; 3, 4], zeros(3), " + t + ")"); };
  EXPECT_NEAR(at("-1"), 1, rounding);
  EXPECT_NEAR(at("0.5"), 2, rounding);
  EXPECT_NEAR(at("2"), 5, rounding);
  EXPECT_NEAR(at("2.25"), 4.75, rounding);
  EXPECT_NEAR(at("9"), 4, rounding);
}
TEST(Doml, takes_the_last_of_equal_times) {
  EXPECT_NEAR(number(std::string(spline) + "([0, 1; 1, 1; 1, 3; 2, 3], zeros(4), 1.5)"), 3, rounding);
}
/// Points of the natural spline through (0,0), (1,1), (2,0): by symmetry m = {0, -3, 0} and y(t) = (3t - t^3)/2 on [0, 1].
TEST(Doml, interpolates_with_the_natural_cubic_spline) {
  std::vector<double> m = numbers("Real[3]", std::string(curvatures) + "([0, 0; 1, 1; 2, 0])");
  EXPECT_NEAR(m[1], -3, rounding);
  for (double t : {0.0, 0.25, 0.5, 1.0})
    EXPECT_NEAR(number(std::string(spline) + "([0, 0; 1, 1; 2, 0], {0, -3, 0}, " + std::to_string(t) + ")"),
                (3 * t - t * t * t) / 2, rounding);
}
/// Natural splines of sin on [0, pi], whose second derivative vanishes at both ends, converge with order 4.
TEST(Doml, converges_with_order_four) {
  auto error = [](int n) {
    std::string points = "[";
    for (int i = 0; i <= n; ++i) {
      char row[80];
      std::snprintf(row, sizeof row, "%s%.17g, %.17g", i ? "; " : "", i * M_PI / n, std::sin(i * M_PI / n));
      points += row;
    }
    points += "]";
    double t = M_PI * (n / 2 + 0.5) / n;
    char at[40];
    std::snprintf(at, sizeof at, "%.17g", t);
    return std::fabs(number(std::string(spline) + "(" + points + ", " + curvatures + "(" + points + "), " + at + ")") -
                     std::sin(t));
  };
  EXPECT_NEAR(std::log2(error(8) / error(16)), 4, 0.3);
}
TEST(Doml, holds_one_value_on_each_interval) {
  auto at = [](const std::string& t) {
    return number("Modelica.DOML.Inputs.Functions.staircase(1, 4, {7, 8, 9}, " + t + ")");
  };
  EXPECT_EQ(at("0"), 7);
  EXPECT_EQ(at("1.9"), 7);
  EXPECT_EQ(at("2"), 8);
  EXPECT_EQ(at("3.5"), 9);
  EXPECT_EQ(at("5"), 9);
}
TEST(Doml, evaluates_polynomials) {
  EXPECT_NEAR(number("Modelica.DOML.Inputs.Functions.polynomial({1, -2, 3}, 2)"), 9, rounding);
}

TEST(ReadTable, reads_rows_of_numbers_with_any_separator) {
  for (std::string text :
       {"1,2.5\n3,-4e1\n", "t;y\n1; 2.5\n3;-40", "# data\n\ntime y\r\n 1   +2.5\r\n3 -40\r\n", "1\t2.5\n3\t-40"}) {
    Diagnostics d;
    auto table = table_of_text(text, "t.csv", {}, d);
    ASSERT_TRUE(bool(table)) << text;
    EXPECT_EQ(table->dimensions, (std::vector<std::int64_t>{2, 2}));
    EXPECT_EQ(table->numbers, (std::vector<double>{1, 2.5, 3, -40}));
  }
}
TEST(ReadTable, says_what_is_wrong_and_where) {
  auto message = [](const std::string& text) {
    Diagnostics d;
    auto table = table_of_text(text, "t.csv", {}, d);
    return table ? "good" : d.all()[0].message;
  };
  EXPECT_EQ(message("1,2\n3\n"), "cannot read the table `t.csv`: line 2 has 1 numbers, the lines before it 2");
  EXPECT_EQ(message("a,b\n1,2\n3,x\n"), "cannot read the table `t.csv`: line 3: `x` is not a number");
  EXPECT_EQ(message("1,2\n3,\n"), "cannot read the table `t.csv`: line 2: cell 2 is empty");
  EXPECT_EQ(message("1,5;2\n"),
            "cannot read the table `t.csv`: line 1: `1,5` is not a number; decimals are written with a point");
  EXPECT_EQ(message("NA,2\n1,3\n"), "cannot read the table `t.csv`: line 1: `NA` is not a number");
  EXPECT_EQ(message("only,words\n"), "cannot read the table `t.csv`: it has no numbers");
}
TEST(ReadTable, finds_the_file_beside_the_model) {
  Evaluated missing("Real[1, 1]", "Modelica.DOML.readTable(\"nowhere.csv\")");
  EXPECT_FALSE(missing.good);
  EXPECT_NE(missing.message().find("E243"), std::string::npos) << missing.message();
  Evaluated found("Real[:, :]", "Modelica.DOML.readTable(\"" BOLZA_SOURCE_DIR "/examples/pinene.csv\")");
  ASSERT_TRUE(found.good) << found.message();
  EXPECT_EQ(found.value.dimensions, (std::vector<std::int64_t>{8, 6}));
  EXPECT_EQ(found.value.numbers[1], 88.35);
}

/// Every non-partial class of the library can be instantiated, with sizes where it needs them.
TEST(Stdlib, instantiates_all_blocks) {
  for (std::string block : {"Sources.RealExpression",
                            "Sources.ContinuousClock",
                            "Sources.Clock",
                            "Sources.Constant",
                            "Sources.Step",
                            "Sources.Ramp",
                            "Sources.Sine",
                            "Sources.Cosine",
                            "Sources.ExpSine",
                            "Sources.TimeTable b(table = [0, 1; 2, 3])",
                            "Continuous.Integrator",
                            "Continuous.Derivative",
                            "Continuous.FirstOrder",
                            "Continuous.SecondOrder",
                            "Continuous.PI",
                            "Continuous.StateSpace b(A = [1, 2; 3, 4], B = [1; 0], C = [0, 1])",
                            "Math.Gain",
                            "Math.Add",
                            "Math.Add3",
                            "Math.Feedback",
                            "Math.Product",
                            "Math.Division",
                            "Math.Sum b(nin = 3)",
                            "Math.MultiSum b(nin = 2)",
                            "Math.MatrixGain b(K = [1, 2, 3])",
                            "Math.Max",
                            "Math.Min",
                            "Math.Abs",
                            "Math.Sqrt",
                            "Math.Sin",
                            "Math.Log",
                            "Math.Atan2"}) {
    Sources sources;
    Diagnostics diagnostics;
    Library library(sources, {{}, BOLZA_SOURCE_DIR "/stdlib"});
    std::string component = "Modelica.Blocks." + block + (block.find(' ') == std::string::npos ? " b" : "");
    ASSERT_TRUE(library.add_text("test.mo", "model M\n  " + component + ";\nend M;\n", diagnostics));
    auto tree = instantiate(library, "M", {}, diagnostics);
    EXPECT_TRUE(bool(tree)) << component << "\n" << (diagnostics.all().empty() ? "" : render(diagnostics.all()[0], sources));
  }
}
TEST(Doml, instantiates_all_inputs) {
  for (std::string block :
       {"Constant b(k = 2)", "PiecewiseConstant b(values = {1, 2})", "Spline b(degree = 3, table = [0, 1; 1, 2; 2, 4])",
        "Polynomial b(coefficients = {1, 2})", "Fourier b(a = {1, 2})", "Table b(table = [0, 1, 2; 1, 3, 4], column = 3)"}) {
    Sources sources;
    Diagnostics diagnostics;
    Library library(sources, {{}, BOLZA_SOURCE_DIR "/stdlib"});
    ASSERT_TRUE(library.add_text("test.mo", "model M\n  import I = Modelica.DOML.Inputs;\n  I." + block + ";\nend M;\n",
                                 diagnostics));
    auto tree = instantiate(library, "M", {}, diagnostics);
    EXPECT_TRUE(bool(tree)) << block << "\n" << (diagnostics.all().empty() ? "" : render(diagnostics.all()[0], sources));
  }
}

TEST(Library, strings_are_measured_and_searched) {
  auto whole = [](const std::string& expression) { return number("Modelica.Utilities.Strings." + expression); };
  EXPECT_EQ(whole("length(\"größe\")"), 5);
  EXPECT_EQ(whole("length(\"\")"), 0);
  EXPECT_EQ(whole("find(\"abcabc\", \"ca\")"), 3);
  EXPECT_EQ(whole("find(\"abcabc\", \"BC\", 3, false)"), 5);
  EXPECT_EQ(whole("find(\"abc\", \"abcd\")"), 0);
  EXPECT_EQ(whole("findLast(\"abcabc\", \"bc\")"), 5);
  EXPECT_EQ(whole("count(\"aaaaa\", \"aa\")"), 2);
  EXPECT_EQ(whole("count(\"abc\", \"x\")"), 0);
}
TEST(Library, strings_are_cut_and_built) {
  auto text = [](const std::string& expression) {
    Evaluated e("String", "Modelica.Utilities.Strings." + expression);
    EXPECT_TRUE(e.good) << expression << "\n" << e.message();
    return e.good ? e.value.text() : "";
  };
  EXPECT_EQ(text("substring(\"größe\", 3, 4)"), "öß");
  EXPECT_EQ(text("substring(\"abc\", 2, 1)"), "");
  EXPECT_EQ(text("repeat(3, \"ab\")"), "ababab");
  EXPECT_EQ(text("repeat(0, \"ab\")"), "");
  EXPECT_EQ(text("replace(\"a.b.c\", \".\", \"::\")"), "a::b::c");
  EXPECT_EQ(text("replace(\"a.b.c\", \".\", \"::\", replaceAll = false)"), "a::b.c");
  Evaluated outside("String", "Modelica.Utilities.Strings.substring(\"abc\", 2, 4)");
  EXPECT_FALSE(outside.good);
  EXPECT_NE(outside.message().find("characters 2 to 4"), std::string::npos) << outside.message();
}
TEST(Library, strings_are_compared) {
  auto truth = [](const std::string& expression) {
    Evaluated e("Boolean", expression);
    EXPECT_TRUE(e.good) << expression << "\n" << e.message();
    return e.good && e.value.number() != 0;
  };
  EXPECT_TRUE(truth("Modelica.Utilities.Strings.isEqual(\"Ab\", \"aB\", caseSensitive = false)"));
  EXPECT_FALSE(truth("Modelica.Utilities.Strings.isEqual(\"Ab\", \"aB\")"));
  EXPECT_TRUE(truth("Modelica.Utilities.Strings.isEmpty(\" \\t\")"));
  EXPECT_FALSE(truth("Modelica.Utilities.Strings.isEmpty(\" x\")"));
  EXPECT_TRUE(truth("Modelica.Utilities.Strings.compare(\"a\", \"b\") == Modelica.Utilities.Types.Compare.Less"));
}

}  // namespace
}  // namespace bolza::instance
