// SPDX-License-Identifier: Apache-2.0
// Kaps and Rentrop's GRK4T [KAPS]. Twelve published digits, carried on to full precision by the eight conditions of order 4
// with γ = 0.231, α₂ = 2γ, α₃ = (1/5 − α₂/4)/(1/4 − α₂/3), b₃ = 0.    [HW, IV.7]
#include "runtime/integrate/steps/rosenbrock.h"

namespace bolza::integrate {
namespace grk4_coefficients {

constexpr double gamma = 0.231, a32 = 0.96177515016621164693, a31 = 0.0845 / 0.096 - a32;
constexpr double alpha[] = {0,         0,   0, 0,  //
                            2 * gamma, 0,   0, 0,  //
                            a31,       a32, 0, 0,  //
                            a31,       a32, 0, 0};
constexpr double Gamma[] = {0,
                            0,
                            0,
                            0,  //
                            -0.27062966775247390814,
                            0,
                            0,
                            0,  //
                            0.31125448329390697357,
                            0.0085244562849164446489,
                            0,
                            0,  //
                            0.28281683204376523313,
                            -0.45795948328091994712,
                            -0.11120833333332244621,
                            0};
constexpr double b[] = {0.21748737165273291869, 0.48622903799011939153, 0, 0.29628359035714768978};
constexpr double error[] = {b[0] + 0.71708850449913744882, b[1] - 1.7761791217607702556, 0.059090617261632806729, b[3]};
constexpr RosenbrockTableau tableau{4, gamma, alpha, Gamma, b, error, 3};

}  // namespace grk4_coefficients

extern const Method grk4;
const Method grk4{
    .name = "grk4",
    .description = "Rosenbrock method of Kaps and Rentrop (GRK4T), order 4, for stiff problems at low accuracy",
    .algebraics = true,
    .stiff = true,
    .order_low = 4,
    .order_high = 4,
    .dense_order = 3,
    .fixed_steps = true,
    .available = [] { return true; },
    .make = [](const Setup& setup) { return make_rosenbrock(setup, grk4_coefficients::tableau); },
    .tape = true,
    .curved = true};

}  // namespace bolza::integrate
