// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/unit.h"
#include "compiler/ir/unit_spelling.h"

#include <gtest/gtest.h>

#include <numbers>

namespace bolza::ir {
namespace {

Unit unit(const char* text) {
  auto read = parse_unit(text);
  EXPECT_TRUE(read) << text;
  return read.value_or(Unit{});
}

TEST(Units, have_one_reading_for_one_meaning) {
  for (auto [a, b] : {std::pair{"N.m", "J"},
                      {"kg.m/s2", "N"},
                      {"W/(m2.K)", "kg/(s3.K)"},
                      {"V.A", "W"},
                      {"1/s", "Hz"},
                      {"m3/(kg.s2)", "m3.kg-1.s-2"},
                      {"kN/mm2", "GPa"},
                      {"rad/s", "s-1"},
                      {"Ohm.S", "1"},
                      {"mol/(m3)", "mol.m-3"}})
    EXPECT_TRUE(unit(a).same_scale(unit(b))) << a << " " << b;
}

TEST(Units, are_guessed_from_spellings_of_others) {
  for (auto [text, meant] : {std::pair{"m/s^2", "m/s2"},
                             {"m/s**2", "m/s2"},
                             {"kg*m/s", "kg.m/s"},
                             {"J/kg/K", "J/(kg.K)"},
                             {"J/kg.K", "J/(kg.K)"},
                             {"kJ / kg K", "kJ/(kg.K)"},
                             {"W/m\u00b2", "W/m2"},
                             {"rpm", "rev/min"},
                             {"\u00b0C", "degC"},
                             {"sec", "s"},
                             {"[m]", "m"},
                             {"l/hr", "l/h"},
                             {"-", "1"}})
    EXPECT_EQ(meant_unit(text), meant) << text;
  for (const char* read : {"m/s2", "N.m", "1", "", "rev/min"}) EXPECT_EQ(meant_unit(read), "") << read;
  for (const char* unknown : {"EUR", "cells/ml", "furlong", "m//s"}) EXPECT_EQ(meant_unit(unknown), "") << unknown;
}

TEST(Units, know_factors_and_offsets) {
  EXPECT_DOUBLE_EQ(unit("km/h").factor, 1 / 3.6);
  EXPECT_DOUBLE_EQ(unit("deg").factor, std::numbers::pi / 180);
  EXPECT_DOUBLE_EQ(unit("cm3").factor, 1e-6);
  EXPECT_DOUBLE_EQ(unit("mg").factor, 1e-6);
  EXPECT_DOUBLE_EQ(unit("dam").factor, 10);
  EXPECT_EQ(unit("degC").offset, 273.15);
  EXPECT_TRUE(unit("degC").same_dimension(unit("K")));
  EXPECT_FALSE(unit("degC").same_scale(unit("K")));
}

TEST(Units, prefer_a_symbol_to_a_prefix) {
  EXPECT_EQ(unit("min").factor, 60);                     // not milli-inch
  EXPECT_TRUE(unit("cd").same_scale(unit("lm")));        // not centi-day
  EXPECT_TRUE(unit("Pa").same_dimension(unit("N/m2")));  // not peta-year
  EXPECT_TRUE(unit("m.s").same_dimension(unit("s.m")));
  EXPECT_EQ(unit("ms").factor, 1e-3);
}

TEST(Units, that_are_none_are_not_read) {
  for (const char* text : {"", "m/", "m/s/s", "m..s", "foo", "m s", "(m", "m)", "2", "/s", "m^2", "kmin"})
    EXPECT_FALSE(parse_unit(text)) << text;
}

TEST(Units, have_roots_and_powers) {
  EXPECT_TRUE(unit_power(unit("m2"), 0.5)->same_scale(unit("m")));
  EXPECT_TRUE(unit_power(*unit_power(unit("m"), 0.5), 2)->same_scale(unit("m")));
  EXPECT_TRUE(unit_power(unit("s"), -2)->same_scale(unit("1/s2")));
  EXPECT_FALSE(unit_power(unit("m"), 0.123));
}

TEST(Units, are_written_by_name_or_by_base_units) {
  EXPECT_EQ(to_text(unit("kg.m2/s3")), "W");
  EXPECT_EQ(to_text(unit("m/s2")), "m/s2");
  EXPECT_EQ(to_text(unit("J/(kg.K)")), "m2/(s2.K)");
  EXPECT_EQ(to_text(unit("km")), "1000 m");
  EXPECT_EQ(to_text(unit("rad")), "1");
  EXPECT_EQ(to_text(unit("degC")), "degC");
}

}  // namespace
}  // namespace bolza::ir
