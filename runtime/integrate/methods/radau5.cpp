// SPDX-License-Identifier: Apache-2.0
// Radau IIA of order 5 with variable steps, for equations of index up to three.    [HW, IV.8 and VII.7]
#include "runtime/integrate/steps/implicit_runge_kutta.h"

namespace bolza::integrate {
namespace radau5_coefficients {

constexpr double root6 = 2.4494897427831780982;
constexpr double c[] = {(4 - root6) / 10, (4 + root6) / 10, 1};
constexpr double error[] = {-(13 + 7 * root6) / 3, (-13 + 7 * root6) / 3, -1.0 / 3};
constexpr CollocationTableau tableau{3, c, error, 5, 3};

}  // namespace radau5_coefficients

extern const Method radau5;
const Method radau5{.name = "radau5",
                    .description = "Radau IIA, order 5, stiff and differential-algebraic equations of index up to 3",
                    .algebraics = true,
                    .stiff = true,
                    .order_low = 5,
                    .order_high = 5,
                    .dense_order = 4,
                    .fixed_steps = true,
                    .highest_index = 3,
                    .available = [] { return true; },
                    .make = [](const Setup& setup) { return make_implicit(setup, radau5_coefficients::tableau); },
                    .runge_kutta = [] { return collocation_form(radau5_coefficients::tableau.c); }};

}  // namespace bolza::integrate
