// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

#include "compiler/ir/problem.h"

namespace bolza::workflow {

/// Makes every parameter of a model's functions an input u, after those that there are: kernels read them by row of the
/// point, so that points of one call differ in them. Shared values that stay are the horizon.
/// @returns why it cannot be; "" it is done. Errors: events, phases and objectives.  Cost: the number of slots.
std::string make_parameters_inputs(ir::Problem& problem);

}  // namespace bolza::workflow
