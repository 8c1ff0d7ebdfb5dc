// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/interior/interior_times.h"

namespace bolza::passes {

/// Brings interior times into their order: by bounds, by constraints `t1 <= t2`, by constant distances, else by guesses.
/// Errors  E485 nothing tells the order of two times, or constraints contradict each other; E486 a time outside the horizon;
///         E412 a number outside it.   Warnings  W413 guesses decided the order.
Result<Done> order_times(const System& system, InteriorTimes& times, Diagnostics& diagnostics);

}  // namespace bolza::passes
