// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/diagnostics.h"
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// What links of phases leave open or say twice. Of the lowered problem.
/// Warnings  W415 a link sets a start that is fixed, W416 a phase begins where another ends, and nothing says with which
/// states.   Cost  linear in the point rows.
void check_phase_starts(const System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
