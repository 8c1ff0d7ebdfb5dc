// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"

namespace bolza::workflow {

/// The variable without a bound (a free parameter, a control, a free start of a state) that grew beyond all measure although
/// the equations hold, or null.
const bolza_variable* runaway(const bolza_problem& problem, const abi::Solution& solution);

/// What is said then, with the place of its declaration.
abi::Finding unbounded(const bolza_problem& problem, const bolza_variable& v);

}  // namespace bolza::workflow
