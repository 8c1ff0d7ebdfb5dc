// SPDX-License-Identifier: Apache-2.0
// What a setting of a study ranges over.
#include "workflow/study/axis.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bolza::workflow {
namespace {

StudyAxis axis_of(const char* setting) {
  Diagnostics diagnostics;
  auto axis = read_axis(setting, diagnostics);
  EXPECT_TRUE(axis && *axis) << setting;
  return axis && *axis ? **axis : StudyAxis{};
}

std::string refusal_of(const char* setting) {
  Diagnostics diagnostics;
  auto axis = read_axis(setting, diagnostics);
  EXPECT_TRUE(axis.failed()) << setting;
  return diagnostics.all().empty() ? "" : diagnostics.all()[0].message;
}

double quantile_of(const char* setting, double share) { return axis_of(setting).drawn->quantile(share); }

TEST(StudyAxis, lists_numbers_with_both_ends) {
  EXPECT_EQ(axis_of("k=range(0.1, 2, 20)").number(19), 2);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(axis_of("k=range(-1,1,5)").number(k), 0.5 * static_cast<double>(k) - 1);
  EXPECT_EQ(axis_of("k=range(3,3,1)").value(0), "3");
  StudyAxis ratios = axis_of("k=logrange(0.01, 100, 5)");
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(ratios.number(k) / std::pow(10, static_cast<double>(k) - 2), 1, 1e-14);
}

TEST(StudyAxis, takes_what_stands_in_a_modifier_and_any_text) {
  StudyAxis start = axis_of("tank.h(start = range(1, 2, 2), fixed=true)");
  EXPECT_EQ(start.before + start.value(1) + start.after, "tank.h(start = 2, fixed=true)");
  StudyAxis words = axis_of("a=choices({1, 2}, f(3, 4), \"x, y\")");
  EXPECT_EQ(words.choices, (std::vector<std::string>{"{1, 2}", "f(3, 4)", "\"x, y\""}));
  EXPECT_FALSE(words.is_numeric());
}

TEST(StudyAxis, leaves_settings_with_one_value_alone) {
  for (const char* setting : {"k=2", "k=myrange(1,2,3)", "k=P.range(1,2,3)", "k=range", "k=1+range(1,2,3)", "x(start=-1)"}) {
    Diagnostics diagnostics;
    auto axis = read_axis(setting, diagnostics);
    EXPECT_TRUE(axis && !*axis) << setting;
  }
}

TEST(StudyAxis, refuses_what_gives_no_values) {
  EXPECT_NE(refusal_of("k=range(0, 1, 0)").find("an integer"), std::string::npos);
  EXPECT_NE(refusal_of("k=range(0, 1, 2.5)").find("an integer"), std::string::npos);
  EXPECT_NE(refusal_of("k=range(0, nan, 3)").find("`nan` is not a finite number"), std::string::npos);
  EXPECT_NE(refusal_of("k=choices(1, inf)").find("`inf` is not a finite number"), std::string::npos);
  EXPECT_NE(refusal_of("k=choices(1,,2)").find("empty"), std::string::npos);
  EXPECT_NE(refusal_of("k=range(0, 1, 1)").find("both 0 and 1"), std::string::npos);
  EXPECT_NE(refusal_of("k=range(0, 1, 1e12)").find("an integer"), std::string::npos);
  EXPECT_NE(refusal_of("k=logrange(-1, 1, 3)").find("same sign"), std::string::npos);
  EXPECT_NE(refusal_of("k=normal(0, 0)").find("positive"), std::string::npos);
  EXPECT_NE(refusal_of("k=normal(0, 1, 2)").find("both ends"), std::string::npos);
  EXPECT_NE(refusal_of("k=uniform(1, 1)").find("not below"), std::string::npos);
  EXPECT_NE(refusal_of("k=triangular(0, 2, 1)").find("mode"), std::string::npos);
  EXPECT_NE(refusal_of("k=loguniform(0, 1)").find("positive ends"), std::string::npos);
  EXPECT_NE(refusal_of("x(start=range(1,2,2), max=range(1,2,2))").find("one range"), std::string::npos);
  EXPECT_NE(refusal_of("k=range(1,2").find("not closed"), std::string::npos);
  EXPECT_NE(refusal_of("k=uniform(1)").find("uniform(low, high)"), std::string::npos);
}

TEST(StudyAxis, has_quantiles_in_closed_form) {
  EXPECT_DOUBLE_EQ(quantile_of("k=uniform(-1, 3)", 0.25), 0);
  EXPECT_DOUBLE_EQ(quantile_of("k=range(-1, 3)", 0.25), 0);
  EXPECT_NEAR(quantile_of("k=loguniform(1, 100)", 0.5), 10, 1e-13);
  EXPECT_NEAR(quantile_of("k=triangular(0, 1, 3)", 1.0 / 3), 1, 1e-15);  // the mode has a third below it
  EXPECT_NEAR(quantile_of("k=triangular(0, 1, 3)", 1 - 1.0 / 6), 2, 1e-15);
  EXPECT_NEAR(quantile_of("k=normal(5, 2)", 0.841344746068543), 7, 1e-12);  // Φ(1)
  EXPECT_NEAR(quantile_of("k=lognormal(1, 0.5)", 0.5), std::exp(1), 1e-14);
  EXPECT_NEAR(quantile_of("k=normal(0, 1, 0, 100)", 0.5), 0.674489750196082, 1e-12);  // the median of |Z|
  EXPECT_LE(quantile_of("k=normal(0, 1, -0.1, 0.1)", 1 - 1e-16), 0.1);
}

// Of bisection with 60 digits. What is far out has no probability that a double could tell from none.
TEST(StudyAxis, has_quantiles_between_ends_far_from_the_mean) {
  struct Case {
    const char* ends;
    double share, quantile;
  };
  for (const Case& c : {Case{"9, 10", 0.5, 9.0757797137385441571}, Case{"9, 10", 1 - 0x1p-10, 9.7251092714339457383},
                        Case{"37, 40", 0.25, 37.007768709688421122}, Case{"50, 51", 0.5, 50.013855486862126695},
                        Case{"3, 3.5", 0.75, 3.2838779220536283839}, Case{"0, 1", 0.5, 0.44177054668658128752},
                        Case{"2.9, 3.1", 0.5, 2.985255390045140895}, Case{"0.5, 8", 1 - 0x1p-20, 4.9949570417375235434},
                        Case{"-1, 2", 0.3125, -0.21607133705874862047}, Case{"-1, 9", 1 - 0x1p-17, 4.3628499130346694223},
                        Case{"1e4, 10001", 0.5, 10000.000069314717123}, Case{"-10, -9", 0.5, -9.0757797137385441571},
                        Case{"-51, -50", 0.5, -50.013855486862126695}}) {
    std::string setting = std::string("k=normal(0, 1, ") + c.ends + ")";
    EXPECT_NEAR(quantile_of(setting.c_str(), c.share) / c.quantile, 1, 4e-14) << setting;
  }
  EXPECT_NEAR(quantile_of("k=lognormal(1, 2, 1e9, 1e12)", 0.5) / 1148771818.4837541, 1, 1e-11);
}

}  // namespace
}  // namespace bolza::workflow
