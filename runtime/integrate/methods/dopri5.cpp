// SPDX-License-Identifier: Apache-2.0
// Dormand and Prince's method 5(4) with its dense output of order 4, and one order more from within the step.    [HNW, table
// II.5.2 and section II.6; EJNT]
#include "runtime/integrate/steps/explicit_runge_kutta.h"

namespace bolza::integrate {
namespace dopri5_coefficients {

constexpr double c[] = {0, 0.2, 0.3, 0.8, 8.0 / 9, 1, 1};
constexpr double a[] = {0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,  //
                        0.2,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,  //
                        3.0 / 40,
                        9.0 / 40,
                        0,
                        0,
                        0,
                        0,
                        0,  //
                        44.0 / 45,
                        -56.0 / 15,
                        32.0 / 9,
                        0,
                        0,
                        0,
                        0,  //
                        19372.0 / 6561,
                        -25360.0 / 2187,
                        64448.0 / 6561,
                        -212.0 / 729,
                        0,
                        0,
                        0,  //
                        9017.0 / 3168,
                        -355.0 / 33,
                        46732.0 / 5247,
                        49.0 / 176,
                        -5103.0 / 18656,
                        0,
                        0,  //
                        35.0 / 384,
                        0,
                        500.0 / 1113,
                        125.0 / 192,
                        -2187.0 / 6784,
                        11.0 / 84,
                        0};
constexpr double error[] = {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
constexpr double dense[] = {-12715105075.0 / 11282082432,  0,
                            87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                            701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                            69997945.0 / 29380423};
}  // namespace dopri5_coefficients

constexpr ExplicitTableau dormand_prince{
    7, dopri5_coefficients::c, dopri5_coefficients::a, dopri5_coefficients::error, dopri5_coefficients::dense, 5, 4, 0.04};

extern const Method dopri5;
const Method dopri5{.name = "dopri5",
                    .description = "Dormand-Prince, order 5 with error control, not stiff",
                    .algebraics = true,
                    .stiff = false,
                    .order_low = 5,
                    .order_high = 5,
                    .dense_order = 5,
                    .fixed_steps = true,
                    .available = [] { return true; },
                    .make = [](const Setup& setup) { return make_explicit(setup, dormand_prince); },
                    .runge_kutta = [] { return form_of(dormand_prince); }};

}  // namespace bolza::integrate
