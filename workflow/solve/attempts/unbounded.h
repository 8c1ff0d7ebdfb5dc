// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"

namespace bolza::workflow {

/// What a variable was divided by; 1 where that is not known.
double divisor_of(const std::vector<double>& sizes, std::size_t k);

/// Whether a value is beyond `times` the variable's size, nominal, guess and start, on a side without a bound.
bool is_far_out(const bolza_variable& v, double value, double size, double times);

/// The variable without a bound (a free parameter, a control, a free start of a state) that grew beyond all measure although
/// the equations hold, or null.
const bolza_variable* runaway(const bolza_problem& problem, const abi::Solution& solution);

/// What is said then, with the place of its declaration.
abi::Finding unbounded(const bolza_problem& problem, const bolza_variable& v);

}  // namespace bolza::workflow
