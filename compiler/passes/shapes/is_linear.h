// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/shapes/linearity.h"
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Whether a value is linear in everything that varies with time, with coefficients that do not; `time` itself does not
/// count as linear. Expressions that are linear in a way that `Linearity` does not see give false.
bool is_linear(const System& system, Linearity& linearity, const Applied& value);

}  // namespace bolza::passes
