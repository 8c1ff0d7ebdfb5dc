// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"

namespace bolza::transcribe {

/// Gives the free parameters of a calibration that nothing is known of (no guess, start or nominal value; times aside) a
/// power of ten to start from: the smallest at which the model, along the guess on the data, changes states half as fast as
/// the data change, or, where a parameter never does (a constant at which a rate saturates), half as much as it ever does:
/// with f the rates, R the steepest slope of the data of a state, and e the mean over times of the largest |p ∂f/∂p| / R, at
/// most 1,
///
///   the least p = 10^k with e(p) ≥ ½ max e.
///
/// One parameter after the other, until none changes. So the units of a parameter do not matter.
/// @param guess  of data_guess: trajectories on the data; its parameters are changed
/// Cost  some 500 Jacobians of the rates per parameter, none where nothing is unknown.
void start_parameters(const bolza_problem& problem, abi::Solution& guess);

}  // namespace bolza::transcribe
