// SPDX-License-Identifier: Apache-2.0
// Tables of the Modelica library, against values of its C code (ModelicaStandardTables, version 4.1.0).
#include "tests/unit/flatten/flattened.h"

namespace bolza::flatten::testing {
namespace {

/// The classes and functions of the library that the tables are recognised by, and a model that reads one.
const char* library = R"(
  type Smoothness = enumeration(linear, akima, steps, fritsch, steffen, makima);
  type Extrapolation = enumeration(hold, last, periodic, none);
  type TimeEvents = enumeration(always, jumps, none);
  class ExternalCombiTable1D
    extends ExternalObject;
    function constructor
      input String tableName;
      input String fileName;
      input Real table[:, :];
      input Integer columns[:];
      input Smoothness smoothness;
      input Extrapolation extrapolation;
      output ExternalCombiTable1D id;
      external "C" id = ModelicaStandardTables_CombiTable1D_init3(fileName, tableName, table);
    end constructor;
  end ExternalCombiTable1D;
  class ExternalCombiTable2D
    extends ExternalObject;
    function constructor
      input String tableName;
      input String fileName;
      input Real table[:, :];
      input Smoothness smoothness;
      input Extrapolation extrapolation;
      output ExternalCombiTable2D id;
      external "C" id = ModelicaStandardTables_CombiTable2D_init3(fileName, tableName, table);
    end constructor;
  end ExternalCombiTable2D;
  class ExternalCombiTimeTable
    extends ExternalObject;
    function constructor
      input String tableName;
      input String fileName;
      input Real table[:, :];
      input Real startTime;
      input Integer columns[:];
      input Smoothness smoothness;
      input Extrapolation extrapolation;
      input Real shiftTime = 0.0;
      input TimeEvents timeEvents = TimeEvents.always;
      output ExternalCombiTimeTable id;
      external "C" id = ModelicaStandardTables_CombiTimeTable_init3(fileName, tableName, table);
    end constructor;
  end ExternalCombiTimeTable;
  function value
    input ExternalCombiTable1D id;
    input Integer column;
    input Real u;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTable1D_getValue(id, column, u);
  end value;
  function slope
    input ExternalCombiTable1D id;
    input Integer column;
    input Real u;
    input Real rate;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTable1D_getDerValue(id, column, u, rate);
  end slope;
  function value2
    input ExternalCombiTable2D id;
    input Real u;
    input Real v;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTable2D_getValue(id, u, v);
  end value2;
  function rate2
    input ExternalCombiTable2D id;
    input Real u;
    input Real v;
    input Real du;
    input Real dv;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTable2D_getDerValue(id, u, v, du, dv);
  end rate2;
  function second2
    input ExternalCombiTable2D id;
    input Real u;
    input Real v;
    input Real du;
    input Real dv;
    input Real d2u;
    input Real d2v;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTable2D_getDer2Value(id, u, v, du, dv, d2u, d2v);
  end second2;
  function valueAt
    input ExternalCombiTimeTable id;
    input Integer column;
    input Real t;
    input Real next;
    input Real before;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTimeTable_getValue(id, column, t, next, before);
  end valueAt;
  function nextEvent
    input ExternalCombiTimeTable id;
    input Real t;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTimeTable_nextTimeEvent(id, t);
  end nextEvent;
)";

Flattened flattened(const std::string& body) {
  return Flattened("package P" + std::string(library) + "model M\n" + body + "\nend M;\nend P;\n", "P.M");
}

/// The value of y, which one equation gives, when the variables have these values.
double value_of_y(const Flattened& model, const std::map<std::string, double>& values) {
  Point point(model);
  point.set("y", {0});
  for (const auto& [name, value] : values) point.set(name, {value});
  return -point.rows(model.flat->equations).at(0);
}

struct Expected1D {
  int smoothness, extrapolation;
  std::array<double, 10> values;  ///< at -1.3, 0, 0.4, 1, 1.7, 3.1, 4.5, 6.2, 7, 8.6
};

TEST(Tables, of_one_variable_have_the_values_of_the_library) {
  constexpr std::array<double, 10> u{-1.3, 0, 0.4, 1, 1.7, 3.1, 4.5, 6.2, 7, 8.6};
  const std::vector<Expected1D> all{
      {1, 1, {1, 1, 1.8, 3, 2.3, 2.275, 4.75, 6.4, 6, 6}},
      {1, 2, {-1.6, 1, 1.8, 3, 2.3, 2.275, 4.75, 6.4, 6, 5.2}},
      {1, 3, {6.65, 1, 1.8, 3, 2.3, 2.275, 4.75, 6.4, 6, 2.4}},
      {2, 2, {-3.55, 1, 2.21929411764706, 3, 2.2795537525355, 1.88036551724138, 4.61216216216216, 7.63891891891892, 6, 1.2}},
      {2,
       3,
       {7.84744932432432, 1, 2.21929411764706, 3, 2.2795537525355, 1.88036551724138, 4.61216216216216, 7.63891891891892, 6,
        2.41022312373225}},
      {3, 1, {1, 1, 1, 3, 3, 2, 2.5, 7, 6, 6}},
      {3, 2, {-1.6, 1, 1, 3, 3, 2, 2.5, 7, 6, 5.2}},
      {4, 2, {-1.6, 1, 1.992, 3, 2.216, 2.14417857142857, 4.81574675324675, 6.496, 6, 5.2}},
      {5, 2, {-1.6, 1, 1.992, 3, 2.216, 2.15125, 4.8125, 6.496, 6, 5.2}},
      {6, 2, {-2.65, 1, 2.14670769230769, 3, 2.27428148148148, 1.8748152173913, 4.6019602378298, 7.4291282051282, 6, 2.4}}};
  constexpr std::array smoothness{"linear", "akima", "steps", "fritsch", "steffen", "makima"};
  constexpr std::array outside{"hold", "last", "periodic", "none"};
  for (const Expected1D& expected : all) {
    Flattened model = flattened(
        "parameter ExternalCombiTable1D t = ExternalCombiTable1D(\"NoName\", \"NoName\", [0,1; 1,3; 2,2; 4,2.5; 5,7; 7,6], "
        "{2}, "
        "Smoothness." +
        std::string(smoothness[static_cast<std::size_t>(expected.smoothness - 1)]) + ", Extrapolation." +
        outside[static_cast<std::size_t>(expected.extrapolation - 1)] + ");\nReal y, u;\nequation\n  y = value(t, 1, u);");
    ASSERT_TRUE(model.flat) << model.messages();
    for (std::size_t k = 0; k < u.size(); ++k)  // printed with 15 digits
      EXPECT_NEAR(value_of_y(model, {{"u", u[k]}}), expected.values[k], 1e-13 * 10)
          << smoothness[static_cast<std::size_t>(expected.smoothness - 1)] << " at " << u[k];
  }
}

TEST(Tables, have_the_derivative_of_their_values) {
  Flattened model = flattened(
      "parameter ExternalCombiTable1D t = ExternalCombiTable1D(\"NoName\", \"NoName\", [0,1; 1,3; 2,2; 4,2.5; 5,7; 7,6], "
      "{2}, "
      "Smoothness.akima, Extrapolation.last);\nReal y, u, r;\nequation\n  y = slope(t, 1, u, r);");
  Flattened values = flattened(
      "parameter ExternalCombiTable1D t = ExternalCombiTable1D(\"NoName\", \"NoName\", [0,1; 1,3; 2,2; 4,2.5; 5,7; 7,6], "
      "{2}, "
      "Smoothness.akima, Extrapolation.last);\nReal y, u;\nequation\n  y = value(t, 1, u);");
  ASSERT_TRUE(model.flat && values.flat) << model.messages();
  for (double u : {-0.7, 0.3, 1.9, 3.3, 6.6, 8.0}) {
    double h = 1e-5, difference = (value_of_y(values, {{"u", u + h}}) - value_of_y(values, {{"u", u - h}})) / (2 * h);
    EXPECT_NEAR(value_of_y(model, {{"u", u}, {"r", 3}}), 3 * difference, 1e-7);  // error of the difference: h²/6 y'''
  }
}

TEST(Tables, of_two_variables_have_the_values_of_the_library) {
  struct Expected {
    const char *smoothness, *outside;
    std::array<double, 8> values;
  };
  const std::vector<Expected> all{
      {"linear", "hold", {2.5, 1, 2.63, 1, 2.25, 1, 8, 3}},       {"linear", "last", {2.5, 1, 2.63, 1, 1.25, -3, 10.5, 6}},
      {"linear", "periodic", {2.5, 1, 2.63, 1, 1.25, 3, 3, 1.5}}, {"steps", "hold", {1, 1, 3, 1, 2, 1, 8, 4}},
      {"steps", "last", {1, 1, 3, 1, 1.25, -3, 10.5, 6}},         {"steps", "periodic", {1, 1, 3, 1, 3, 3, 3, 3}}};
  constexpr std::array<std::array<double, 2>, 8> at{
      {{0.5, 1.5}, {0, 1}, {2.2, 3.1}, {3, 4}, {-0.5, 2.5}, {4, 5}, {1, 5}, {2, -1}}};
  for (const Expected& expected : all) {
    Flattened model = flattened(
        "parameter ExternalCombiTable2D t = ExternalCombiTable2D(\"NoName\", \"NoName\", [0,1,2,4; 0,1,2,3; 1,4,3,8; "
        "3,2,0,1], "
        "Smoothness." +
        std::string(expected.smoothness) + ", Extrapolation." + expected.outside +
        ");\nReal y, u, v;\nequation\n  y = value2(t, u, v);");
    ASSERT_TRUE(model.flat) << model.messages();
    for (std::size_t k = 0; k < at.size(); ++k)
      EXPECT_NEAR(value_of_y(model, {{"u", at[k][0]}, {"v", at[k][1]}}), expected.values[k], 1e-12)
          << expected.smoothness << " " << expected.outside << " " << k;
  }
}

Flattened akima_2d(const std::string& table, const std::string& outside, const std::string& function) {
  return flattened("parameter ExternalCombiTable2D t = ExternalCombiTable2D(\"NoName\", \"NoName\", " + table +
                   ", Smoothness.akima, Extrapolation." + outside + ");\nReal y, u, v;\nequation\n  y = " + function + ";");
}

const char* table_2d = "[0,0,1,2.5,4; -1,1,2,0,3; 0.5,4,5,8,2; 2,0,-1,3,7; 4,2,2,2,5]";

TEST(Tables, of_two_variables_are_smooth_as_those_of_the_library) {
  struct Expected {
    const char *table, *outside;
    std::array<double, 11> values;
  };
  const std::vector<Expected> all{
      {table_2d,
       "hold",
       {1, 1, 4.43902792113993, 5, 3.88605155555556, 4.15739875487923, 5, 2, 7.20404, 3, 3.72766814814815}},
      {table_2d,
       "last",
       {-6.05555555555556, 1, 4.43902792113993, 5, 3.88605155555556, 4.15739875487923, 5, 4.4320987654321, 13.77472,
        39.7777777777778, 3.68671703703704}},
      {table_2d,
       "periodic",
       {3.27621712292002, 1, 4.43902792113993, 5, 3.88605155555556, 4.15739875487923, 5, 6.71426767164193, 1.40190338164251,
        -1, 5.39134248714169}},
      {"[0,0,1; -1,1,2; 0.5,4,5; 2,0,-1]",
       "last",
       {-3.66666666666667, 1, 4.424, 5, 3.084, -16.06, -30, -29, -9.4, -9.33333333333333, 3.44666666666667}}};
  constexpr std::array<std::array<double, 2>, 11> at{
      {{-2, -1}, {-1, 0}, {0.2, 0.4}, {0.5, 1}, {1.3, 1.9}, {3.1, 3.3}, {4, 4}, {5, 2}, {2.2, 6}, {-3, 5}, {0.7, -0.5}}};
  for (const Expected& expected : all) {
    Flattened model = akima_2d(expected.table, expected.outside, "value2(t, u, v)");
    ASSERT_TRUE(model.flat) << model.messages();
    for (std::size_t k = 0; k < at.size(); ++k)
      EXPECT_NEAR(value_of_y(model, {{"u", at[k][0]}, {"v", at[k][1]}}), expected.values[k], 1e-12)
          << expected.table << " " << expected.outside << " " << k;
  }
}

/// Against differences along u0 + 1.5 s + 0.15 s^2, v0 - 0.5 s + 0.35 s^2 (the library's own derivatives are wrong where one
/// variable is outside).
TEST(Tables, of_two_variables_have_the_derivatives_of_their_values) {
  constexpr std::array<std::array<double, 2>, 8> at{
      {{-2, -1}, {-0.9, 0.1}, {0.2, 0.4}, {1.3, 1.9}, {3.1, 3.3}, {5, 2.3}, {2.2, 6}, {0.7, -0.5}}};
  for (const char* outside : {"hold", "last", "periodic"}) {
    Flattened value = akima_2d(table_2d, outside, "value2(t, u, v)"),
              rate = akima_2d(table_2d, outside, "rate2(t, u, v, 1.5, -0.5)"),
              second = akima_2d(table_2d, outside, "second2(t, u, v, 1.5, -0.5, 0.3, 0.7)");
    ASSERT_TRUE(value.flat && rate.flat && second.flat) << second.messages();
    for (const auto& [u, v] : at) {
      auto along = [&, u = u, v = v](double s) {
        return value_of_y(value, {{"u", u + 1.5 * s + 0.15 * s * s}, {"v", v - 0.5 * s + 0.35 * s * s}});
      };
      double h = 1e-4, minus = along(-h), zero = along(0), plus = along(h);
      EXPECT_NEAR(value_of_y(rate, {{"u", u}, {"v", v}}), (plus - minus) / (2 * h), 1e-6) << outside << " " << u << " " << v;
      EXPECT_NEAR(value_of_y(second, {{"u", u}, {"v", v}}), (plus - 2 * zero + minus) / (h * h), 2e-5)
          << outside << " " << u << " " << v;
    }
  }
}

/// From one event to the next: the event, the value there after it, in the middle, at the next event before it is found.
struct Stretch {
  double at, after, middle, reached;
};

void follow(const std::string& arguments, const std::vector<Stretch>& expected, bool ends) {
  std::string table =
      "parameter ExternalCombiTimeTable t = ExternalCombiTimeTable(\"NoName\", \"NoName\", "
      "[0,1; 1,3; 1,5; 3,2; 4,2], 0.5, {2}, " +
      arguments + ");\n";
  Flattened values = flattened(table + "Real y, t1, n, b;\nequation\n  y = valueAt(t, 1, t1, n, b);");
  Flattened events = flattened(table + "Real y, t1;\nequation\n  y = nextEvent(t, t1);");
  ASSERT_TRUE(values.flat && events.flat) << values.messages();
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const Stretch& s = expected[k];
    double next = value_of_y(events, {{"t1", s.at}});
    if (k + 1 < expected.size()) {
      EXPECT_NEAR(next, expected[k + 1].at, 1e-12) << arguments;
    } else if (ends) {
      EXPECT_GT(next, 1e300) << arguments;
      return;
    }
    auto value = [&](double t) { return value_of_y(values, {{"t1", t}, {"n", next}, {"b", next}}); };
    EXPECT_NEAR(value(s.at), s.after, 1e-9) << arguments << " after " << s.at;
    EXPECT_NEAR(value((s.at + next) / 2), s.middle, 1e-9) << arguments << " behind " << s.at;
    EXPECT_NEAR(value(next), s.reached, 1e-9) << arguments << " before " << next;
  }
}

TEST(Tables, of_time_have_the_values_and_events_of_the_library) {
  follow("Smoothness.linear, Extrapolation.hold, 0.25, TimeEvents.always",
         {{0, 0, 0, 0}, {0.5, 1.5, 2.25, 3}, {1.25, 5, 3.5, 2}, {3.25, 2, 2, 2}, {4.25, 0, 0, 0}}, true);
  follow("Smoothness.linear, Extrapolation.last, 0.25, TimeEvents.jumps",
         {{0, 0, 0, 0}, {0.5, 1.5, 2.25, 3}, {1.25, 5, 2.75, 2}, {4.25, 0, 0, 0}}, true);
  follow("Smoothness.linear, Extrapolation.periodic, 0.25, TimeEvents.always",
         {{0, 0, 0, 0}, {0.5, 1.5, 2.25, 3}, {1.25, 5, 3.5, 2}, {3.25, 2, 2, 2}, {4.25, 1, 2, 3}, {5.25, 5, 3.5, 2}}, false);
  follow("Smoothness.steps, Extrapolation.periodic, 0.25, TimeEvents.always",
         {{0, 0, 0, 0}, {0.5, 1, 1, 1}, {1.25, 5, 5, 5}, {3.25, 2, 2, 2}, {4.25, 1, 1, 1}, {5.25, 5, 5, 5}}, false);
}

}  // namespace
}  // namespace bolza::flatten::testing
