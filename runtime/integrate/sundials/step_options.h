// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/integrate/method_options.h"

namespace bolza::integrate {

enum class Towards : bool { end, begin };

/// CVODES 6.4 asks for Jacobians without end where the length of a step is not a number, 0/0 after rates of 1e300. Steps
/// shorter than this are failures before.
inline constexpr double least_step = 1e-250;

/// What options say of the steps, their orders and their iterations, to a memory of CVODES. Those that are not set are
/// CVODES' own, or what was set before.
/// @param unit  seconds of one of the integrator's own, > 0: 1, or the length of a segment, whose s runs over [0, 1]
/// @param highest_order  5: BDF, 12: Adams
void set_steps_of_cvodes(void* memory, const MethodOptions& options, double unit, int highest_order, Towards towards);
/// The same to a memory of IDAS.
void set_steps_of_idas(void* memory, const MethodOptions& options, double unit, Towards towards);

}  // namespace bolza::integrate
