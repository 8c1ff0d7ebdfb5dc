// SPDX-License-Identifier: Apache-2.0
// Test examples 1 to 40 of [HS1981].
#include <cmath>
#include <numbers>

#include "tests/unit/nlp/hock_schittkowski/hock_schittkowski.h"

namespace bolza::nlp::testing {
namespace {

constexpr double free_below = -infinite, free_above = infinite;

/// 1 - x1, 10 (x2 - x1²): Rosenbrock's function, which many of the examples share.
Residuals rosenbrock(X x) { return {10 * (x[2] - square(x[1])), 1 - x[1]}; }

SecondOrder product_of_three(X x) { return -x[1] * x[2] * x[3]; }

}  // namespace

std::vector<HockSchittkowski> hock_schittkowski_1_to_40() {
  using std::numbers::pi;
  using std::numbers::sqrt2;
  using std::numbers::sqrt3;
  std::vector<HockSchittkowski> p;
  p.push_back({.number = 1,
               .formulas = {.start = {-2, 1}, .lower = {free_below, -1.5}, .residuals = rosenbrock},
               .optimum = 0,
               .point = {1, 1}});
  p.push_back({.number = 2,
               .formulas = {.start = {-2, 1}, .lower = {free_below, 1.5}, .residuals = rosenbrock},
               .optimum = 0.0504261879,
               .other_optima = {4.941229318}});
  p.push_back({.number = 3,
               .formulas = {.start = {10, 1},
                            .lower = {free_below, 0},
                            .objective = [](X x) { return x[2] + 1e-5 * square(x[2] - x[1]); }},
               .optimum = 0});
  p.push_back({.number = 4,
               .formulas = {.start = {1.125, 0.125},
                            .lower = {1, 0},
                            .objective = [](X x) { return power(x[1] + 1, 3) / 3 + x[2]; }},
               .optimum = 8.0 / 3,
               .point = {1, 0}});
  p.push_back(
      {.number = 5,
       .formulas = {.start = {0, 0},
                    .lower = {-1.5, -3},
                    .upper = {4, 3},
                    .objective = [](X x) { return sin(x[1] + x[2]) + square(x[1] - x[2]) - 1.5 * x[1] + 2.5 * x[2] + 1; }},
       .optimum = -sqrt3 / 2 - pi / 3,
       .point = {0.5 - pi / 3, -0.5 - pi / 3}});
  p.push_back({.number = 6,
               .formulas = {.start = {-1.2, 1},
                            .rows = [](X x) -> Rows { return {10 * (x[2] - square(x[1])) == 0}; },
                            .residuals = [](X x) -> Residuals { return {1 - x[1]}; }},
               .optimum = 0,
               .point = {1, 1}});
  p.push_back({.number = 7,
               .formulas = {.start = {2, 2},
                            .objective = [](X x) { return log(1 + square(x[1])) - x[2]; },
                            .rows = [](X x) -> Rows { return {square(1 + square(x[1])) + square(x[2]) == 4}; }},
               .optimum = -sqrt3,
               .point = {0, sqrt3}});
  p.push_back({.number = 8,
               .formulas = {.start = {2, 1},
                            .objective = [](X) { return SecondOrder(-1); },
                            .rows = [](X x) -> Rows { return {square(x[1]) + square(x[2]) == 25, x[1] * x[2] == 9}; }},
               .optimum = -1});
  p.push_back({.number = 9,
               .formulas = {.start = {0, 0},
                            .objective = [](X x) { return sin(pi / 12 * x[1]) * cos(pi / 16 * x[2]); },
                            .rows = [](X x) -> Rows { return {4 * x[1] - 3 * x[2] == 0}; }},
               .optimum = -0.5});
  p.push_back(
      {.number = 10,
       .formulas = {.start = {-10, 10},
                    .objective = [](X x) { return x[1] - x[2]; },
                    .rows = [](X x) -> Rows { return {-3 * square(x[1]) + 2 * x[1] * x[2] - square(x[2]) + 1 >= 0}; }},
       .optimum = -1,
       .point = {0, 1}});
  p.push_back({.number = 11,
               .formulas = {.start = {4.9, 0.1},
                            .objective = [](X x) { return square(x[1] - 5) + square(x[2]) - 25; },
                            .rows = [](X x) -> Rows { return {-square(x[1]) + x[2] >= 0}; }},
               .optimum = -8.498464223});
  p.push_back(
      {.number = 12,
       .formulas = {.start = {0, 0},
                    .objective = [](X x) { return 0.5 * square(x[1]) + square(x[2]) - x[1] * x[2] - 7 * x[1] - 7 * x[2]; },
                    .rows = [](X x) -> Rows { return {25 - 4 * square(x[1]) - square(x[2]) >= 0}; }},
       .optimum = -30,
       .point = {2, 3}});
  p.push_back({.number = 13,
               .formulas = {.start = {-2, -2},
                            .lower = {0, 0},
                            .rows = [](X x) -> Rows { return {power(1 - x[1], 3) - x[2] >= 0}; },
                            .residuals = [](X x) -> Residuals { return {x[1] - 2, x[2]}; }},
               .optimum = 1,
               .point = {1, 0}});
  p.push_back({.number = 14,
               .formulas = {.start = {2, 2},
                            .rows = [](X x) -> Rows {
                              return {-0.25 * square(x[1]) - square(x[2]) + 1 >= 0, x[1] - 2 * x[2] + 1 == 0};
                            },
                            .residuals = [](X x) -> Residuals { return {x[1] - 2, x[2] - 1}; }},
               .optimum = 9 - 2.875 * std::sqrt(7),
               .point = {(std::sqrt(7) - 1) / 2, (std::sqrt(7) + 1) / 4}});
  p.push_back({.number = 15,
               .formulas = {.start = {-2, 1},
                            .upper = {0.5, free_above},
                            .rows = [](X x) -> Rows { return {x[1] * x[2] >= 1, x[1] + square(x[2]) >= 0}; },
                            .residuals = rosenbrock},
               .optimum = 306.5,
               .point = {0.5, 2},
               .other_optima = {360.379767}});
  p.push_back({.number = 16,
               .formulas = {.start = {-2, 1},
                            .lower = {-2, free_below},
                            .upper = {0.5, 1},
                            .rows = [](X x) -> Rows { return {x[1] + square(x[2]) >= 0, square(x[1]) + x[2] >= 0}; },
                            .residuals = rosenbrock},
               .optimum = 0.25,
               .point = {0.5, 0.25},
               .other_optima = {3.982060454, 23.14466}});
  p.push_back({.number = 17,
               .formulas = {.start = {-2, 1},
                            .lower = {-0.5, free_below},
                            .upper = {0.5, 1},
                            .rows = [](X x) -> Rows { return {square(x[2]) - x[1] >= 0, square(x[1]) - x[2] >= 0}; },
                            .residuals = rosenbrock},
               .optimum = 1,
               .point = {0, 0}});
  p.push_back({.number = 18,
               .formulas = {.start = {2, 2},
                            .lower = {2, 0},
                            .upper = {50, 50},
                            .rows = [](X x) -> Rows { return {x[1] * x[2] >= 25, square(x[1]) + square(x[2]) >= 25}; },
                            .residuals = [](X x) -> Residuals { return {0.1 * x[1], x[2]}; }},
               .optimum = 5,
               .point = {std::sqrt(250), std::sqrt(2.5)}});
  p.push_back({.number = 19,
               .formulas = {.start = {20.1, 5.84},
                            .lower = {13, 0},
                            .upper = {100, 100},
                            .objective = [](X x) { return power(x[1] - 10, 3) + power(x[2] - 20, 3); },
                            .rows = [](X x) -> Rows {
                              return {square(x[1] - 5) + square(x[2] - 5) >= 100,
                                      -square(x[2] - 5) - square(x[1] - 6) >= -82.81};
                            }},
               .optimum = -6961.81381,
               .point = {14.095, 0.84296079}});
  p.push_back({.number = 20,
               .formulas = {.start = {-2, 1},
                            .lower = {-0.5, free_below},
                            .upper = {0.5, free_above},
                            .rows = [](X x) -> Rows {
                              return {x[1] + square(x[2]) >= 0, square(x[1]) + x[2] >= 0, square(x[1]) + square(x[2]) >= 1};
                            },
                            .residuals = rosenbrock},
               .optimum = 81.5 - 25 * sqrt3,
               .point = {0.5, sqrt3 / 2},
               .other_optima = {40.19872981}});
  p.push_back({.number = 21,
               .formulas = {.start = {-1, -1},
                            .lower = {2, -50},
                            .upper = {50, 50},
                            .objective = [](X x) { return 0.01 * square(x[1]) + square(x[2]) - 100; },
                            .rows = [](X x) -> Rows { return {10 * x[1] - x[2] >= 10}; }},
               .optimum = -99.96,
               .point = {2, 0}});
  p.push_back({.number = 22,
               .formulas = {.start = {2, 2},
                            .rows = [](X x) -> Rows { return {-x[1] - x[2] + 2 >= 0, -square(x[1]) + x[2] >= 0}; },
                            .residuals = [](X x) -> Residuals { return {x[1] - 2, x[2] - 1}; }},
               .optimum = 1,
               .point = {1, 1}});
  p.push_back({.number = 23,
               .formulas = {.start = {3, 1},
                            .lower = {-50, -50},
                            .upper = {50, 50},
                            .rows = [](X x) -> Rows {
                              return {x[1] + x[2] >= 1, square(x[1]) + square(x[2]) >= 1,
                                      9 * square(x[1]) + square(x[2]) >= 9, square(x[1]) - x[2] >= 0,
                                      square(x[2]) - x[1] >= 0};
                            },
                            .residuals = [](X x) -> Residuals { return {x[1], x[2]}; }},
               .optimum = 2,
               .point = {1, 1}});
  p.push_back({.number = 24,
               .formulas = {.start = {1, 0.5},
                            .lower = {0, 0},
                            .objective = [](X x) { return (square(x[1] - 3) - 9) * power(x[2], 3) / (27 * sqrt3); },
                            .rows = [](X x) -> Rows {
                              return {x[1] / sqrt3 - x[2] >= 0, x[1] + sqrt3 * x[2] >= 0, -x[1] - sqrt3 * x[2] + 6 >= 0};
                            }},
               .optimum = -1,
               .point = {3, sqrt3}});
  p.push_back({.number = 26,
               .formulas = {.start = {-2.6, 2, 2},
                            .rows = [](X x) -> Rows { return {(1 + square(x[2])) * x[1] + power(x[3], 4) == 3}; },
                            .residuals = [](X x) -> Residuals { return {x[1] - x[2], square(x[2] - x[3])}; }},
               .optimum = 0});
  p.push_back({.number = 27,
               .formulas = {.start = {2, 2, 2},
                            .rows = [](X x) -> Rows { return {x[1] + square(x[3]) + 1 == 0}; },
                            .residuals = [](X x) -> Residuals { return {0.1 * (x[1] - 1), x[2] - square(x[1])}; }},
               .optimum = 0.04,
               .point = {-1, 1, 0}});
  p.push_back({.number = 28,
               .formulas = {.start = {-4, 1, 1},
                            .rows = [](X x) -> Rows { return {x[1] + 2 * x[2] + 3 * x[3] == 1}; },
                            .residuals = [](X x) -> Residuals { return {x[1] + x[2], x[2] + x[3]}; }},
               .optimum = 0,
               .point = {0.5, -0.5, 0.5}});
  p.push_back(
      {.number = 29,
       .formulas = {.start = {1, 1, 1},
                    .objective = product_of_three,
                    .rows = [](X x) -> Rows { return {-square(x[1]) - 2 * square(x[2]) - 4 * square(x[3]) + 48 >= 0}; }},
       .optimum = -16 * sqrt2});
  p.push_back({.number = 30,
               .formulas = {.start = {1, 1, 1},
                            .lower = {1, -10, -10},
                            .upper = {10, 10, 10},
                            .rows = [](X x) -> Rows { return {square(x[1]) + square(x[2]) >= 1}; },
                            .residuals = [](X x) -> Residuals { return {x[1], x[2], x[3]}; }},
               .optimum = 1,
               .point = {1, 0, 0}});
  p.push_back({.number = 31,
               .formulas = {.start = {1, 1, 1},
                            .lower = {-10, 1, -10},
                            .upper = {10, 10, 1},
                            .rows = [](X x) -> Rows { return {x[1] * x[2] >= 1}; },
                            .residuals = [](X x) -> Residuals { return {3 * x[1], x[2], 3 * x[3]}; }},
               .optimum = 6,
               .point = {1 / sqrt3, sqrt3, 0}});
  p.push_back({.number = 32,
               .formulas = {.start = {0.1, 0.7, 0.2},
                            .lower = {0, 0, 0},
                            .rows = [](X x) -> Rows {
                              return {6 * x[2] + 4 * x[3] - power(x[1], 3) >= 3, 1 - x[1] - x[2] - x[3] == 0};
                            },
                            .residuals = [](X x) -> Residuals { return {x[1] + 3 * x[2] + x[3], 2 * (x[1] - x[2])}; }},
               .optimum = 1,
               .point = {0, 0, 1}});
  p.push_back({.number = 33,
               .formulas = {.start = {0, 0, 3},
                            .lower = {0, 0, 0},
                            .upper = {free_above, free_above, 5},
                            .objective = [](X x) { return (x[1] - 1) * (x[1] - 2) * (x[1] - 3) + x[3]; },
                            .rows = [](X x) -> Rows {
                              return {square(x[3]) - square(x[2]) - square(x[1]) >= 0,
                                      square(x[1]) + square(x[2]) + square(x[3]) >= 4};
                            }},
               .optimum = sqrt2 - 6,
               .point = {0, sqrt2, sqrt2},
               .other_optima = {-4}});
  p.push_back({.number = 34,
               .formulas = {.start = {0, 1.05, 2.9},
                            .lower = {0, 0, 0},
                            .upper = {100, 100, 10},
                            .objective = [](X x) { return -x[1]; },
                            .rows = [](X x) -> Rows { return {x[2] - exp(x[1]) >= 0, x[3] - exp(x[2]) >= 0}; }},
               .optimum = -std::log(std::log(10)),
               .point = {std::log(std::log(10)), std::log(10), 10}});
  p.push_back({.number = 35,  // printed as 9 - 8 x1 - 6 x2 - 4 x3 + 2 x1² + 2 x2² + x3² + 2 x1 x2 + 2 x1 x3
               .formulas = {.start = {0.5, 0.5, 0.5},
                            .lower = {0, 0, 0},
                            .rows = [](X x) -> Rows { return {3 - x[1] - x[2] - 2 * x[3] >= 0}; },
                            .residuals = [](X x) -> Residuals { return {x[1] + x[2] - 2, x[1] + x[3] - 2, x[2] - 1}; }},
               .optimum = 1.0 / 9,
               .point = {4.0 / 3, 7.0 / 9, 4.0 / 9}});
  p.push_back({.number = 36,
               .formulas = {.start = {10, 10, 10},
                            .lower = {0, 0, 0},
                            .upper = {20, 11, 42},
                            .objective = product_of_three,
                            .rows = [](X x) -> Rows { return {72 - x[1] - 2 * x[2] - 2 * x[3] >= 0}; }},
               .optimum = -3300,
               .point = {20, 11, 15}});
  p.push_back({.number = 37,
               .formulas = {.start = {10, 10, 10},
                            .lower = {0, 0, 0},
                            .upper = {42, 42, 42},
                            .objective = product_of_three,
                            .rows = [](X x) -> Rows {
                              return {72 - x[1] - 2 * x[2] - 2 * x[3] >= 0, x[1] + 2 * x[2] + 2 * x[3] >= 0};
                            }},
               .optimum = -3456,
               .point = {24, 12, 12}});
  p.push_back({.number = 38,  // the last three: 10.1 (a² + b²) + 19.8 a b with a = x2 - 1, b = x4 - 1
               .formulas = {.start = {-3, -1, -3, -1},
                            .lower = {-10, -10, -10, -10},
                            .upper = {10, 10, 10, 10},
                            .residuals = [](X x) -> Residuals {
                              return {10 * (x[2] - square(x[1])),
                                      1 - x[1],
                                      std::sqrt(90) * (x[4] - square(x[3])),
                                      1 - x[3],
                                      std::sqrt(9.9) * (x[2] + x[4] - 2),
                                      std::sqrt(0.2) * (x[2] - 1),
                                      std::sqrt(0.2) * (x[4] - 1)};
                            }},
               .optimum = 0,
               .point = {1, 1, 1, 1}});
  p.push_back({.number = 39,
               .formulas = {.start = {2, 2, 2, 2},
                            .objective = [](X x) { return -x[1]; },
                            .rows = [](X x) -> Rows {
                              return {x[2] - power(x[1], 3) - square(x[3]) == 0, square(x[1]) - x[2] - square(x[4]) == 0};
                            }},
               .optimum = -1,
               .point = {1, 1, 0, 0}});
  p.push_back({.number = 40,
               .formulas = {.start = {0.8, 0.8, 0.8, 0.8},
                            .objective = [](X x) { return -x[1] * x[2] * x[3] * x[4]; },
                            .rows = [](X x) -> Rows {
                              return {power(x[1], 3) + square(x[2]) == 1, square(x[1]) * x[4] - x[3] == 0,
                                      square(x[4]) - x[2] == 0};
                            }},
               .optimum = -0.25});
  return p;
}

}  // namespace bolza::nlp::testing
