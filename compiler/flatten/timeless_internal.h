// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/instance/instance.h"

namespace bolza::flatten {

/// Whether nothing that an optimization class says depends on time, so that its problem is one point although `static` was
/// not written: no horizon, no phase, no control, no value that changes at events, no derivative, delay or clock, nothing
/// that is taken at a time or over one. What would be a state, or begins somewhere, counts as depending on time.
/// Cost: one look at every expression of the class.
bool is_timeless(const instance::Instance& root);

}  // namespace bolza::flatten
