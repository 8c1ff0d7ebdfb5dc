// SPDX-License-Identifier: Apache-2.0
// Test examples 41 to 81 of [HS1981].
#include <array>
#include <cmath>
#include <numbers>

#include "tests/unit/nlp/hock_schittkowski/hock_schittkowski.h"

namespace bolza::nlp::testing {
namespace {

/// Example 57: times and measured values.
constexpr std::array<double, 44> times_57{8,  8,  10, 10, 10, 10, 12, 12, 12, 12, 14, 14, 14, 16, 16,
                                          16, 18, 18, 20, 20, 20, 22, 22, 22, 24, 24, 24, 26, 26, 26,
                                          28, 28, 30, 30, 30, 32, 32, 34, 36, 36, 38, 38, 40, 42};
constexpr std::array<double, 44> values_57{.49, .49, .48, .47, .48, .47, .46, .46, .45, .43, .45, .43, .43, .44, .43,
                                           .43, .46, .45, .42, .42, .43, .41, .41, .40, .42, .40, .40, .41, .40, .41,
                                           .41, .40, .40, .40, .38, .41, .40, .40, .41, .38, .40, .40, .39, .39};

Residuals residuals_57(X x) {
  Residuals r;
  for (std::size_t i = 0; i < times_57.size(); ++i)
    r.push_back(values_57[i] - x[1] - (0.49 - x[1]) * exp(-x[2] * (times_57[i] - 8)));
  return r;
}

/// Examples 68 and 69: cost-optimal inspection plan with the numbers a, b, d, n.
Formulas inspection_plan(double a, double b, double d, double n) {
  return {.start = {1, 1, 1, 1},
          .lower = {1e-4, 0, 0, 0},
          .upper = {100, 100, 2, 2},
          .objective =
              [=](X x) {
                SecondOrder growth = exp(x[1]) - 1;
                return (a * n - (b * growth - x[3]) * x[4] / (growth + x[4])) / x[1];
              },
          .rows = [=](X x) -> Rows {
            double shift = d * std::sqrt(n);
            return {x[3] - 2 * normal_distribution(-x[2]) == 0,
                    x[4] - normal_distribution(-x[2] + shift) - normal_distribution(-x[2] - shift) == 0};
          }};
}

/// Examples 74 and 75: two generators whose angles differ by at most `a`.
Formulas two_generators(double a) {
  return {.start = {0, 0, 0, 0},
          .lower = {0, 0, -a, -a},
          .upper = {1200, 1200, a, a},
          .objective = [](X x) { return 3 * x[1] + 1e-6 * power(x[1], 3) + 2 * x[2] + 2e-6 / 3 * power(x[2], 3); },
          .rows = [=](X x) -> Rows {
            return {x[4] - x[3] + a >= 0, x[3] - x[4] + a >= 0,
                    1000 * sin(-x[3] - 0.25) + 1000 * sin(-x[4] - 0.25) + 894.8 - x[1] == 0,
                    1000 * sin(x[3] - 0.25) + 1000 * sin(x[3] - x[4] - 0.25) + 894.8 - x[2] == 0,
                    1000 * sin(x[4] - 0.25) + 1000 * sin(x[4] - x[3] - 0.25) + 1294.8 == 0};
          }};
}

SecondOrder product_of_five(X x) { return x[1] * x[2] * x[3] * x[4] * x[5]; }

Rows rows_78(X x) {
  return {square(x[1]) + square(x[2]) + square(x[3]) + square(x[4]) + square(x[5]) == 10, x[2] * x[3] - 5 * x[4] * x[5] == 0,
          power(x[1], 3) + power(x[2], 3) + 1 == 0};
}

Rows rows_51(X x, double first) { return {x[1] + 3 * x[2] == first, x[3] + x[4] - 2 * x[5] == 0, x[2] - x[5] == 0}; }

std::vector<HockSchittkowski> from_41_to_58() {
  using std::numbers::sqrt2;
  std::vector<HockSchittkowski> p;
  p.push_back({.number = 41,
               .formulas = {.start = {2, 2, 2, 2},
                            .lower = {0, 0, 0, 0},
                            .upper = {1, 1, 1, 2},
                            .objective = [](X x) { return 2 - x[1] * x[2] * x[3]; },
                            .rows = [](X x) -> Rows { return {x[1] + 2 * x[2] + 2 * x[3] - x[4] == 0}; }},
               .optimum = 52.0 / 27,
               .point = {2.0 / 3, 1.0 / 3, 1.0 / 3, 2}});
  p.push_back({.number = 42,
               .formulas = {.start = {1, 1, 1, 1},
                            .rows = [](X x) -> Rows { return {x[1] == 2, square(x[3]) + square(x[4]) == 2}; },
                            .residuals = [](X x) -> Residuals { return {x[1] - 1, x[2] - 2, x[3] - 3, x[4] - 4}; }},
               .optimum = 28 - 10 * sqrt2,
               .point = {2, 2, 0.6 * sqrt2, 0.8 * sqrt2}});
  p.push_back(
      {.number = 43,
       .formulas = {.start = {0, 0, 0, 0},
                    .objective =
                        [](X x) {
                          return square(x[1]) + square(x[2]) + 2 * square(x[3]) + square(x[4]) - 5 * x[1] - 5 * x[2] -
                                 21 * x[3] + 7 * x[4];
                        },
                    .rows = [](X x) -> Rows {
                      return {8 - square(x[1]) - square(x[2]) - square(x[3]) - square(x[4]) - x[1] + x[2] - x[3] + x[4] >= 0,
                              10 - square(x[1]) - 2 * square(x[2]) - square(x[3]) - 2 * square(x[4]) + x[1] + x[4] >= 0,
                              5 - 2 * square(x[1]) - square(x[2]) - square(x[3]) - 2 * x[1] + x[2] + x[4] >= 0};
                    }},
       .optimum = -44,
       .point = {0, 1, 2, -1}});
  p.push_back(
      {.number = 44,
       .formulas = {
           .start = {0, 0, 0, 0},
           .lower = {0, 0, 0, 0},
           .objective = [](X x) { return x[1] - x[2] - x[3] - x[1] * x[3] + x[1] * x[4] + x[2] * x[3] - x[2] * x[4]; },
           .rows = [](X x) -> Rows {
             return {8 - x[1] - 2 * x[2] >= 0, 12 - 4 * x[1] - x[2] >= 0, 12 - 3 * x[1] - 4 * x[2] >= 0,
                     8 - 2 * x[3] - x[4] >= 0, 8 - x[3] - 2 * x[4] >= 0,  5 - x[3] - x[4] >= 0};
           }},
       .optimum = -15,
       .point = {0, 3, 0, 4},
       .other_optima = {-13}});
  p.push_back({.number = 45,
               .formulas = {.start = {2, 2, 2, 2, 2},
                            .lower = filled(5, 0),
                            .upper = {1, 2, 3, 4, 5},
                            .objective = [](X x) { return 2 - product_of_five(x) / 120; }},
               .optimum = 1,
               .point = {1, 2, 3, 4, 5}});
  p.push_back(
      {.number = 46,
       .formulas = {
           .start = {sqrt2 / 2, 1.75, 0.5, 2, 2},
           .rows = [](X x) -> Rows {
             return {square(x[1]) * x[4] + sin(x[4] - x[5]) == 1, x[2] + power(x[3], 4) * square(x[4]) == 2};
           },
           .residuals = [](X x) -> Residuals { return {x[1] - x[2], x[3] - 1, square(x[4] - 1), power(x[5] - 1, 3)}; }},
       .optimum = 0});
  p.push_back(
      {.number = 47,
       .formulas = {.start = {2, sqrt2, -1, 2 - sqrt2, 0.5},
                    .objective =
                        [](X x) {
                          return square(x[1] - x[2]) + power(x[2] - x[3], 3) + power(x[3] - x[4], 4) + power(x[4] - x[5], 4);
                        },
                    .rows = [](X x) -> Rows {
                      return {x[1] + square(x[2]) + power(x[3], 3) == 3, x[2] - square(x[3]) + x[4] == 1, x[1] * x[5] == 1};
                    }},
       .optimum = -0.026714186,  // below the 0 of [HS1981]: at their point (1, 1, 1, 1, 1) the cube falls on one side
       .other_optima = {0}});
  p.push_back({.number = 48,
               .formulas = {.start = {3, 5, -3, 2, -2},
                            .rows = [](X x) -> Rows {
                              return {x[1] + x[2] + x[3] + x[4] + x[5] == 5, x[3] - 2 * (x[4] + x[5]) + 3 == 0};
                            },
                            .residuals = [](X x) -> Residuals { return {x[1] - 1, x[2] - x[3], x[4] - x[5]}; }},
               .optimum = 0,
               .point = filled(5, 1)});
  p.push_back({.number = 49,
               .formulas = {.start = {10, 7, 2, -3, 0.8},
                            .rows = [](X x) -> Rows { return {x[1] + x[2] + x[3] + 4 * x[4] == 7, x[3] + 5 * x[5] == 6}; },
                            .residuals = [](X x) -> Residuals {
                              return {x[1] - x[2], x[3] - 1, square(x[4] - 1), power(x[5] - 1, 3)};
                            }},
               .optimum = 0});
  p.push_back(
      {.number = 50,
       .formulas = {
           .start = {35, -31, 11, 5, -5},
           .rows = [](X x) -> Rows {
             return {x[1] + 2 * x[2] + 3 * x[3] == 6, x[2] + 2 * x[3] + 3 * x[4] == 6, x[3] + 2 * x[4] + 3 * x[5] == 6};
           },
           .residuals = [](X x) -> Residuals { return {x[1] - x[2], x[2] - x[3], square(x[3] - x[4]), x[4] - x[5]}; }},
       .optimum = 0,
       .point = filled(5, 1)});
  p.push_back(
      {.number = 51,
       .formulas = {.start = {2.5, 0.5, 2, -1, 0.5},
                    .rows = [](X x) { return rows_51(x, 4); },
                    .residuals = [](X x) -> Residuals { return {x[1] - x[2], x[2] + x[3] - 2, x[4] - 1, x[5] - 1}; }},
       .optimum = 0,
       .point = filled(5, 1)});
  p.push_back(
      {.number = 52,
       .formulas = {.start = filled(5, 2),
                    .rows = [](X x) { return rows_51(x, 0); },
                    .residuals = [](X x) -> Residuals { return {4 * x[1] - x[2], x[2] + x[3] - 2, x[4] - 1, x[5] - 1}; }},
       .optimum = 1859.0 / 349,
       .point = {-33.0 / 349, 11.0 / 349, 180.0 / 349, -158.0 / 349, 11.0 / 349}});
  p.push_back(
      {.number = 53,
       .formulas = {.start = filled(5, 2),
                    .lower = filled(5, -10),
                    .upper = filled(5, 10),
                    .rows = [](X x) { return rows_51(x, 0); },
                    .residuals = [](X x) -> Residuals { return {x[1] - x[2], x[2] + x[3] - 2, x[4] - 1, x[5] - 1}; }},
       .optimum = 176.0 / 43,
       .point = {-33.0 / 43, 11.0 / 43, 27.0 / 43, -5.0 / 43, 11.0 / 43}});
  p.push_back({.number = 55,
               .formulas = {.start = {1, 2, 0, 0, 0, 2},
                            .lower = filled(6, 0),
                            .upper = {1, infinite, infinite, 1, infinite, infinite},
                            .objective = [](X x) { return x[1] + 2 * x[2] + 4 * x[5] + exp(x[1] * x[4]); },
                            .rows = [](X x) -> Rows {
                              return {x[1] + 2 * x[2] + 5 * x[5] == 6,
                                      x[1] + x[2] + x[3] == 3,
                                      x[4] + x[5] + x[6] == 2,
                                      x[1] + x[4] == 1,
                                      x[2] + x[5] == 2,
                                      x[3] + x[6] == 2};
                            }},
               .optimum = 19.0 / 3,
               .point = {0, 4.0 / 3, 5.0 / 3, 1, 2.0 / 3, 1.0 / 3},
               .other_optima = {20.0 / 3}});
  double a = std::asin(std::sqrt(1 / 4.2)), b = std::asin(std::sqrt(5 / 7.2));
  p.push_back({.number = 56,
               .formulas = {.start = {1, 1, 1, a, a, a, b},
                            .objective = [](X x) { return -x[1] * x[2] * x[3]; },
                            .rows = [](X x) -> Rows {
                              return {x[1] - 4.2 * square(sin(x[4])) == 0, x[2] - 4.2 * square(sin(x[5])) == 0,
                                      x[3] - 4.2 * square(sin(x[6])) == 0,
                                      x[1] + 2 * x[2] + 2 * x[3] - 7.2 * square(sin(x[7])) == 0};
                            }},
               .optimum = -3.456});
  p.push_back({.number = 57,
               .formulas = {.start = {0.42, 5},
                            .lower = {0.4, -4},
                            .rows = [](X x) -> Rows { return {0.49 * x[2] - x[1] * x[2] - 0.09 >= 0}; },
                            .residuals = residuals_57},
               .optimum = 0.02845966972,
               .point = {0.419952675, 1.284845629},
               .other_optima = {0.03064761905}});
  return p;
}

std::vector<HockSchittkowski> from_59_to_70() {
  std::vector<HockSchittkowski> p;
  p.push_back({.number = 60,
               .formulas = {.start = {2, 2, 2},
                            .lower = filled(3, -10),
                            .upper = filled(3, 10),
                            .rows = [](X x) -> Rows {
                              return {x[1] * (1 + square(x[2])) + power(x[3], 4) == 4 + 3 * std::numbers::sqrt2};
                            },
                            .residuals = [](X x) -> Residuals { return {x[1] - 1, x[1] - x[2], square(x[2] - x[3])}; }},
               .optimum = 0.03256820025,
               .point = {1.104859024, 1.196674194, 1.535262257}});
  p.push_back(
      {.number = 61,
       .formulas = {.start = {0, 0, 0},
                    .objective =
                        [](X x) {
                          return 4 * square(x[1]) + 2 * square(x[2]) + 2 * square(x[3]) - 33 * x[1] + 16 * x[2] - 24 * x[3];
                        },
                    .rows = [](X x) -> Rows { return {3 * x[1] - 2 * square(x[2]) == 7, 4 * x[1] - square(x[3]) == 11}; }},
       .optimum = -143.6461422,
       .point = {5.326770157, -2.118998639, 3.210464239}});
  p.push_back({.number = 62,
               .formulas = {.start = {0.7, 0.2, 0.1},
                            .lower = {0, 0, 0},
                            .upper = {1, 1, 1},
                            .objective =
                                [](X x) {
                                  return -32.174 *
                                         (255 * log((x[1] + x[2] + x[3] + 0.03) / (0.09 * x[1] + x[2] + x[3] + 0.03)) +
                                          280 * log((x[2] + x[3] + 0.03) / (0.07 * x[2] + x[3] + 0.03)) +
                                          290 * log((x[3] + 0.03) / (0.13 * x[3] + 0.03)));
                                },
                            .rows = [](X x) -> Rows { return {x[1] + x[2] + x[3] == 1}; }},
               .optimum = -26272.51448,
               .point = {0.6178126908, 0.328202223, 0.05398508606}});
  p.push_back({.number = 63,
               .formulas = {
                   .start = {2, 2, 2},
                   .lower = {0, 0, 0},
                   .objective =
                       [](X x) { return 1000 - square(x[1]) - 2 * square(x[2]) - square(x[3]) - x[1] * x[2] - x[1] * x[3]; },
                   .rows = [](X x) -> Rows {
                     return {8 * x[1] + 14 * x[2] + 7 * x[3] == 56, square(x[1]) + square(x[2]) + square(x[3]) == 25};
                   }},
               .optimum = 961.7151721,
               .point = {3.512118414, 0.2169881741, 3.552174034}});
  p.push_back(
      {.number = 64,
       .formulas = {
           .start = {1, 1, 1},
           .lower = filled(3, 1e-5),
           .upper = filled(3, 300),
           .objective = [](X x) { return 5 * x[1] + 50000 / x[1] + 20 * x[2] + 72000 / x[2] + 10 * x[3] + 144000 / x[3]; },
           .rows = [](X x) -> Rows { return {1 - 4 / x[1] - 32 / x[2] - 120 / x[3] >= 0}; }},
       .optimum = 6299.842428,
       .point = {108.7347175, 85.12613942, 204.3247078}});
  p.push_back({.number = 65,
               .formulas = {.start = {-5, 5, 0},
                            .lower = {-4.5, -4.5, -5},
                            .upper = {4.5, 4.5, 5},
                            .rows = [](X x) -> Rows { return {48 - square(x[1]) - square(x[2]) - square(x[3]) >= 0}; },
                            .residuals = [](X x) -> Residuals { return {x[1] - x[2], (x[1] + x[2] - 10) / 3, x[3] - 5}; }},
               .optimum = 0.9535288567,
               .point = {3.650461821, 3.65046168, 4.6204170507}});
  p.push_back({.number = 66,
               .formulas = {.start = {0, 1.05, 2.9},
                            .lower = {0, 0, 0},
                            .upper = {100, 100, 10},
                            .objective = [](X x) { return 0.2 * x[3] - 0.8 * x[1]; },
                            .rows = [](X x) -> Rows { return {x[2] - exp(x[1]) >= 0, x[3] - exp(x[2]) >= 0}; }},
               .optimum = 0.5181632741,
               .point = {0.1841264879, 1.202167873, 3.327322322}});
  p.push_back({.number = 68, .formulas = inspection_plan(1e-4, 1, 1, 24), .optimum = -0.920425026});
  p.push_back({.number = 69, .formulas = inspection_plan(0.1, 1000, 1, 4), .optimum = -956.71288});
  return p;
}

std::vector<HockSchittkowski> from_71_to_81() {
  using std::numbers::sqrt2;
  std::vector<HockSchittkowski> p;
  p.push_back({.number = 71,
               .formulas = {.start = {1, 5, 5, 1},
                            .lower = filled(4, 1),
                            .upper = filled(4, 5),
                            .objective = [](X x) { return x[1] * x[4] * (x[1] + x[2] + x[3]) + x[3]; },
                            .rows = [](X x) -> Rows {
                              return {x[1] * x[2] * x[3] * x[4] >= 25,
                                      square(x[1]) + square(x[2]) + square(x[3]) + square(x[4]) == 40};
                            }},
               .optimum = 17.0140173,
               .point = {1, 4.7429994, 3.8211503, 1.3794082}});
  p.push_back({.number = 72,
               .formulas = {.start = {1, 1, 1, 1},
                            .lower = filled(4, 0.001),
                            .upper = {4e5, 3e5, 2e5, 1e5},
                            .objective = [](X x) { return 1 + x[1] + x[2] + x[3] + x[4]; },
                            .rows = [](X x) -> Rows {
                              return {0.0401 - 4 / x[1] - 2.25 / x[2] - 1 / x[3] - 0.25 / x[4] >= 0,
                                      0.010085 - 0.16 / x[1] - 0.36 / x[2] - 0.64 / x[3] - 0.64 / x[4] >= 0};
                            }},
               .optimum = 727.67937});
  p.push_back({.number = 73,
               .formulas = {.start = {1, 1, 1, 1},
                            .lower = filled(4, 0),
                            .objective = [](X x) { return 24.55 * x[1] + 26.75 * x[2] + 39 * x[3] + 40.5 * x[4]; },
                            .rows = [](X x) -> Rows {
                              SecondOrder variance =
                                  0.28 * square(x[1]) + 0.19 * square(x[2]) + 20.5 * square(x[3]) + 0.62 * square(x[4]);
                              return {2.3 * x[1] + 5.6 * x[2] + 11.1 * x[3] + 1.3 * x[4] >= 5,
                                      12 * x[1] + 11.9 * x[2] + 41.8 * x[3] + 52.1 * x[4] - 21 - 1.645 * sqrt(variance) >= 0,
                                      x[1] + x[2] + x[3] + x[4] == 1};
                            }},
               .optimum = 29.894378,
               .point = {0.6355216, -0.12e-11, 0.3127019, 0.05177655}});
  p.push_back({.number = 74, .formulas = two_generators(0.55), .optimum = 5126.4981});
  p.push_back({.number = 75, .formulas = two_generators(0.48), .optimum = 5174.4129});
  p.push_back({.number = 76,
               .formulas = {.start = filled(4, 0.5),
                            .lower = filled(4, 0),
                            .objective =
                                [](X x) {
                                  return square(x[1]) + 0.5 * square(x[2]) + square(x[3]) + 0.5 * square(x[4]) -
                                         x[1] * x[3] + x[3] * x[4] - x[1] - 3 * x[2] + x[3] - x[4];
                                },
                            .rows = [](X x) -> Rows {
                              return {5 - x[1] - 2 * x[2] - x[3] - x[4] >= 0, 4 - 3 * x[1] - x[2] - 2 * x[3] + x[4] >= 0,
                                      x[2] + 4 * x[3] >= 1.5};
                            }},
               .optimum = -4.681818181,
               .point = {0.2727273, 2.090909, -0.26e-10, 0.5454545}});
  p.push_back({.number = 77,
               .formulas = {.start = filled(5, 2),
                            .rows = [](X x) -> Rows {
                              return {square(x[1]) * x[4] + sin(x[4] - x[5]) == 2 * sqrt2,
                                      x[2] + power(x[3], 4) * square(x[4]) == 8 + sqrt2};
                            },
                            .residuals = [](X x) -> Residuals {
                              return {x[1] - 1, x[1] - x[2], x[3] - 1, square(x[4] - 1), power(x[5] - 1, 3)};
                            }},
               .optimum = 0.24150513,
               .point = {1.166172, 1.182111, 1.380257, 1.506036, 0.6109203}});
  p.push_back({.number = 78,
               .formulas = {.start = {-2, 1.5, 2, -1, -1}, .objective = product_of_five, .rows = rows_78},
               .optimum = -2.91970041});
  p.push_back({.number = 79,
               .formulas = {.start = filled(5, 2),
                            .rows = [](X x) -> Rows {
                              return {x[1] + square(x[2]) + power(x[3], 3) == 2 + 3 * sqrt2,
                                      x[2] - square(x[3]) + x[4] == -2 + 2 * sqrt2, x[1] * x[5] == 2};
                            },
                            .residuals = [](X x) -> Residuals {
                              return {x[1] - 1, x[1] - x[2], x[2] - x[3], square(x[3] - x[4]), square(x[4] - x[5])};
                            }},
               .optimum = 0.0787768209,
               .point = {1.191127, 1.362603, 1.472818, 1.635017, 1.679081}});
  p.push_back({.number = 80,
               .formulas = {.start = {-2, 2, 2, -1, -1},
                            .lower = {-2.3, -2.3, -3.2, -3.2, -3.2},
                            .upper = {2.3, 2.3, 3.2, 3.2, 3.2},
                            .objective = [](X x) { return exp(product_of_five(x)); },
                            .rows = rows_78},
               .optimum = 0.0539498478,
               .other_optima = {0.438850817}});
  p.push_back(
      {.number = 81,
       .formulas = {.start = {-2, 2, 2, -1, -1},
                    .lower = {-2.3, -2.3, -3.2, -3.2, -3.2},
                    .upper = {2.3, 2.3, 3.2, 3.2, 3.2},
                    .objective =
                        [](X x) { return exp(product_of_five(x)) - 0.5 * square(power(x[1], 3) + power(x[2], 3) + 1); },
                    .rows = rows_78},
       .optimum = 0.0539498478,
       .other_optima = {0.438850817}});
  return p;
}

}  // namespace

std::vector<HockSchittkowski> hock_schittkowski_41_to_81() {
  std::vector<HockSchittkowski> all_of_them;
  for (auto part : {from_41_to_58, from_59_to_70, from_71_to_81})
    for (HockSchittkowski& problem : part()) all_of_them.push_back(std::move(problem));
  return all_of_them;
}

}  // namespace bolza::nlp::testing
