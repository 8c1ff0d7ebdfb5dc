// SPDX-License-Identifier: Apache-2.0
// The implicit midpoint rule: symplectic, keeps quadratic invariants; steps of one length.
#include "runtime/integrate/steps/implicit_runge_kutta.h"

namespace bolza::integrate {
namespace implicit_midpoint_coefficients {

constexpr double c[] = {0.5};
constexpr CollocationTableau tableau{1, c, {}, 2, 0};

}  // namespace implicit_midpoint_coefficients

extern const Method implicit_midpoint;
const Method implicit_midpoint{
    .name = "midpoint",
    .description = "implicit midpoint rule, order 2, symplectic, steps of one length",
    .algebraics = true,
    .stiff = true,
    .order_low = 2,
    .order_high = 2,
    .dense_order = 1,
    .fixed_steps = true,
    .automatic = false,
    .available = [] { return true; },
    .make = [](const Setup& setup) { return make_implicit(setup, implicit_midpoint_coefficients::tableau); },
    .runge_kutta = [] { return collocation_form(implicit_midpoint_coefficients::tableau.c); }};

}  // namespace bolza::integrate
