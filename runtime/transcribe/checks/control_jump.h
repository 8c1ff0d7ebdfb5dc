// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>

#include "runtime/abi/solution.h"

namespace bolza::transcribe {

/// Where in a mesh interval a control jumps, as a fraction of it: the control goes from one nearly constant value before the
/// interval to another one behind it, and its polynomial has the integral of the step in there. An optimum's controls act
/// by their integrals over so short a stretch, so the place is exact to O(h) of the interval. None: no control jumps there,
/// or the interval is the first or the last. Cost: linear in the interval's samples, and the logarithm of all.
/// @param interval  from 0
std::optional<double> control_jump(const abi::PhaseSolution& phase, std::size_t interval);

}  // namespace bolza::transcribe
