// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/integrate/steps/multistep.h"

namespace bolza::integrate {

/// Enright's second-derivative formula for variable steps,                                  [GOMEZ, 1.3 and 2.3.2]
///
///   x⁺ = x + h Σ_j ρ_j f_{i−j+1} + h ρ₀ f⁺ + h² σ₀ (f_t + f_x f)⁺
///
/// with the integral of the polynomial through Q earlier rates, the rate and its derivative at the end: order Q + 2. The
/// paper writes one symbol for ρ₀ and σ₀; for Q = 1 they are 2/3 and −1/6.
///
/// `semi_implicit`: predictor (Adams–Bashforth), corrector (Adams–Moulton), and the formula as recorrector with f⁺ implicit
/// and the second derivative at the corrected point. Its second derivative is explicit, so it is stable for moderate h f_x
/// only.
std::unique_ptr<Integrator> make_enright(const Setup& setup, bool semi_implicit);
std::unique_ptr<MultistepScheme> make_enright_scheme(const MethodOptions& options, bool semi_implicit);

inline constexpr int enright_order = 4;  ///< unless max_order says otherwise; A-stable up to here

}  // namespace bolza::integrate
