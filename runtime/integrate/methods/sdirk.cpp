// SPDX-License-Identifier: Apache-2.0
// The L-stable SDIRK method of order 4 with an embedded method of order 3.    [HW, table IV.6.5]
#include "runtime/integrate/steps/diagonal_runge_kutta.h"

namespace bolza::integrate {
namespace sdirk_coefficients {

constexpr double g = 0.25;
constexpr double c[] = {1.0 / 4, 3.0 / 4, 11.0 / 20, 1.0 / 2, 1};
constexpr double a[] = {g,
                        0,
                        0,
                        0,
                        0,  //
                        1.0 / 2,
                        g,
                        0,
                        0,
                        0,  //
                        17.0 / 50,
                        -1.0 / 25,
                        g,
                        0,
                        0,  //
                        371.0 / 1360,
                        -137.0 / 2720,
                        15.0 / 544,
                        g,
                        0,  //
                        25.0 / 24,
                        -49.0 / 48,
                        125.0 / 16,
                        -85.0 / 12,
                        g};
constexpr double error[] = {25.0 / 24 - 59.0 / 48, -49.0 / 48 + 17.0 / 96, 125.0 / 16 - 225.0 / 32, 0, g};
// The method's continuous solution [HW, IV.6] at the middle of a step.
constexpr double middle[] = {121.0 / 144, -43.0 / 96, 3125.0 / 864, -85.0 / 24, 7.0 / 216};
constexpr DiagonalTableau tableau{5, g, c, a, error, middle, 3};

}  // namespace sdirk_coefficients

extern const Method sdirk;
const Method sdirk{.name = "sdirk",
                   .description = "singly diagonally implicit Runge-Kutta, order 4, L-stable",
                   .algebraics = true,
                   .stiff = true,
                   .order_low = 4,
                   .order_high = 4,
                   .dense_order = 3,
                   .fixed_steps = true,
                   .available = [] { return true; },
                   .make = [](const Setup& setup) { return make_diagonal(setup, sdirk_coefficients::tableau); },
                   .tape = true};

}  // namespace bolza::integrate
