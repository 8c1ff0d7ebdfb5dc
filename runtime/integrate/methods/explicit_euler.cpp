// SPDX-License-Identifier: Apache-2.0
// Euler's explicit method; the trapezoidal rule gives its error.
#include "runtime/integrate/steps/explicit_runge_kutta.h"

namespace bolza::integrate {
namespace explicit_euler_coefficients {

constexpr double c[] = {0, 1};
constexpr double a[] = {0, 0, 1, 0};
constexpr double error[] = {0.5, -0.5};
constexpr ExplicitTableau tableau{2, c, a, error, {}, 1, 2, 0};

}  // namespace explicit_euler_coefficients

extern const Method explicit_euler;
const Method explicit_euler{
    .name = "euler",
    .description = "explicit Euler, order 1",
    .algebraics = true,
    .stiff = false,
    .order_low = 1,
    .order_high = 1,
    .dense_order = 1,
    .fixed_steps = true,
    .available = [] { return true; },
    .make = [](const Setup& setup) { return make_explicit(setup, explicit_euler_coefficients::tableau); },
    .runge_kutta = [] { return form_of(explicit_euler_coefficients::tableau); }};

}  // namespace bolza::integrate
