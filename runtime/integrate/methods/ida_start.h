// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/integrate/method_table.h"

namespace bolza::integrate {

/// Initial values by IDACalcIC, from the guesses in `state`.
///
/// @param at_rest  false: IDA_YA_YDP_INIT, the states are kept and the algebraics follow; true: IDA_Y_INIT, states and
///                 algebraics with all derivatives zero
/// False when IDAS does not find them (Newton's method is asked next, see nonlinear/initialise.h); `state` is as it was
/// then. Cost: some factorisations.
bool initial_by_idas(const Setup& setup, double stop, bool at_rest, State& state);

}  // namespace bolza::integrate
