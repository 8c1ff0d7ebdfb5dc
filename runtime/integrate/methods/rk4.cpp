// SPDX-License-Identifier: Apache-2.0
// The classical method of order 4 with Zonneveld's embedded method of order 3.    [HNW, table II.4.2]
#include "runtime/integrate/steps/explicit_runge_kutta.h"

namespace bolza::integrate {
namespace rk4_coefficients {

constexpr double c[] = {0, 0.5, 0.5, 1, 0.75, 1};
constexpr double a[] = {0,        0,        0,         0,         0, 0,  //
                        0.5,      0,        0,         0,         0, 0,  //
                        0,        0.5,      0,         0,         0, 0,  //
                        0,        0,        1,         0,         0, 0,  //
                        5.0 / 32, 7.0 / 32, 13.0 / 32, -1.0 / 32, 0, 0,  //
                        1.0 / 6,  1.0 / 3,  1.0 / 3,   1.0 / 6,   0, 0};
constexpr double error[] = {2.0 / 3, -2, -2, -2, 16.0 / 3, 0};
constexpr ExplicitTableau tableau{6, c, a, error, {}, 4, 3, 0.04};

}  // namespace rk4_coefficients

extern const Method rk4;
const Method rk4{.name = "rk4",
                 .description = "classical Runge-Kutta, order 4, not stiff",
                 .algebraics = true,
                 .stiff = false,
                 .order_low = 4,
                 .order_high = 4,
                 .dense_order = 3,
                 .fixed_steps = true,
                 .available = [] { return true; },
                 .make = [](const Setup& setup) { return make_explicit(setup, rk4_coefficients::tableau); },
                 .runge_kutta = [] { return form_of(rk4_coefficients::tableau); }};

}  // namespace bolza::integrate
